"""Kernels that do nothing but play, or deal anew: what an engine can do."""

from ..solver import game
from ..solver.game import CHANCE, NO_ONE
from ..solver.jit import kernel


@kernel
def random_games(starts, work, rng, games):
    """Play random games; how many decisions the seats made.

    Args:
        starts: records to start from, in turn.
        work: one record, overwritten.
        rng: ``uint64[1]``.
        games: number of games.
    """
    decisions = 0
    for i in range(games):
        work[0] = starts[i % len(starts)]
        s = work[0]
        seat = game.to_act(s)
        while seat != NO_ONE:
            decisions += seat != CHANCE
            game.play(s, game.random_move(s, rng))
            seat = game.to_act(s)
    return decisions


@kernel
def policy_games(starts, work, policy, rng, games):
    """Play games in which all seats follow one policy; how many outcomes of chance there were.

    Args:
        starts, work, rng, games: as for ``random_games``.
        policy: number of the policy.
    """
    outcomes = 0
    for i in range(games):
        work[0] = starts[i % len(starts)]
        s = work[0]
        seat = game.to_act(s)
        while seat != NO_ONE:
            if seat == CHANCE:
                outcomes += 1
                game.play(s, game.random_move(s, rng))
            else:
                game.play(s, game.policy_move(s, policy, 1, rng))
            seat = game.to_act(s)
    return outcomes


@kernel
def redeals(concealed, work, rng, times):
    """Deal the hidden things of concealed records anew, in turn; a checksum, so that nothing is optimized away."""
    seats = 0
    for i in range(times):
        work[0] = concealed[i % len(concealed)]
        game.redeal(work[0], rng)
        seats += game.to_act(work[0])
    return seats
