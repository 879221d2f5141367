"""Planning for one who plays alone: it must come to the exact values where it can look to the end."""

import numpy as np
import pytest
from mess.search import planning
from mess.search.search import advise, best_move
from mess.search.settings import check_budget, read_options
from mess.solver import game as kernels
from mess.solver.game import CHANCE, deal
from mess.solver.meeples.best import outcomes
from mess.solver.position import read
from mess.solver.rng import stream
from reference import builds

ALL = np.empty(0, dtype=np.int32)
"""No moves named: all are allowed."""
RULES = [
    {"seconds": 6},
    {"seconds": 6, "support": "column"},
    {"seconds": 8, "builder": builds.SLIPPERY},
    {"seconds": 14, "builder": builds.HEAVY},
]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_values_are_exact_where_the_end_is_in_sight(rules):
    position = deal("meeples", 0, **rules)
    told = {move.move: move.points for move in advise(position, iterations=30_000, method="mcts").moves}
    exact = dict(zip(position.moves(), (outcome.points for outcome in outcomes(position)), strict=True))
    assert max(told.values()) == pytest.approx(max(exact.values()), abs=1e-6)
    best = max(told, key=told.get)
    assert exact[best] == pytest.approx(max(exact.values()), abs=1e-6)


@pytest.mark.parametrize("rules", [{"seconds": 30}, {"mode": "higher"}, {"seconds": 15, "turns": 3}], ids=str)
def test_a_node_is_worth_what_its_children_make_of_it(rules):
    position = deal("meeples", 0, **rules)
    root = position.states()
    kernels.aim(root[0], False)
    tree = planning.make(4000)
    moves = np.empty(64, dtype=np.int32)
    planning.iterate(tree, root, root.copy(), root.copy(), moves, ALL, 0.7, 500)
    assert tree.visits[planning.ROOT] == 500

    def check(node, state):
        children = []
        child = tree.first[node]
        while child != planning.NO_NODE:
            children.append(child)
            child = tree.beside[child]
        if not children:
            return 0
        assert sum(tree.visits[children]) in (tree.visits[node], tree.visits[node] - 1)
        count = kernels.legal(state[0], moves)
        assert sorted(tree.move[children]) == sorted(moves[:count])
        if kernels.to_act(state[0]) == CHANCE:
            assert tree.chance[children].sum() == pytest.approx(1.0)
            assert tree.worth[node] == pytest.approx(tree.chance[children] @ tree.worth[children])
        else:
            assert tree.worth[node] == tree.worth[children].max()
        seen = 1
        for child in children:
            after = state.copy()
            kernels.play(after[0], tree.move[child])
            seen += check(child, after)
        return seen

    assert check(planning.ROOT, root) > 100


def test_a_full_tree_goes_on_without_growing():
    position = deal("meeples", 0)
    root = position.states()
    kernels.aim(root[0], False)
    tree = planning.make(20)
    planning.iterate(tree, root, root.copy(), root.copy(), np.empty(64, dtype=np.int32), ALL, 0.7, 300)
    assert tree.used[0] <= 20
    assert tree.visits[planning.ROOT] == 300


def test_neither_workers_nor_seeds_change_what_is_not_drawn():
    position = deal("meeples", 0, seconds=20)
    one, two, other = (
        advise(position, iterations=40_000, method="mcts", seed=seed, workers=workers)
        for seed, workers in ((0, 1), (0, 2), (9, 1))
    )
    assert one.moves == two.moves == other.moves
    assert one.iterations == 40_000
    assert one.worlds == 1


def test_the_forecast_leaves_the_record_as_it_was():
    from mess.search.policies import meeples as policies

    for rules in builds.RULES[::3]:
        for position, _ in list(builds.games(rules, 4))[::5]:
            states = read(position).states()
            before = states.tobytes()
            if kernels.to_act(states[0]) != kernels.NO_ONE:
                for seat in range(rules["players"]):
                    mean, variance = policies.forecast(states[0], seat)
                    assert mean == mean
                    assert variance >= 0.0
            assert states.tobytes() == before


def test_a_bot_plans_alone():
    position = deal("meeples", 0, seconds=20)
    budget, choice = check_budget(300, None), read_options("meeples", {})
    assert best_move(position.observe(0), "mcts", budget, choice, stream(1)) == "1q"
