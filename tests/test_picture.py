"""Positions drawn: the plain drawing letter by letter, the coloured one for what must not be lost."""

import io

from mess.search.faces.flaming.picture import chip, material_of, picture, pyramid
from mess.search.screen import console, is_plain
from mess.solver.flaming.tiles import CODES, MATERIAL_NAMES, material
from mess.solver.game import deal

FALLING = {
    "game": "flaming",
    "rules": {"players": 2, "preset": "bga", "curse": True, "special_fire": False},
    "board": [["R60", "B120", "G6"], [".", "Y4", "M"], ["R7"]],
    "hands": [["R2", "B20"], ["?", "?"]],
    "piles": [["?", "?", "B4"], ["R100"]],
    "unknown": [2, 0],
    "known": [["R2"], []],
    "out": ["G1"],
    "turn": 0,
    "charged": 1,
    "to_act": 1,
    "phase": "fall",
    "at": [2, 0],
    "placed": None,
    "rolled": [],
    "turns": 7,
    "winner": None,
}


def drawn(renderable, **options):
    file = io.StringIO()
    screen = console(file, **options)
    screen.print(renderable)
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_plain_picture():
    assert drawn(picture(FALLING, ["L", "R"], plain=True)) == [
        "flaming, 2 players, bga, curse",
        "",
        "2          <R7  ^>",
        '1        (L)   [Y4  "] [M   @]',
        '0  [R60 #] [B120#] [G6  "]',
        'material: " straw, = wood, # stone, * coal, ^ torch, @ millstone',
        "",
        "           hand    tiles  pile",
        "   seat 0  R2 B20      5  3  2 unknown; then B4",
        ">  seat 1  ? ?         3  1  R100",
        "out of the game: G1",
        "cursed: what is taken goes to seat 1",
        "",
        "Turn 8: R7 falls, seat 1 to say left or right.",
    ]


def test_cells_rest_between_their_supports_and_base_may_grow_to_the_left():
    lines = [str(line) for line in pyramid({**FALLING, "at": None}, {(0, -1): "0,-1"}, plain=True)]
    assert lines[2] == '0   (0,-1) [R60 #] [B120#] [G6  "]'
    assert lines[1].index("[Y4") - lines[2].index("[B120") == 4


def test_empty_table():
    assert [str(line) for line in pyramid({**FALLING, "board": [], "at": None})] == ["   the table is empty"]


def test_coloured_picture_names_every_tile_and_fills_boxes_with_colour():
    file = io.StringIO()
    screen = console(file)
    screen._force_terminal, screen.no_color = True, False
    screen._color_system = 3
    screen.print(picture(FALLING, ["L", "R"]))
    text = file.getvalue()
    assert "\x1b[1;38;2;255;255;255;48;2;179;38;30m  R60  " in text
    assert all(code in text for code in ("R60", "B120", "G6", "Y4", "M", "R7", "falls"))


def test_colour_is_never_alone():
    for code in CODES:
        assert chip(code, plain=False).plain.strip() == code
        assert material_of(code) in {MATERIAL_NAMES[material(CODES.index(code))], "coal", "torch", "millstone"}


def test_plain_where_there_is_no_terminal(monkeypatch):
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    assert is_plain(console(io.StringIO()))
    text = "\n".join(drawn(picture(deal("flaming", 1, players=6).to_dict(), plain=True)))
    assert text.isascii()


def test_phases_in_words():
    def last(**fields):
        return drawn(picture({**FALLING, **fields}, plain=True))[-1]

    assert last(phase="die", to_act=-1) == "Turn 8: a die is rolled for R7."
    assert last(phase="place", at=None, to_act=0) == "Turn 8: seat 0 to place a tile."
    assert last(phase="over", at=None, to_act=None, winner=1) == "The game is over: seat 1 won."
    assert last(phase="over", at=None, to_act=None, winner="draw") == "The game is over: a draw."
