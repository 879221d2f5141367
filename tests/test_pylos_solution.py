"""The solved pyramid: against brute force, whole; the file it is kept in; and what it says of moves."""

import json

import numpy as np
import pytest
from mess.search.bot import make
from mess.search.search import advise
from mess.solver.bits import ZERO, U
from mess.solver.errors import InputError
from mess.solver.fields import check_rules
from mess.solver.game import deal
from mess.solver.position import read
from mess.solver.pylos import board, classes, perfect, retrograde, solution, table
from mess.solver.pylos.notation import OPTIONS
from mess.solver.pylos.symmetry import SYMMETRIES
from mess.solver.rng import stream
from mess_command import CASES, mess
from reference import pylos as naive

SMALL = {"size": 3}
VARIANTS = OPTIONS["variant"]


class Silent(solution.Watcher):
    def begin(self, sweep, positions):
        self.sweeps = sweep


def solved(folder, **rules):
    return solution.solve(check_rules(OPTIONS, rules), 2, Silent(), folder)


def word(cells, size):
    """The naive engine's cells as a board of ours."""
    below = 4 - size
    return U(sum(1 << (16 * (level - 1 + below) + 4 * (rank - 1) + file - 1) for level, file, rank in cells))


@pytest.fixture
def tables(monkeypatch, tmp_path):
    """A folder of its own for solutions."""
    monkeypatch.setenv("MESS_TABLES", str(tmp_path))
    return tmp_path


# --- numbers ---


@pytest.mark.parametrize(("size", "occupancies", "count"), [(4, 141_119, 18_457), (3, 689, 134), (2, 16, 6)])
def test_classes_are_counted(size, occupancies, count):
    ix = classes.index(size)
    assert (len(classes.occupancies(size)), len(ix.masks), int(ix.orbits.sum())) == (occupancies, count, occupancies)


def test_boards_and_positions_are_counted():
    assert classes.index(4).total == 2_257_858_569
    assert classes.index(3).total == 24_635


@pytest.mark.parametrize("size", [2, 3, 4])
def test_numbers_and_positions_lead_to_each_other(size):
    ix, rng = classes.index(size), np.random.default_rng(1)
    places = range(ix.total) if size == 2 else rng.integers(0, ix.total, 2000).tolist()
    for place in places:
        own, other, side = solution.position_of(ix, place)
        back = classes.number(ix, side, board.dense(own | other), board.dense(own))
        assert int(back) == place
        assert int(own) & int(other) == 0


@pytest.mark.parametrize("size", [3, 4])
def test_symmetric_positions_have_symmetric_numbers(size):
    ix, rng = classes.index(size), np.random.default_rng(2)
    for place in rng.integers(0, ix.total, 300).tolist():
        own, other, side = solution.position_of(ix, place)
        boards = [board.dense(own | other), board.dense(own)]
        turned = [tuple(int(classes.turn(ix, symmetry, cells)) for cells in boards) for symmetry in range(SYMMETRIES)]
        numbers = {int(classes.number(ix, side, U(occupied), U(mine))) for occupied, mine in turned}
        # a class that is symmetric in itself may number what is turned into each other more than once
        assert place in numbers
        assert len(numbers) <= len(set(turned))
        assert len({bin(mine).count("1") for _, mine in turned}) == 1


def test_no_occupancy_has_more_moves_than_there_is_room_for():
    ix, moves = classes.index(4), retrograde.fan()
    rules = retrograde.Rules(2, False, False)
    assert max(retrograde.spread(ix, rules, cls, moves)[0] for cls in range(len(ix.masks))) == 117 <= retrograde.MOVES


def test_sets_are_ranked_in_order():
    ix = classes.index(4)
    for n, k in ((0, 5), (1, 29), (2, 6), (5, 9), (3, 20)):
        cells = retrograde.unrank(0, n, k)
        for place in range(retrograde.BINOMIAL[k, n]):
            assert int(classes.rank(ix, cells)) == place
            assert int(retrograde.unrank(place, n, k)) == int(cells)
            if n:
                cells = retrograde.following(cells)


# --- values ---


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        {"variant": "beginner", "empty_reserve": "loses"},
        {"variant": "standard", "empty_reserve": "loses", "take_back": "may"},
        {"variant": "expert"},
    ],
    ids=lambda rules: rules["variant"],
)
def test_every_position_of_the_small_pyramid_is_worth_what_brute_force_says(tmp_path, rules):
    found = solved(tmp_path, size=3, **rules)
    known = naive.solve_every(naive.Rules(**rules, size=3))
    for (own, other, _), (outcome, plies) in known.items():
        value = found.value(word(own, 3), word(other, 3), 0)
        assert (solution.name_of(value), None if value == table.UNKNOWN else value - 1) == (outcome, plies)
    summary = found.header["summary"]
    assert summary["boards"] == len(known) == 101_621
    outcomes = [outcome for outcome, _ in known.values()]
    assert [outcomes.count(name) for name in ("win", "loss", "draw")] == np.sum(summary["by_balls"], axis=0).tolist()


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_smallest_pyramid_is_worth_what_brute_force_says(tmp_path, variant):
    found = solved(tmp_path, size=2, variant=variant)
    for (own, other, turn), (outcome, plies) in naive.solve_every(naive.Rules(variant, size=2)).items():
        value = found.value(word(own, 2), word(other, 2), "wb".index(turn))
        assert (solution.name_of(value), None if value == table.UNKNOWN else value - 1) == (outcome, plies)


