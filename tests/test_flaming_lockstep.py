"""The engine and the slow reference play the same games: every position, every list of legal moves."""

import random

import numpy as np
import pytest
from mess.solver.errors import InputError
from mess.solver.flaming import board, notation, rules
from mess.solver.position import Position, read
from reference import flaming, games

BY_RULES = pytest.mark.parametrize("rules_", [pytest.param(r, id=games.name(r)) for r in games.RULES])
ONE_CHOICE = pytest.mark.parametrize(
    ("rules_", "choose"),
    [
        pytest.param(rules_, choose, id=f"{choose.__name__}-{games.name(rules_)}")
        for i, rules_ in enumerate(games.RULES)
        for j, choose in enumerate(games.CHOICES.values())
        if (i + i // 4) % 4 == j
    ],
)
"""Every choice with every option, but not every choice with every rules."""

BY_CHOICE = pytest.mark.parametrize("choose", [pytest.param(c, id=n) for n, c in games.CHOICES.items()])


def pushed(position: Position, rng: random.Random) -> Position:
    """The same position, lying at the left or the right edge of the record's rows."""
    states = position._states.copy()
    columns = int(rules.columns_in_use(states[0]))
    if columns:
        left, right = notation.leftmost(states[0]), columns.bit_length() - 1
        rules._shift(states[0], rng.choice([board.FIRST_COLUMN - left, board.LAST_COLUMN - right]))
    return Position(position.game, states)


def outgrows(position: dict, move: str) -> bool:
    """Whether a move leaves the board that the engine is built for, before anything is taken again."""
    cells = flaming.cells_of(position["board"])
    if position["phase"] == "place":
        r, c = map(int, move.split("@")[1].split(","))
    else:
        r, c = position["at"][0] - 1, position["at"][1] + (move == "R")
    columns = [column for _, column in cells] + [c]
    return r >= board.MAX_HEIGHT or max(columns) - min(columns) >= board.MAX_WIDTH


def lockstep(rules_: dict, choose: games.Choose, seed: object, plies: int, at_the_edge: bool = False, **fields) -> None:
    fast, aside = None, random.Random(0)
    for slow, move in games.game(rules_, choose, seed, plies, **fields):
        fast = fast or read(slow)
        if at_the_edge:
            fast = pushed(fast, aside)
        assert fast.to_dict() == slow
        assert sorted(fast.moves()) == flaming.legal(slow)
        if move is None:
            break
        if slow["phase"] != "die" and outgrows(slow, move):
            with pytest.raises(InputError, match=r"^move: expected a pyramid of at most"):
                fast.play(move)
            break
        fast = fast.play(move)


@pytest.mark.small
@ONE_CHOICE
def test_a_few_short_games(rules_, choose):
    lockstep(rules_, choose, "short", 60)


@BY_RULES
@BY_CHOICE
def test_games(rules_, choose):
    lockstep(rules_, choose, 1, 50)


@ONE_CHOICE
def test_games_at_the_edge_of_the_rows(rules_, choose):
    lockstep(rules_, choose, 2, 60, at_the_edge=True)


@pytest.mark.slow
@BY_RULES
@BY_CHOICE
def test_many_games(rules_, choose):
    lockstep(rules_, choose, 3, 600)
    lockstep(rules_, choose, 4, 150, at_the_edge=True)


@pytest.mark.small
@pytest.mark.parametrize("rules_", games.RULES[::7])
def test_games_end_in_a_draw_at_the_limit(rules_):
    players = rules_["players"]
    lockstep(rules_, games.anything, 3, 80, turns=990 - 990 % players, unknown=[0] * players)


def test_games_at_hand_get_tall_and_wide():
    tall = max(len(p["board"]) for seed in range(8) for p, _ in games.game(games.RULES[0], games.sensible, seed, 200))
    wide = max(
        len(p["board"][0] if p["board"] else [])
        for seed in range(2)
        for p, _ in games.game(games.RULES[4], games.outward, seed, 300)
    )
    assert tall >= 7
    assert wide >= 15


@pytest.mark.small
def test_a_pyramid_that_wanders_is_moved_back_to_the_middle():
    """German games played to one side walk over the edge of the rows and are renumbered on the way."""
    jumps = 0
    for seed in range(3):
        fast, lefts = None, []
        for slow, move in games.game(games.RULES[4], games.rightward, seed, 150):
            fast = fast or read(slow)
            assert fast.to_dict() == slow
            lefts.append(notation.leftmost(fast.state))
            if move is None or outgrows(slow, move):
                break
            fast = fast.play(move)
        jumps += int((np.abs(np.diff(lefts)) > 8).sum())
    assert jumps > 0
