"""Hands with all cards open: against brute force, whoever plays, and what is said when the budget is used up."""

import json
import random

import numpy as np
import pytest
from mess.solver import odin
from mess.solver.errors import InputError
from mess.solver.game import deal
from mess.solver.odin import openhand
from mess.solver.odin.cards import INDEX
from mess.solver.odin.notation import blank
from mess.solver.position import Position
from mess_command import mess
from reference import odin as naive

FAR = 10**9


def small(players, size, seed, goat=False):
    """A naive state in which everybody has been dealt a few cards."""
    rules = naive.Rules(players, "one-hand", goat, ("R", "B") if players == 2 else ())
    cards = list(naive.cards(goat, rules.removed))
    random.Random(seed).shuffle(cards)
    if goat:
        cards.remove(naive.GOAT)
        cards.insert(seed % (players * size), naive.GOAT)
    return naive.start(rules, tuple(tuple(cards[seat * size : (seat + 1) * size]) for seat in range(players)))


def ours(state):
    """The same as a position, hands of any size."""
    rules = {"players": state.rules.players, "limit": state.rules.limit, "goat": state.rules.goat}
    states = blank(rules)
    record = states[0]
    for seat, hand in enumerate(state.hands):
        record.hand[seat] = np.uint64(sum(1 << INDEX[card] for card in hand))
    record.removed[: len(state.rules.removed)] = [naive.COLOURS.index(colour) for colour in state.rules.removed]
    return Position(odin, states)


def forced(state, seat, found):
    """The lead that a seat can force against all others, by looking at everything."""
    if naive.hand_over(state):
        return naive.lead(naive.result(state), seat)
    key = state.hands, state.table, state.owner, state.turn
    if key not in found:
        leads = [forced(naive.after(state, move), seat, found) for move in naive.legal(state)]
        found[key] = max(leads) if state.turn == seat else min(leads)
    return found[key]


@pytest.mark.parametrize(("players", "size"), [(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 2)])
@pytest.mark.parametrize("goat", [False, True])
def test_leads_are_those_of_brute_force(players, size, goat):
    for seed in range(4):
        state = small(players, size, seed, goat)._replace(discard=(), undealt=())
        found = {}
        solution = openhand.solve(ours(state), FAR)
        seat = state.turn
        for move, lead in solution.leads.items():
            assert lead == forced(naive.after(state, move), seat, found), (seed, move)
        assert len(solution.leads) == len(naive.legal(state)) == len(solution.moves)
        best = max(solution.leads.values())
        assert best == forced(state, seat, found)
        assert solution.outcome == ("win" if best > 0 else "loss" if best < 0 else "draw")
        if players == 2:
            assert naive.lead(naive.solve_hand(state)[0], seat) == best


@pytest.mark.parametrize(("players", "size"), [(2, 5), (2, 6), (3, 4), (4, 3)])
def test_the_line_ends_with_the_lead(players, size):
    for seed in range(4):
        state = small(players, size, seed, goat=seed % 2 == 1)
        solution = openhand.solve(ours(state), FAR)
        for move in solution.line:
            assert move in naive.legal(state)
            state = naive.play(state, move)
        assert naive.hand_over(state) and naive.result(state) == solution.points
        assert solution.turns == len(solution.line)
        assert naive.lead(solution.points, solution.seat) == max(solution.leads.values())


def test_in_the_middle_of_a_round():
    for seed in range(6):
        state = small(2, 4, seed)
        for _ in range(3):
            moves = naive.legal(state)
            state = naive.after(state, moves[seed % len(moves)])
            if naive.hand_over(state):
                break
            position = ours(small(2, 4, seed))
            states = position.states()
            record = states[0]
            for seat, hand in enumerate(state.hands):
                record.hand[seat] = np.uint64(sum(1 << INDEX[card] for card in hand))
            record.table = np.uint64(sum(1 << INDEX[card] for card in state.table))
            record.value = naive.value(state.table) if state.table else 0
            record.owner = 255 if state.owner is None else state.owner
            record.turn = state.turn
            lead = openhand.lead_of(Position(odin, states), state.turn, FAR, openhand.room(12))
            assert lead == forced(state, state.turn, {})


def test_who_gives_up_says_so():
    position = deal("odin", 1, players=2, limit="one-hand")
    solution = openhand.solve(position, 100)
    assert (solution.outcome, solution.turns, solution.line, solution.points) == ("unknown", None, (), None)
    assert set(solution.moves.values()) == {"unknown"}
    assert mess("solve", "-", "--nodes", 100, stdin=str(position)).out.startswith("not proven either way within 1")


def test_proofs_are_of_games_of_one_hand_between_two():
    state = small(2, 4, 1)
    position = ours(state)
    leads = openhand.solve(position, FAR).leads
    proven = openhand.proofs(position, FAR)
    assert proven.tolist() == [int(np.sign(leads[move])) for move in position.moves()]
    assert not openhand.proofs(position, 3).any()
    assert not openhand.proofs(ours(small(3, 3, 1)), FAR).any()
    assert not openhand.proofs(deal("odin", 1, players=2), 10).any()


def test_hands_must_be_open():
    with pytest.raises(InputError, match="hands"):
        openhand.solve(deal("odin", 1, players=3).observe(0))
    assert mess("solve", "-", stdin=str(deal("odin", 1, players=3).observe(0))).code == 2


def test_on_the_command_line():
    position = deal("odin", 3, players=2, limit="one-hand")
    while len(position.to_dict()["hands"][0]) > 6 or len(position.to_dict()["hands"][1]) > 6:
        position = position.play(position.moves()[0] if position.to_dict()["table"] == [] else position.moves()[-1])
    told = json.loads(mess("solve", "-", "--json", stdin=str(position)).out)
    seat, points = told["seat"], told["points"]
    assert points[1 - seat] - points[seat] == max(told["leads"].values())
    words = mess("solve", "odin", "-", stdin=str(position)).lines
    assert words[0].startswith(f"seat {seat} ") and words[0].endswith(f"points {points[0]}, {points[1]}")
    assert words[1] == " ".join(told["line"])
    wrong = mess("solve", "pylos", "-", stdin=str(position))
    assert (wrong.code, wrong.err) == (2, "mess: target: expected odin, the game of the position, got 'pylos'\n")