# From the naive engine's solution of all positions; expert is a draw.
STARTS = {"beginner": ("loss", 16, 16), "standard": ("win", 15, 17), "expert": ("draw", None, 23)}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("empty_reserve", OPTIONS["empty_reserve"])
def test_solutions_of_the_small_pyramid_are_what_they_were_and_check(tmp_path, variant, empty_reserve):
    found = solved(tmp_path, size=3, variant=variant, empty_reserve=empty_reserve)
    summary = found.header["summary"]
    assert (summary["value"], summary["plies"], summary["longest"]) == STARTS[variant]
    solution.check_sample(found, 300, 1)
    solution.check_all(found, 2, Silent())


@pytest.mark.parametrize("place", [0, 5_000, 20_000])
def test_a_wrong_value_is_found(tmp_path, place):
    found = solved(tmp_path, **SMALL)
    values = np.array(found.values)
    values[place] = 60 if values[place] != 60 else 58
    header = {name: found.header[name] for name in ("rules", "positions", "summary")}
    table.write(found.path, header, values)
    spoilt = table.Table(found.path, found.header["rules"])
    with pytest.raises(InputError, match="do not"):
        solution.check_all(spoilt, 2, Silent())


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("take_back", OPTIONS["take_back"])
def test_what_a_change_may_change_is_marked(tmp_path, variant, take_back):
    history = solved(tmp_path, size=3, variant=variant, take_back=take_back).header["history"]
    total = classes.index(3).total
    # once only marked positions are looked at, nothing is left for the sweep over all of them in the end
    looked = [seen for seen, _ in history]
    if variant != "beginner":
        assert min(looked) < total // 10
    first_marked = next((i for i, seen in enumerate(looked) if seen < total), len(looked) - 1)
    assert all(seen < total for seen in looked[first_marked:-1])
    assert history[-1] == [total, 0]


def test_workers_change_nothing(tmp_path):
    rules = check_rules(OPTIONS, {"size": 3, "variant": "expert"})
    one, three = (solution.solve(rules, n, Silent(), tmp_path / str(n)) for n in (1, 3))
    assert np.array_equal(one.values, three.values)


def test_an_interrupted_solution_goes_on(tmp_path, monkeypatch):
    rules = check_rules(OPTIONS, {"size": 3, "variant": "standard"})

    class Impatient(Silent):
        def advance(self, positions):
            if self.sweeps == 2 and positions:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solution.solve(rules, 2, Impatient(), tmp_path)
    [part] = tmp_path.iterdir()
    assert part.suffix == ".part"
    watcher = Silent()
    resumed = solution.solve(rules, 2, watcher, tmp_path)
    assert [path.suffix for path in tmp_path.iterdir()] == [".table"]
    assert np.array_equal(resumed.values, solution.solve(rules, 1, Silent(), tmp_path / "fresh").values)


