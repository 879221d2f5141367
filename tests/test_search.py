import numpy as np
import pytest
from mess.search import mcts, tree
from mess.search.bot import make
from mess.search.policies import policies
from mess.search.search import advise, interval, proofs
from mess.search.settings import read_options
from mess.search.shards import FIRST_CHUNK
from mess.solver.errors import InputError
from mess.solver.game import deal
from mess.solver.position import Observation, Position, read
from mess.solver.rng import stream


def midgame(seed, plies, **rules):
    """A position in which a seat is to act, after some plies of sensible play."""
    position = deal("flaming", seed, **rules)
    bot, rng = make("smallest-mess", "flaming"), stream(seed, "midgame")
    for _ in range(plies):
        if position.to_act == -1:
            position = position.play(position.roll(rng))
        elif not position.is_over:
            position = position.play(bot.choose(position.observe(position.to_act), rng))
    while position.to_act == -1:
        position = position.play(position.roll(rng))
    return position


def comparable(advice):
    return advice.to_dict() | {"seconds": 0}


def test_same_seed_and_iterations_give_the_same_advice_and_another_seed_does_not():
    view = deal("flaming", 1).observe(0)
    first, again, other = (advise(view, iterations=300, seed=seed) for seed in (5, 5, 6))
    assert comparable(first) == comparable(again)
    assert comparable(first) | {"seed": 6} != comparable(other)


def test_workers_change_nothing():
    view = midgame(3, 30).observe(midgame(3, 30).to_act)
    one, two = (advise(view, iterations=33_000, workers=workers, options={"cutoff": 4}) for workers in (1, 2))
    assert comparable(one) == comparable(two)
    assert one.iterations == 33_000


@pytest.mark.parametrize("rules", [{}, {"players": 3, "curse": True, "special_fire": True}, {"preset": "german"}])
@pytest.mark.parametrize("spec", [*policies("flaming").NAMES, "mcts@60", "pimc@60"])
def test_equal_observations_get_equal_moves_whatever_is_hidden(spec, rules):
    truth = midgame(7, 12, **rules)
    seat = truth.to_act
    other = truth.observe(seat).world(stream(1, "another world"))
    assert other != truth
    moves = {make(spec, "flaming").choose(p.observe(seat), stream(2, "bot")) for p in (truth, other)}
    assert len(moves) == 1


@pytest.mark.parametrize("method", ["mcts", "pimc"])
def test_equal_observations_get_equal_advice(method):
    truth = midgame(8, 20)
    other = truth.observe(truth.to_act).world(stream(3, "another world"))
    first, second = (comparable(advise(p, iterations=200, method=method)) for p in (truth, other))
    assert first == second


def test_an_open_search_does_depend_on_the_hidden_cards():
    truth = midgame(8, 20)
    other = truth.observe(truth.to_act).world(stream(3, "another world"))
    first, second = (advise(p, iterations=400, open=True) for p in (truth, other))
    assert "open" in first.method
    assert [move.visits for move in first.moves] != [move.visits for move in second.moves]


def test_advice_ranks_every_legal_move_with_an_interval_around_its_win():
    view = midgame(4, 25).observe(midgame(4, 25).to_act)
    advice = advise(view, iterations=500)
    assert sorted(move.move for move in advice.moves) == sorted(view.moves())
    assert advice.best == advice.moves[0].move
    assert sum(move.visits for move in advice.moves) == 500
    for move in advice.moves:
        assert 0 <= move.low <= move.win <= move.high <= 1
        assert move.mess is not None
        assert move.why.endswith(".")


def test_a_full_tree_keeps_searching():
    view = deal("flaming", 2).observe(0)
    options = read_options("flaming", {}).tree
    small = tree.make(40)
    root, world = view.states(), view.states()
    moves = np.empty(view.game.MAX_MOVES, dtype=np.int32)
    mcts.iterate(small, root, world, moves, np.empty(0, dtype=np.int32), options, 500, True, stream(1, "full"))
    assert small.used[0] == 40
    assert small.visits[tree.ROOT] == 500
    assert small.visits[small.parent == tree.ROOT].sum() > 400


def test_the_root_is_left_as_it_was():
    view = deal("flaming", 2).observe(0)
    before = view.to_dict()
    advise(view, iterations=50)
    assert view.to_dict() == before


