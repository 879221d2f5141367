"""Alpha-beta against the solved small pyramid, and against what a search may not do."""

import json

import numpy as np
import pytest
from mess.search.alphabeta import DECIDED, WIN, look_ahead, memory
from mess.search.bot import make
from mess.search.search import advise
from mess.solver.errors import InputError
from mess.solver.fields import check_rules
from mess.solver.game import deal
from mess.solver.position import read
from mess.solver.pylos import perfect, solution, table
from mess.solver.pylos.notation import OPTIONS
from mess.solver.rng import stream
from mess_command import CASES, mess


def positions(ix, count, **rules):
    """Random positions of a solved pyramid in which a side is to move."""
    chooser = np.random.default_rng(5)
    start = deal("pylos", 0, **rules)
    while count:
        own, other, _ = solution.position_of(ix, int(chooser.integers(0, ix.total)))
        states = start.states()
        states[0].balls[:] = own, other
        position = read(type(start)(start.game, states).to_dict())
        if not position.is_over:
            count -= 1
            yield position


@pytest.mark.parametrize("variant", OPTIONS["variant"])
@pytest.mark.parametrize("empty_reserve", OPTIONS["empty_reserve"])
def test_what_it_proves_is_so(monkeypatch, tmp_path, variant, empty_reserve):
    monkeypatch.setenv("MESS_TABLES", str(tmp_path))
    rules = {"size": 3, "variant": variant, "empty_reserve": empty_reserve}
    ix = solution.solve(check_rules(OPTIONS, rules), 1, solution.Watcher()).ix
    room, decided = memory(18), 0
    for position in positions(ix, 60, **rules):
        outcomes = perfect.outcomes(position)
        found = look_ahead(position, depth=24, nodes=40_000, every=True, room=room)
        for outcome, score in zip(outcomes, found.scores, strict=True):
            if abs(score) > DECIDED:
                plies = WIN - abs(score)
                assert outcome.value == ("win" if score > 0 else "loss")
                assert plies == outcome.plies or plies > max(outcome.plies, found.depth)
                decided += 1
        best = max(outcomes, key=lambda outcome: outcome.liking)
        if best.value == "win" and max(found.scores) > DECIDED:
            plies = WIN - max(found.scores)
            assert plies == best.plies or plies > max(best.plies, found.depth)
    assert decided > 100


@pytest.mark.parametrize(("variant", "score"), [("beginner", 16 - WIN), ("standard", WIN - 15)])
def test_the_small_pyramid_is_solved_from_the_start(variant, score):
    assert max(look_ahead(deal("pylos", 0, size=3, variant=variant), depth=20).scores) == score


@pytest.mark.slow
def test_lengths_of_the_cases():
    for case in json.loads((CASES / "pylos.json").read_text())["positions"][1:]:
        position = read({"game": "pylos", "rules": {"variant": "beginner"}, "board": case["board"]})
        found = look_ahead(position, depth=case["plies_to_end"]["beginner"])
        assert WIN - max(found.scores) == case["plies_to_end"]["beginner"]


def test_the_same_budget_gives_the_same_moves():
    position, rng = deal("pylos", 0), stream(1)
    bot = make("alphabeta@3000:book=0", "pylos")
    for _ in range(6):
        move = bot.choose(position.observe(position.to_act), rng)
        assert move == make("alphabeta@3000:book=0", "pylos").choose(position, stream(2))
        position = position.play(move)


@pytest.mark.parametrize("rules", [{}, {"variant": "expert"}, {"variant": "beginner", "empty_reserve": "loses"}])
def test_the_first_plies_are_by_the_book_unless_told_otherwise(rules):
    position, rng = deal("pylos", 0, **rules), stream(1)
    bot, plain = make("alphabeta@2", "pylos"), make("alphabeta@2:book=0", "pylos")
    plies = 0
    while told := perfect.opening(position):
        best = max(outcome.liking for outcome in told)
        kept = [move for move, outcome in zip(position.moves(), told, strict=True) if outcome.liking == best]
        assert bot.choose(position.observe(position.to_act), rng) in kept
        assert plain.choose(position, rng) == position.moves()[look_ahead(position, nodes=2).best]
        position = position.play(position.moves()[plies % len(position.moves())])
        plies += 1
    assert plies >= table.BOOK_BALLS
    assert bot.choose(position, rng) == plain.choose(position, rng)