# --- the file ---


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda content: content[:-1], "cut off"),
        (lambda content: content[:1000], "cut off|something else"),
        (lambda content: b"", "something else"),
        (lambda content: b"{}" + content[2:], "something else"),
        (lambda content: content.replace(b'"version": 1', b'"version": 9', 1), "version 1"),
        (lambda content: content[:-5] + b"\xff" + content[-4:], "undamaged"),
        (lambda content: content.replace(b'"standard"', b'"beginner"', 1), "expected the solution"),
        (lambda content: content.replace(b'"positions": 24635', b'"positions": "many"', 1), "damaged"),
        (lambda content: content.replace(b'"crc32": [', b'"crc32": [7, ', 1), "damaged"),
    ],
)
def test_a_damaged_file_is_one_line_and_never_used(tables, damage, said):
    path = solved(tables, **SMALL).path
    path.write_bytes(damage(path.read_bytes()))
    for arguments in (["solve", "pylos", "--size", 3, "--check", "sample"], ["hint", "-"]):
        result = mess(*arguments, stdin=str(deal("pylos", 0, size=3)))
        assert (result.code, result.out) == (2, "")
        line = result.err.rstrip("\n").splitlines()[-1]
        assert line.startswith(f"mess: {path}: expected")
    with pytest.raises(InputError, match=said):
        table.Table(path, check_rules(OPTIONS, SMALL)).verify()


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path, monkeypatch):
    def full(file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(table.os, "fsync", full)
    with pytest.raises(InputError, match="room"):
        solved(tmp_path, **SMALL)
    assert list(tmp_path.iterdir()) == []


# --- what it is good for ---


def test_hints_tell_the_outcome_of_every_move(tables):
    solved(tables, **SMALL)
    advice = advise(deal("pylos", 0, size=3))
    assert advice.method == "table"
    assert advice.best == "1b2"
    assert (advice.moves[0].win, advice.moves[0].why.rpartition(". ")[2]) == (1.0, "Wins in 15.")
    assert {move.why.rpartition(". ")[2] for move in advice.moves[1:]} == {"Loses in 16."}


def test_draws_are_ranked_by_their_traps(tables):
    solved(tables, size=3, variant="expert")
    start = deal("pylos", 0, size=3, variant="expert")
    found = perfect.outcomes(start)
    assert {outcome.value for outcome in found} <= {"draw", "loss"}
    best = max(found, key=lambda outcome: outcome.liking)
    assert best.value == "draw"
    assert best.traps == max(outcome.traps for outcome in found if outcome.value == "draw")
    assert "A draw by going round; " in advise(start).moves[0].why
    # where the opening book ends nobody knows of traps
    assert perfect.Outcome("draw", None).told == "A draw by going round."


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("opponent", ["random", "greedy", "mcts@50", "perfect"])
def test_perfect_wins_every_won_position_in_time(tables, variant, opponent):
    ix = solved(tables, size=3, variant=variant).ix
    perfect_bot, other = make("perfect", "pylos"), make(opponent, "pylos")
    rng, chooser = stream(1, opponent), np.random.default_rng(3)
    won = 0
    while won < (8 if opponent == "mcts@50" else 25):
        own, others, _ = solution.position_of(ix, int(chooser.integers(0, ix.total)))
        start = deal("pylos", 0, size=3, variant=variant)
        states = start.states()
        states[0].balls[:] = own, others
        position = read(type(start)(start.game, states).to_dict())
        if position.is_over or max(o.liking for o in perfect.outcomes(position))[0] < 2:
            continue
        plies = min(o.plies for o in perfect.outcomes(position) if o.value == "win")
        for ply in range(plies):
            bot = perfect_bot if ply % 2 == 0 else other
            position = position.play(bot.choose(position.observe(position.to_act), rng))
            if position.is_over:
                break
        assert position.payoff() == (1.0, 0.0)
        won += 1


def test_an_opening_book_knows_the_first_plies(monkeypatch, tables):
    path = table.write_book(solved(tables, **SMALL), tables)
    monkeypatch.setattr(table, "BOOKS", tables)
    monkeypatch.setattr(perfect, "book_file", lambda rules: table.book_file(rules, tables))
    start = deal("pylos", 0, size=3)
    told = perfect.outcomes(start)
    table.file_of(check_rules(OPTIONS, SMALL)).unlink()
    assert path.exists()
    assert perfect.outcomes(start) == told
    position = start
    for _ in range(table.BOOK_BALLS):
        assert perfect.outcomes(position) == perfect.opening(position) is not None
        position = position.play(position.moves()[0])
    assert perfect.outcomes(position) is None


BOOK_POSITIONS = 91_203
"""Positions of the base of 4 with at most six balls on the board, symmetric ones told apart where that is cheaper."""


def test_books_come_with_the_package():
    books = sorted(table.BOOKS.glob("*.book"))
    assert books
    for path in books:
        start = deal("pylos", 0, **dict(zip(("size", "variant"), (4, path.name.split("-")[2]), strict=True)))
        known = table.Book(path, start.to_dict()["rules"])
        assert solution.name_of(known.value(ZERO, ZERO, 0)) in ("win", "loss", "draw")
        last = BOOK_POSITIONS - 1
        assert known.read(last) == known.read_all(np.array([last]))[0] >= 0
        with pytest.raises(LookupError):
            known.read(last + 1)
        with pytest.raises(LookupError):
            known.read_all(np.array([last, last + 1]))


def test_perfect_says_what_it_needs(tables):
    position = deal("pylos", 0, size=3)
    with pytest.raises(InputError, match="mess solve pylos"):
        make("perfect", "pylos").choose(position, stream(1))


def test_solve_on_the_command_line(tables):
    result = mess("solve", "pylos", "--size", 2, "--json")
    summary = json.loads(result.out)
    assert (summary["value"], summary["plies"], summary["boards"]) == ("win", 5, 142)
    assert mess("solve", "pylos", "--size", 2).lines[1].startswith("the start is a win in 5")
    assert mess("solve", "pylos", "--size", 2, "--check", "all").code == 0
    assert mess("solve", "pylos", "--size", 2, "--check", "some").code == 2
    assert mess("solve", "flaming").code == 2


def test_perft_on_the_command_line():
    case = json.loads((CASES / "pylos.json").read_text())["positions"][1]
    result = mess("perft", "pylos", "--variant", "expert", "--depth", 3, "--board", case["board"], "--divide")
    *divided, total = result.lines
    assert int(total) == case["perft"]["expert"][2] == sum(int(line.rpartition(" ")[2]) for line in divided)
    assert mess("perft", "pylos", "--depth", -1).code == 2
    assert mess("perft", "flaming", "--depth", 1).code == 2


def test_start_of_nothing_is_the_empty_board():
    assert int(classes.number(classes.index(3), 0, ZERO, ZERO)) == 0