def last_tile(seat_to_act=0):
    """Seat 0 has one tile, which fits; seat 1 has all the others in hand and pile, all of them known."""
    tiles = [f"{c}{w}" for c in "RBGY" for w in (2, 4, 6, 10, 20, 30, 40, 60, 100, 120)]
    rest = [tile for tile in tiles if tile not in ("R2", "R4", "R6", "B120", "B100")]
    return {
        "game": "flaming",
        "rules": {"players": 2, "preset": "bga", "curse": False, "special_fire": False},
        "board": [["B120", "B100"]],
        "hands": [["R6"], ["R2", "R4", *rest[:3]]],
        "piles": [[], [*rest[3:], "M"]],
        "unknown": [0, 0],
        "known": [["R6"], ["R2", "R4", *rest[:3]]],
        "out": ["G1", "Y1", "R7", "B7"],
        "turn": seat_to_act,
        "charged": seat_to_act,
        "to_act": seat_to_act,
        "phase": "place",
        "at": None,
        "placed": None,
        "rolled": [],
        "turns": 200 + seat_to_act,
        "winner": None,
    }


def test_a_forced_win_is_played_and_called_exact():
    data = last_tile()
    data["board"], data["hands"][0], data["known"][0] = [["B120", "B100"]], ["B6"], ["B6"]
    spare = next(tile for tile in data["piles"][1] if tile == "B6")
    data["piles"][1][data["piles"][1].index(spare)] = "R6"
    position = read(data)
    assert isinstance(position, Position)
    assert proofs(position, 1000).tolist() == [1]
    advice = advise(position, iterations=50)
    assert (advice.method, advice.best, advice.moves[0].win) == ("exact", "B6@1,0", 1.0)
    assert position.play(advice.best).payoff() == (1.0, 0.0)


def test_nothing_is_proven_while_something_is_hidden():
    view = deal("flaming", 1).observe(0)
    assert not proofs(view, 1000).any()


def test_chance_nodes_are_searched_through():
    position = deal("flaming", 1, special_fire=True, curse=True, players=4)
    advice = advise(position, iterations=300, options={"playout": "random"})
    assert advice.iterations == 300


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"iterations": 0}, "iterations"),
        ({"iterations": -5}, "iterations"),
        ({"seconds": 0.0}, "seconds"),
        ({"seconds": -1.0}, "seconds"),
        ({"seconds": float("nan")}, "seconds"),
        ({"iterations": 1, "seconds": 1.0}, "iterations"),
        ({"method": "magic"}, "method"),
        ({"workers": 0}, "workers"),
        ({"options": {"exploration": -1}}, "exploration"),
        ({"options": {"epsilon": 2}}, "epsilon"),
        ({"options": {"playout": "none"}}, "playout"),
        ({"options": {"depth": 1}}, "depth"),
    ],
)
def test_wrong_arguments_name_their_field(arguments, field):
    with pytest.raises(InputError) as caught:
        advise(deal("flaming", 1), **arguments)
    assert caught.value.field == field


def test_only_the_seat_to_act_gets_advice():
    with pytest.raises(InputError, match="seat"):
        advise(deal("flaming", 1).observe(1), iterations=5)
    view = deal("flaming", 1).observe(0)
    assert isinstance(view, Observation)
    with pytest.raises(InputError, match="open"):
        advise(view, iterations=5, open=True)


@pytest.mark.parametrize(
    "spec",
    [
        *("nobody", "mcts@", "mcts@-1", "mcts@0s", "mcts@1_0", "mcts@ 5", "mcts@５", "mcts@1.5.s", "random@5"),
        *("mcts@5:", "mcts:", "mcts@5:open=2", "mcts@5:open", "mcts@5:x=1", "mcts@5:open=1,open=0"),
    ],
)
def test_wrong_bots_are_input_errors(spec):
    with pytest.raises(InputError):
        make(spec, "flaming")


def test_wilson_interval_of_known_counts():
    low, high = interval(10, 5)
    assert (round(low, 4), round(high, 4)) == (0.2366, 0.7634)
    low, high = interval(100, 100)
    assert (round(low, 4), round(high, 4)) == (0.9630, 1.0)
    assert interval(0, 0) == (0.0, 1.0)


def test_iterations_are_the_same_however_they_are_cut_up(monkeypatch):
    view = midgame(3, 5)
    whole = advise(view, iterations=500)
    monkeypatch.setattr("mess.search.shards.CHUNK_SECONDS", 0.0)
    assert comparable(advise(view, iterations=500)) == comparable(whole)


def test_pimc_deals_no_more_worlds_when_its_time_is_up():
    told = advise(deal("odin", 1, players=3), seconds=1e-9, method="pimc", options={"worlds": 1000})
    assert told.iterations == FIRST_CHUNK


@pytest.mark.parametrize(("iterations", "worlds"), [(49, 1), (200, 4), (4000, 40)])
def test_pimc_tells_how_many_worlds_it_looked_at(iterations, worlds):
    told = advise(deal("odin", 1, players=3), iterations=iterations, method="pimc")
    assert (told.worlds, told.iterations) == (worlds, iterations)