def test_a_bot_without_a_book_of_the_rules_searches():
    position = deal("pylos", 0, size=3)
    assert perfect.opening(position) is None
    assert make("alphabeta@500", "pylos").choose(position, stream(1)) in position.moves()


def test_a_position_that_was_there_before_is_a_draw():
    # both sides can go round: each completes its square and takes that very ball back
    position = read({"game": "pylos", "rules": {}, "board": "ww..,w...,..bb,..b./...,...,.../..,../. w"})
    fresh = look_ahead(position, depth=2).scores
    moves = position.moves()
    again = position.play("1b2x1b2").play("1d4x1d4")
    seen = look_ahead(again, depth=2).scores
    assert again.moves() == moves
    # going round once more would bring the position back a third time, by the reply at the latest
    assert seen[moves.index("1b2x1b2")] <= 0
    assert len(seen) == len(fresh)


def test_one_position_is_enough_of_a_budget():
    position = deal("pylos", 0)
    assert look_ahead(position, nodes=1).depth == 0
    assert make("alphabeta@1", "pylos").choose(position, stream(1)) in position.moves()


def test_memory_may_be_kept_when_the_rules_change():
    room = memory(16)
    for variant in OPTIONS["variant"]:
        for _ in range(2):
            found = look_ahead(deal("pylos", 0, size=3, variant=variant), depth=7, room=room)
            alone = look_ahead(deal("pylos", 0, size=3, variant=variant), depth=7)
            assert max(found.scores) == max(alone.scores)


def test_hints_say_what_is_proven_and_how_far_it_looked():
    board = "...,...,.../..,../. w"
    near = read({"game": "pylos", "rules": {"size": 3, "variant": "beginner"}, "board": board})
    told = advise(near, iterations=5_000_000, method="alphabeta")
    assert told.method == "alphabeta"
    assert {(move.win, move.why.partition(". ")[2]) for move in told.moves} == {
        (0.0, "Proven: loses in 14."),
        (0.0, "Proven: loses in 16."),
    }
    assert "plies ahead" in advise(deal("pylos", 0), iterations=3_000, method="alphabeta").moves[0].why
    with pytest.raises(InputError, match="method"):
        advise(deal("flaming", 1), iterations=10, method="alphabeta")


@pytest.mark.parametrize(
    "spec",
    ["alphabeta@0", "alphabeta@", "alphabeta:open=1", "alphabeta@5:cutoff=1", "alphabeta:book=2", "perfect@5"],
)
def test_wrong_specs(spec):
    with pytest.raises(InputError):
        make(spec, "pylos")
    with pytest.raises(InputError):
        make(spec, "flaming")


def test_options_that_it_does_not_know_are_named():
    with pytest.raises(InputError, match="no options but book and blunder for alphabeta"):
        make("alphabeta@5:cutoff=1", "pylos")
    with pytest.raises(InputError, match="book: expected 0 or 1, got '2'"):
        make("alphabeta:book=2", "pylos")


def test_positions_are_solved_on_the_command_line(monkeypatch, tmp_path):
    monkeypatch.setenv("MESS_TABLES", str(tmp_path))
    start = str(deal("pylos", 0, size=3))
    proven = json.loads(mess("solve", "-", "--nodes", 4_000_000, "--json", stdin=start).out)
    assert (proven["outcome"], proven["turns"], proven["line"]) == ("win", 15, ["1b2"])
    assert mess("solve", "-", "--nodes", 10, stdin=start).out.startswith("not proven")
    solution.solve(check_rules(OPTIONS, {"size": 3}), 1, solution.Watcher())
    known = json.loads(mess("solve", "-", "--json", stdin=start).out)
    assert (known["outcome"], known["turns"], len(known["line"])) == ("win", 15, 15)
    assert known["moves"] == proven["moves"]
    observed = mess("solve", "-", "--json", stdin=str(deal("pylos", 0, size=3).observe(0)))
    assert json.loads(observed.out) == known


def test_the_best_move_is_not_one_that_only_might_be_as_good():
    """Of moves that were cut off only a bound is known, which may be as high as the best score."""
    for seed in range(12):
        position, chooser = deal("pylos", 0), np.random.default_rng(seed)
        for _ in range(14):
            position = position.play(position.moves()[chooser.integers(len(position.moves()))])
        found = look_ahead(position, depth=3)
        whole = look_ahead(position, depth=3, every=True)
        assert whole.scores[found.best] == max(whole.scores) == found.scores[found.best]
