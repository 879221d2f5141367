"""Requests that are answered at once: games kept or sent along, and what can be wrong with them."""

import json

import pytest
from mess.search.records import positions_of
from mess.search.serving import service as serving
from mess.search.serving.kept import MARK, Kept, Shelf
from mess.search.serving.limits import Limits
from mess.search.serving.service import Service
from mess.solver.errors import InputError
from mess.solver.game import CHANCE, NAMES, deal
from mess.solver.position import Position, read, replay
from serving import Asker, NoPool

RULES = {
    "flaming": {"players": 3, "special_fire": True},
    "odin": {"players": 2, "limit": 15},
    "pylos": {"variant": "expert", "size": 3},
    "meeples": {"players": 2, "seconds": 20},
}
each_game = pytest.mark.parametrize("game", NAMES)


@pytest.fixture
def asker(monkeypatch):
    return asker_of(monkeypatch)


def asker_of(monkeypatch, **limits):
    monkeypatch.setattr(serving, "Pool", NoPool)
    return Asker(Service(Limits(**limits)))


def play_on(asker, new, plies, pick=lambda moves: moves[len(moves) // 2]):
    """Play a kept game on; the answers to its moves."""
    answers, to_act = [], new["to_act"]
    while to_act is not None and len(answers) < plies:
        moves = asker.fine("legal", game_id=new["game_id"])["moves"]
        answers.append(asker.fine("play", game_id=new["game_id"], move=pick(moves)))
        to_act = answers[-1]["to_act"]
    return answers


@each_game
def test_a_kept_game_goes_as_the_engine_says(asker, game):
    new = asker.fine("new", game=game, rules=RULES[game], seed=3)
    position = deal(game, 3, **RULES[game])
    for _ in range(30):
        if position.is_over:
            break
        moves = asker.fine("legal", game_id=new["game_id"])["moves"]
        assert moves == position.moves()
        answer = asker.fine("play", game_id=new["game_id"], move=moves[-1])
        position = position.play(moves[-1])
        while position.to_act == CHANCE:
            # what a deal was, only the server knows
            position = read(asker.service.shelf.get(new["game_id"]).position.to_dict())
        for seat in range(position.players):
            seen = asker.fine("observe", game_id=new["game_id"], seat=seat)
            assert seen["observation"] == position.observe(seat).to_dict()
    assert position.to_act == -2 or answer["to_act"] == position.to_act


@each_game
def test_a_client_can_keep_the_game_itself(asker, game):
    position = deal(game, 5, **RULES[game])
    for _ in range(8):
        if position.is_over:
            break
        moves = asker.fine("legal", view=position.to_dict())["moves"]
        assert moves == position.moves()
        answer = asker.fine("play", view=position.to_dict(), **({"move": moves[0]} if position.to_act >= 0 else {}))
        if position.to_act >= 0:
            position = position.play(moves[0])
            assert answer["position"] == position.to_dict()
        else:
            position = read(answer["position"])
    seen = asker.fine("observe", view=position.to_dict(), seat=1)["observation"]
    assert seen == position.observe(1).to_dict()
    assert asker.fine("observe", view=seen, seat=1)["observation"] == seen
    assert asker.wrong("observe", view=seen, seat=0) == "seat"
    assert asker.wrong("play", view=seen, move="x") == "view"


def test_what_is_hidden_stays_hidden(asker):
    new = asker.fine("new", game="flaming", rules={"players": 2})
    assert new["seed"] is None
    assert asker.wrong("record", game_id=new["game_id"]) == "game_id"
    seen = asker.fine("observe", game_id=new["game_id"], seat=0)["observation"]
    assert "?" in seen["hands"][1]
    told = asker.fine("new", game="flaming", rules={"players": 2}, seed=9)
    assert told["seed"] == 9
    assert asker.fine("record", game_id=told["game_id"])["record"]["seed"] == 9


@each_game
def test_a_finished_game_has_a_record_that_replays(asker, game):
    new = asker.fine("new", game=game, rules={**RULES[game], **({"limit": "one-hand"} if game == "odin" else {})})
    last = play_on(asker, new, 2000)[-1]
    assert last["to_act"] is None
    assert sum(last["result"]) == pytest.approx(1)
    record = asker.fine("record", game_id=new["game_id"])["record"]
    start, positions = positions_of(record)
    assert list(positions[-1].payoff()) == last["result"]
    again = asker.fine("new", record=record)
    assert again["ply"] == last["ply"]
    assert again["result"] == last["result"]
    for ply in (0, last["ply"] // 2, 1, last["ply"]):
        expected = (start, *positions)[ply].observe(0).to_dict()
        answer = asker.fine("observe", game_id=again["game_id"], seat=0, ply=ply)
        assert answer["observation"] == expected
        assert (answer["ply"], answer["plies"]) == (ply, last["ply"])


@each_game
def test_undo_goes_back_to_a_decision(asker, game):
    new = asker.fine("new", game=game, rules=RULES[game], seed=1)
    seats, views = [], []
    to_act = new["to_act"]
    for _ in range(6):
        seats.append(to_act)
        views.append(asker.fine("observe", game_id=new["game_id"], seat=0)["observation"])
        moves = asker.fine("legal", game_id=new["game_id"])["moves"]
        to_act = asker.fine("play", game_id=new["game_id"], move=moves[0])["to_act"]
    back = asker.fine("undo", game_id=new["game_id"])
    assert back["to_act"] == seats[-1]
    assert asker.fine("observe", game_id=new["game_id"], seat=0)["observation"] == views[-1]
    again = len(seats) - 2 - seats[-2::-1].index(seats[0])
    back = asker.fine("undo", game_id=new["game_id"], seat=seats[0])
    assert asker.fine("observe", game_id=new["game_id"], seat=0)["observation"] == views[again]
    assert asker.wrong("undo", game_id=new["game_id"], count=99) == "count"


def test_a_branch_leaves_the_game_alone(asker):
    new = asker.fine("new", game="pylos", seed=0)
    play_on(asker, new, 6)
    branch = asker.fine("new", copy=new["game_id"], ply=3)
    assert branch["ply"] == 3
    play_on(asker, branch, 4, pick=lambda moves: moves[0])
    views = [asker.fine("observe", game_id=name["game_id"], ply=3)["observation"] for name in (new, branch)]
    assert views[0] == views[1]
    plies = [asker.fine("observe", game_id=name["game_id"])["plies"] for name in (new, branch)]
    assert plies == [6, 7]


def test_a_branch_has_chance_of_its_own(asker):
    new = asker.fine("new", game="flaming", rules={"special_fire": True, "players": 2}, seed=0)
    game = asker.service.shelf.get(new["game_id"])
    seeds = {asker.service.shelf.get(asker.fine("new", copy=new["game_id"])["game_id"]).seed for _ in range(5)}
    assert len(seeds | {game.seed}) == 6
    branch = asker.fine("new", copy=new["game_id"], seed=5)
    assert branch["seed"] == 5
    assert asker.fine("record", game_id=branch["game_id"])["record"]["seed"] == 0
    found = asker.fine("new", position=deal("pylos", 0, size=2).to_dict())
    assert asker.fine("record", game_id=found["game_id"])["record"]["seed"] is None


def test_no_request_plays_more_than_a_part_of_a_long_game(asker, monkeypatch):
    rules = {"players": 2, "turns": 20, "seconds": 600}
    new = asker.fine("new", game="meeples", rules=rules, seed=0)
    game = asker.service.shelf.get(new["game_id"])
    while len(game.moves) < 3 * MARK:
        game.play(game.position.moves()[0], 1000)
    branch = asker.fine("new", copy=new["game_id"])
    record = asker.fine("new", record=asker.fine("record", game_id=new["game_id"])["record"])
    expected = [asker.fine("observe", game_id=new["game_id"], ply=ply) for ply in range(2 * MARK, 3 * MARK, 7)]
    played = []
    play = Position.play
    monkeypatch.setattr(Position, "play", lambda *arguments: played.append(1) or play(*arguments))
    for name in (new, branch, record):
        answers = []
        for ply in reversed(range(2 * MARK, 3 * MARK, 7)):
            del played[:]
            answers.insert(0, asker.fine("observe", game_id=name["game_id"], ply=ply))
            assert len(played) <= MARK
        assert [answer["observation"] for answer in answers] == [answer["observation"] for answer in expected]
    asker.fine("undo", game_id=new["game_id"], count=MARK)
    left = len(game.moves)
    while len(game.moves) < left + MARK:
        game.play(game.position.moves()[1], 1000)
    del played[:]
    game.at(len(game.moves) - 1)
    assert len(played) <= MARK
    assert game.at(len(game.moves) - 1).to_dict() == replay(game.start, game.moves[:-1])[-1].to_dict()


def test_a_seed_that_the_server_draws_cannot_be_found_by_trying(asker):
    games = [asker.fine("new", game="pylos")["game_id"] for _ in range(20)]
    seeds = [asker.service.shelf.get(name).seed for name in games]
    assert max(seeds) > 2**48
    assert all(0 <= seed < 2**53 for seed in seeds)


def test_a_branch_played_to_its_end_tells_nothing_of_a_game_that_goes_on(asker):
    new = asker.fine("new", game="odin", rules={"players": 2, "limit": "one-hand"})
    branch = asker.fine("new", copy=new["game_id"])
    again = asker.fine("new", copy=branch["game_id"])
    for one in (branch, again):
        play_on(asker, one, 2000)
        assert asker.wrong("record", game_id=one["game_id"]) == "game_id"
    play_on(asker, new, 2000)
    assert asker.fine("record", game_id=branch["game_id"])["record"]["result"]


def test_chance_is_the_clients_if_it_says_so(asker):
    new = asker.fine("new", game="meeples", rules={"seconds": 20}, chance="client", seed=0)
    answer = asker.fine("play", game_id=new["game_id"], move="1c")
    assert (answer["to_act"], answer["chance"]) == (-1, [])
    outcomes = asker.fine("legal", game_id=new["game_id"])["moves"]
    assert asker.fine("play", game_id=new["game_id"], move=outcomes[-1])["to_act"] == 0
    asker.fine("play", game_id=new["game_id"], move="1c")
    assert asker.fine("play", game_id=new["game_id"])["to_act"] in (0, None)
    assert asker.wrong("play", game_id=new["game_id"]) == "move"


def test_moves_are_told_in_words(asker):
    new = asker.fine("new", game="meeples", rules={"seconds": 20}, seed=0)
    told = asker.fine("play", game_id=new["game_id"], move="1q", tell=True)["told"]
    assert [one["by"] for one in told] == [0, -1]
    assert all(one["text"] for one in told)


def test_wrong_requests_name_the_field(asker):
    new = asker.fine("new", game="pylos")
    name = new["game_id"]
    assert asker.wrong("new") == "game"
    assert asker.wrong("new", game="chess") == "game"
    assert asker.wrong("new", game="pylos", position={}) == "game"
    assert asker.wrong("new", game="pylos", rules={"size": 9}) == "rules.size"
    assert asker.wrong("new", position=deal("odin", 1).observe(0).to_dict()) == "position"
    assert asker.wrong("new", position={"game": "pylos"}) == "position.rules"
    assert asker.wrong("new", record={"start": {}, "moves": []}) == "record.start.game"
    assert asker.wrong("new", copy="x") == "game_id"
    assert asker.wrong("legal") == "game_id"
    assert asker.wrong("legal", game_id=name, view={}) == "game_id"
    assert asker.wrong("legal", game_id=name, ply=1) == "ply"
    assert asker.wrong("legal", view={"game": "pylos", "rules": {}, "board": "x"}) == "view.board"
    assert asker.wrong("play", game_id=name, move="9z9") == "move"
    assert asker.wrong("play", game_id=name) == "move"
    assert asker.wrong("observe", game_id=name, seat=5) == "seat"
    assert asker.wrong("record", game_id=name, players=["a"]) == "game_id"
    assert asker.wrong("advise", game_id=name, iterations=10**9) == "iterations"
    assert asker.wrong("advise", game_id=name, seconds=1e9) == "seconds"
    assert asker.wrong("advise", game_id=name, seconds=1, iterations=1) == "iterations"
    assert asker.wrong("advise", game_id=name, method="guess") == "method"
    assert asker.wrong("advise", game_id=name, options={"depth": 1}) == "options.depth"
    assert asker.wrong("move", game_id=name) == "bot"
    assert asker.wrong("move", game_id=name, bot="nobody") == "bot"
    assert asker.wrong("move", game_id=name, bot="mcts:open=1") == "bot"
    assert asker.wrong("move", view=deal("pylos", 0).to_dict(), bot="greedy", play=True) == "play"
    assert asker.fine("forget", game_id=name)["game_id"] == name
    assert asker.wrong("legal", game_id=name) == "game_id"


@pytest.mark.parametrize("spec", ["bot.py", "bot.py:Bot", "/etc/passwd", "ember.toml", "./x:y", "../a.py"])
def test_no_file_is_touched_at_a_clients_word(asker, monkeypatch, spec):
    monkeypatch.setattr("builtins.open", lambda *given, **more: pytest.fail("a file was opened"))
    assert asker.wrong("move", view=deal("pylos", 0).to_dict(), bot=spec) == "bot"


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (b"", "request"),
        (b"{", "request"),
        (b"[]", "request"),
        (b"\xff\xfe", "request"),
        (b"[" * 5000, "request"),
        (b'{"type":"info"}', "id"),
        (b'{"id":true,"type":"info"}', "id"),
        (b'{"id":1.5,"type":"info"}', "id"),
        (b'{"id":"' + b"x" * 300 + b'","type":"info"}', "id"),
        (b'{"id":1}', "type"),
        (b'{"id":1,"type":["info"]}', "type"),
        (b'{"id":1,"type":"undo"}', "game_id"),
        (b'{"id":1,"type":"legal","ply":"x"}', "ply"),
        (b'{"id":1,"type":"advise","only":["a",1]}', "only[1]"),
        (b'{"id":1,"type":"advise","seconds":NaN}', "request"),
        (b'{"id":1,"type":"new","seed":1e400}', "request"),
    ],
)
def test_what_cannot_be_read_is_answered(asker, raw, field):
    answer = asker.raw(raw)
    assert set(answer) == {"id", "error", "field"}
    assert answer["field"] == field


@pytest.mark.parametrize(
    ("type", "fields"),
    [
        ("advise", {"view": deal("pylos", 0).to_dict(), "options": {"playout": "x" * 9999}}),
        ("advise", {"view": deal("pylos", 0).to_dict(), "options": {"worlds": "9" * 9999}}),
        ("advise", {"view": deal("pylos", 0).to_dict(), "options": {"x" * 9999: 1}}),
        ("new", {"record": {"start": deal("pylos", 0).to_dict(), "moves": [], "end": {"game": "x" * 9999}}}),
        ("new", {"record": {"start": deal("pylos", 0).to_dict(), "moves": [], "game": "x" * 9999}}),
    ],
)
def test_errors_quote_only_a_part_of_what_is_long(asker, type, fields):
    assert len(json.dumps(asker.ask(type, **fields))) < 400


def test_unknown_fields_are_a_warning(asker):
    answer = asker.raw(b'{"id":"a","type":"info","colour":1}')
    assert answer["warnings"] == ["no such field: colour"]
    assert asker.raw(b'{"id":"a","type":"info"}').keys() & {"warnings"} == set()
    many = asker.fine("info", **dict.fromkeys(map(str, range(1000))))["warnings"]
    assert (len(many), many[-1]) == (21, "and 980 other fields")


def test_a_request_that_is_too_long_is_refused(monkeypatch):
    asker = asker_of(monkeypatch, request_bytes=100)
    assert asker.raw(b" " * 101)["field"] == "request"


def test_games_tell_their_rules_and_bots(asker):
    for told in asker.fine("games")["games"]:
        assert told["levels"] == 10
        assert "random" in told["bots"]
        json.dumps(told["rules"])


def test_a_game_can_grow_too_long(monkeypatch):
    asker = asker_of(monkeypatch, plies=3)
    new = asker.fine("new", game="pylos")
    play_on(asker, new, 3)
    assert asker.wrong("play", game_id=new["game_id"], move="1a1") == "move"


def test_games_that_are_over_or_idle_make_room():
    now = [0.0]
    shelf = Shelf(Limits(games=2, idle_seconds=10), lambda: now[0])
    going = [Kept(deal("pylos", 0, size=2), 0, True, False) for _ in range(4)]
    shelf.put(going[0])
    shelf.put(going[1])
    with pytest.raises(InputError) as error:
        shelf.put(going[2])
    assert error.value.field == "server"
    while not going[1].position.is_over:
        going[1].play(going[1].position.moves()[0], 100)
    shelf.put(going[2])
    with pytest.raises(InputError):
        shelf.get(going[1].id)
    now[0] = 5.0
    shelf.get(going[0].id)
    now[0] = 14.0
    shelf.put(going[3])
    assert shelf.get(going[0].id) is going[0]
    with pytest.raises(InputError):
        shelf.get(going[2].id)
