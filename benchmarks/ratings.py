"""Ratings out of games of two or more: the model of Plackett and Luce, fitted to who won against whom.

Of a game only the share of the win is known, no order of the others: so each game is a choice of one out of those who
sat there, probable in proportion to ``exp(strength)``. Pure functions; choix does the fitting.
"""

import math
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import choix
import numpy as np
from scipy.special import stdtrit

from .blocks import Block

ELO = 400 / math.log(10)
"""Elo of one unit of strength."""
PSEUDO = 0.01
"""How many games each bot counts as having lost to each other: keeps a bot that won all it played from infinity."""
CAUTIOUS = 0.5
"""The same while games are scheduled, when a few lucky ones must not settle a pairing."""
TOLERANCE = 1e-6

Outcome = tuple[int, tuple[int, ...]]
"""Who won, and who else sat there."""


class Results(NamedTuple):
    """Games of one deal block, as who won against whom.

    Attributes:
        outcomes: one a game; where a win was shared, one a winner.
        weights: of each, the share of the win.
    """

    outcomes: tuple[Outcome, ...]
    weights: tuple[float, ...]


def results_of(block: Block, bots: Sequence[int]) -> Results:
    """A block's games as who won.

    Args:
        block: games with one bot a seat.
        bots: for each of the match's bots its number among all that are rated.
    """
    outcomes, weights = [], []
    for game in block.games:
        seats = [bots[at] for at in game.seats]
        for seat, share in enumerate(game.payoffs):
            if share > 0:
                outcomes.append((seats[seat], tuple(seats[:seat] + seats[seat + 1 :])))
                weights.append(share)
    return Results(tuple(outcomes), tuple(weights))


def strengths(
    bots: int, results: Sequence[Results], pseudo: float = PSEUDO, begin: np.ndarray | None = None
) -> np.ndarray:
    """The most likely strengths, ``float64[bots]``, their mean 0.

    Args:
        bots: how many there are.
        results: of blocks.
        pseudo: games that each counts as having lost to each.
        begin: strengths to begin from, which saves time.
    """
    shares = list(chain.from_iterable(result.weights for result in results))
    # choix counts games as whole ones: so all are counted as often as it takes to split the wins that are shared
    times = math.lcm(1, *(round(1 / share) for share in set(shares)))
    data = [
        outcome
        for result in results
        for outcome, share in zip(result.outcomes, result.weights, strict=True)
        for _ in range(round(share * times))
    ]
    return choix.ilsr_top1(bots, data, alpha=pseudo * times, initial_params=begin, tol=TOLERANCE)


def resampled(bots: int, results: Sequence[Results], begin: np.ndarray, seed: int) -> np.ndarray:
    """Strengths fitted to as many blocks, drawn anew with replacement from all of them.

    Not from those of each lineup: of a lineup with a single block that would be the same one every time.
    """
    rng = np.random.default_rng(seed)
    return strengths(bots, [results[i] for i in rng.integers(0, len(results), len(results))], begin=begin)


def intervals(values: np.ndarray, samples: np.ndarray, blocks: int, level: float) -> np.ndarray:
    """Intervals of every value from the spread of its resamples, ``float64[2, columns]``.

    Not the percentiles of the resamples: in simulations those of 95 % held the truth 92 % of the time, these 95 %.

    Args:
        values: ``float64[columns]``.
        samples: ``float64[resamples, columns]``.
        blocks: how many were resampled, at least 2.
        level: probability that an interval holds the truth.
    """
    half = stdtrit(blocks - 1, (1 + level) / 2) * samples.std(axis=0, ddof=1)
    return np.array([values - half, values + half])


def information(strength: np.ndarray, lineup: Sequence[int]) -> np.ndarray:
    """Fisher information that one game of a lineup has on all strengths: ``float64[bots, bots]``."""
    at = list(lineup)
    weights = np.exp(strength[at] - strength[at].max())
    chances = weights / weights.sum()
    told = np.zeros((len(strength), len(strength)))
    told[np.ix_(at, at)] = np.diag(chances) - np.outer(chances, chances)
    return told


def schedule(
    strength: np.ndarray, lineups: Sequence[tuple[int, ...]], known: np.ndarray, blocks: int
) -> list[tuple[int, ...]]:
    """Which lineups to play next: one after the other the one whose block tells most about who wins, in all of them.

    With ``V`` the covariances by what is known so far, a lineup's chances to win have variances that add up to
    ``trace(G V G)``, since its information ``G`` for one game is also how those chances change with the strengths. So
    all lineups together leave the doubt ``trace(D V)``, where ``D`` adds up ``G G``; where a win is all but certain, a
    rating need not be known any better. To first order a block lowers that by ``trace(D V G V)`` for each of its games
    (an optimal design, linear in ``D``).

    Args:
        strength: ``float64[bots]`` as far as known.
        lineups: all there are.
        known: ``float64[bots, bots]``, information of what was played, and of a prior.
        blocks: how many to choose; a lineup may come several times.
    """
    games = np.array([information(strength, lineup) for lineup in lineups])
    doubt = np.einsum("lij,ljk->ik", games, games)
    seats, chosen = np.array([len(lineup) for lineup in lineups]), []
    for _ in range(blocks):
        spread = np.linalg.pinv(known, hermitian=True)
        gains = seats * np.einsum("ij,lij->l", spread @ doubt @ spread, games)
        best = int(gains.argmax())
        known = known + seats[best] * games[best]
        chosen.append(lineups[best])
    return chosen


def prior(bots: int, pseudo: float = CAUTIOUS) -> np.ndarray:
    """Information of every bot having played ``pseudo`` even games against every other."""
    return pseudo / 4 * (bots * np.eye(bots) - np.ones((bots, bots)))


def pairings(bots: int, results: Sequence[Results]) -> tuple[np.ndarray, np.ndarray]:
    """Wins against each other, and games together.

    Returns:
        wins: ``float64[bots, bots]``, by row what it won where the column sat, too; and
        games: ``float64[bots, bots]``, in how many games both sat.
    """
    wins, games = np.zeros((bots, bots)), np.zeros((bots, bots))
    for result in results:
        for (winner, others), share in zip(result.outcomes, result.weights, strict=True):
            wins[winner, list(others)] += share
            seated = [winner, *others]
            games[np.ix_(seated, seated)] += share
    np.fill_diagonal(games, 0)
    return wins, games
