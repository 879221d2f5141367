"""Searches that are watched: stopped, told of as they go, and kept to some of the moves."""

import time

import pytest
from mess.search.search import advise
from mess.search.watch import Watch
from mess.solver.errors import InputError
from mess.solver.game import deal
from mess.solver.rng import stream

LONG = 10_000_000
WAYS = [
    ("flaming", {}, "mcts"),
    ("flaming", {}, "pimc"),
    ("odin", {"players": 3}, "mcts"),
    ("pylos", {}, "alphabeta"),
    ("pylos", {}, "mcts"),
    ("meeples", {}, "mcts"),
]
each_way = pytest.mark.parametrize(("game", "rules", "method"), WAYS, ids=[f"{way[0]}-{way[2]}" for way in WAYS])


@each_way
def test_a_search_that_is_stopped_at_once_answers_with_a_little(game, rules, method):
    position = deal(game, 3, **rules)
    watch = Watch()
    watch.stop()
    advice = advise(position, iterations=LONG, method=method, watch=watch)
    assert 0 < advice.iterations < LONG
    assert sorted(move.move for move in advice.moves) == sorted(position.moves())


@each_way
def test_what_is_told_on_the_way_grows_into_the_answer(game, rules, method):
    position = deal(game, 3, **rules)
    told = []

    def tell(advice):
        told.append(advice)
        if len(told) == 3:
            watch.stop()

    watch = Watch(0.0, tell)
    last = advise(position, iterations=LONG, method=method, watch=watch)
    counts = [advice.iterations for advice in told]
    assert len(counts) >= 3
    assert counts == sorted(counts)
    assert counts[-1] <= last.iterations < LONG
    assert all(len(advice.moves) == len(last.moves) for advice in told)


@each_way
def test_watching_changes_nothing(game, rules, method):
    position = deal(game, 5, **rules)
    plain = advise(position, iterations=1000, method=method, seed=2)
    watched = advise(position, iterations=1000, method=method, seed=2, watch=Watch(0.0, lambda advice: time.sleep(0)))
    assert (watched.moves, watched.best) == (plain.moves, plain.best)


@each_way
def test_only_some_moves_are_judged(game, rules, method):
    position = deal(game, 4, **rules)
    moves = position.moves()
    while len(moves) < 3:
        position = position.play(moves[0] if position.to_act >= 0 else position.roll(stream(4)))
        moves = position.moves()
    some, others = moves[:2], moves[2:]
    kept = advise(position, iterations=800, method=method, only=some)
    assert sorted(move.move for move in kept.moves) == sorted(some)
    assert advise(position, iterations=800, method=method, avoid=others).moves == kept.moves
    if method in ("mcts", "pimc"):
        assert sum(move.visits for move in kept.moves) == kept.iterations


@pytest.mark.parametrize(
    ("asked", "field"), [({"only": ["1z9"]}, "only[0]"), ({"avoid": ["?"]}, "avoid[0]"), ({"only": []}, "only")]
)
def test_moves_that_cannot_be_judged_are_named(asked, field):
    with pytest.raises(InputError) as error:
        advise(deal("pylos", 0), iterations=10, **asked)
    assert error.value.field == field


def test_avoiding_everything_is_refused():
    position = deal("pylos", 0, size=2)
    with pytest.raises(InputError) as error:
        advise(position, iterations=10, avoid=position.moves())
    assert error.value.field == "avoid"


def test_solved_games_judge_only_what_they_are_asked():
    position = deal("meeples", 0, seconds=20)
    advice = advise(position, only=["1q"])
    assert [move.move for move in advice.moves] == ["1q"]
