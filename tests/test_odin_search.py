"""Searching Odin: what it plays for, and what passes tell of hands."""

import numpy as np
import pytest
from mess.search import mcts
from mess.search.bot import make
from mess.search.policies import policies
from mess.search.search import advise
from mess.search.settings import read_options
from mess.solver import game as kernels
from mess.solver.errors import InputError
from mess.solver.game import deal
from mess.solver.jit import kernel
from mess.solver.odin.rules import race
from mess.solver.position import read
from mess.solver.rng import stream

NEAR_THE_LIMIT = {
    "game": "odin",
    "rules": {"players": 3, "limit": 15, "goat": False},
    "hands": [["O9", "P6", "G4", "G3"], ["R7", "O5", "B3"], ["K8", "R2"]],
    "known": [["G4", "G3"], ["R7"], ["K8", "R2"]],
    "table": ["B1"],
    "owner": 0,
    "discard": ["K9", "B8", "O8", "B7", "P7", "R6", "P5", "G5", "K5", "B4", "P3", "K3", "O3", "K2", "O2", "R1", "P1"],
    "undealt": [
        "B9",
        "R9",
        "P9",
        "G9",
        "R8",
        "P8",
        "G8",
        "G7",
        "K7",
        "O7",
        "B6",
        "G6",
        "K6",
        "O6",
        "B5",
        "R5",
        "R4",
        "P4",
        "K4",
        "O4",
        "R3",
        "B2",
        "P2",
        "G2",
        "G1",
        "K1",
        "O1",
    ],
    "scores": [7, 7, 14],
    "opener": 0,
    "turn": 1,
    "to_act": 1,
    "winner": None,
}


def test_near_the_limit_the_game_and_the_points_of_the_hand_are_not_the_same():
    position = read(NEAR_THE_LIMIT)
    best = {
        points: advise(position, iterations=10_000, open=True, options={"points": points}).best for points in (0, 1)
    }
    assert best == {0: "R7>B1", 1: "O5>B1"}
    with pytest.raises(InputError, match="points"):
        make("mcts@10:points=1", "pylos")


@pytest.mark.parametrize("points", [0, 1])
def test_payoffs_of_a_search_are_shares(points):
    for players in (2, 4):
        for seed in range(20):
            states = deal("odin", seed, players=players, goat=True).states()
            state, rng = states[0], stream(seed, "play")
            kernels.aim(state, bool(points))
            guess, end = np.zeros(players), np.zeros(players)
            while kernels.to_act(state) != kernels.NO_ONE:
                kernels.evaluate(state, guess)
                assert (guess >= 0).all() and (guess <= 1).all()
                kernels.play(state, kernels.random_move(state, rng))
            # a search stops with the hand
            assert not all(state.hand[:players])
            kernels.payoff(state, end)
            assert (end >= 0).all() and (end <= 1).all()
            assert end.sum() == pytest.approx(players / 2 if points else 1.0)
            assert end.argmax() == list(state.hand[:players]).index(0)


def passes(seed):
    """A position in which a set lies on the table and somebody has passed on it since."""
    position, chooser = deal("odin", seed, players=4, limit="one-hand"), np.random.default_rng(seed)
    while not position.is_over:
        told = position.to_dict()
        if told["table"] and (told["turn"] - told["owner"]) % 4 > 1 and "pass" in position.moves():
            return position
        moves = position.moves()
        position = position.play(
            "pass" if "pass" in moves and chooser.integers(2) else moves[chooser.integers(len(moves))]
        )
    return None


def surprising(position):
    """Seats that have passed where keep-sets would have played, one by one."""
    told = position.to_dict()
    bot, count = make("keep-sets", "odin"), 0
    seat = (told["owner"] + 1) % 4
    while seat != told["turn"]:
        asked = read({**told, "turn": seat, "to_act": seat})
        count += bot.choose(asked, stream(0)) != "pass"
        seat = (seat + 1) % 4
    return count


def test_surprises_are_passes_that_keep_sets_would_not_have_made():
    counts = []
    for seed in range(60):
        position = passes(seed)
        if position is not None:
            states = position.states()
            before = states.tobytes()
            counts.append(int(kernels.surprises(states[0])))
            assert counts[-1] == surprising(position)
            assert states.tobytes() == before
    assert {0, 1} <= set(counts)
    assert kernels.surprises(deal("odin", 1).states()[0]) == 0
    for game in ("flaming", "pylos"):
        policies(game)
        assert kernels.surprises(deal(game, 1).states()[0]) == 0


def test_a_belief_deals_surprising_worlds_anew():
    position = next(filter(None, map(passes, range(60))))
    root = position.observe(position.to_act).states()
    world, means = root.copy(), []
    for belief in ("0", "0.5", "1"):
        options = read_options("odin", {"belief": belief}).tree
        rng, counts = stream(1, belief), []
        for _ in range(400):
            mcts.deal_world(root, world, options, rng)
            counts.append(int(kernels.surprises(world[0])))
        means.append(np.mean(counts))
    assert means[0] > means[1] > means[2]


@pytest.mark.parametrize("belief", ["-0.1", "1.1", "no"])
def test_a_belief_is_a_share(belief):
    with pytest.raises(InputError, match="belief"):
        make(f"mcts@10:belief={belief}", "odin")


@kernel
def hands_and_winners(root, work, games, policy, rng, scores, shares):
    """Play games; the scores after each hand but the last, and the shares of the win that came of them."""
    rows = 0
    for _ in range(games):
        work[0] = root[0]
        state, first = work[0], rows
        while kernels.to_act(state) != kernels.NO_ONE:
            if kernels.to_act(state) == kernels.CHANCE:
                scores[rows] = state.scores[: scores.shape[1]]
                rows += 1
                kernels.play(state, kernels.random_move(state, rng))
            else:
                kernels.play(state, kernels.policy_move(state, policy, 1, rng))
        for row in range(first, rows):
            kernels.payoff(state, shares[row])
    return rows


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_scores_promise_what_comes_of_them(players):
    policy = policies("odin").NAMES.index("keep-sets")
    root, rng = deal("odin", 1, players=players).states(), stream(players, "race")
    scores, shares = np.zeros((20_000, players)), np.zeros((20_000, players))
    rows = hands_and_winners(root, root.copy(), 400, policy, rng, scores, shares)

    def loss(power):
        total = 0.0
        for row in range(rows):
            # shares to a power are those of another spread
            guess = scores[row].copy()
            race(guess, players, 15)
            guess = guess**power
            total -= shares[row] @ np.log(guess / guess.sum())
        return total / rows

    assert loss(1.0) < min(loss(0.0), loss(0.5), loss(2.0))
    assert loss(0.0) == pytest.approx(np.log(players))
