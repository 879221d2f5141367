"""Text and JSON of Odin: moves both ways, and positions written."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ..bits import U
from ..errors import InputError
from ..fields import chosen_move, shown
from ..game import CHANCE
from ..record import legal_texts, members, plain
from .cards import CODES, COLOURS, INDEX, cards_of
from .rules import legal, play, set_in, taken_by
from .state import (
    DEAL,
    DEALT_MOVE,
    DTYPE,
    HAND,
    LIMITS,
    MAX_MOVES,
    NOBODY,
    ONE_HAND,
    OVER,
    PASS,
    PLAY,
    SEATS,
)
from .worlds import cards_in_play

OPTIONS: dict[str, tuple] = {"players": tuple(range(2, SEATS + 1)), "limit": LIMITS, "goat": (False, True)}
HIDDEN = "?"
DEAL_WORD = "deal "


def blank(rules: dict[str, Any]) -> np.ndarray:
    """A record under checked rules with no card anywhere, as a record array of length one."""
    states = np.zeros(1, dtype=DTYPE).view(np.recarray)
    state = states[0]
    state.players = rules["players"]
    state.limit = ONE_HAND if rules["limit"] == LIMITS[-1] else rules["limit"]
    state.goat = rules["goat"]
    state.removed[:] = state.owner = NOBODY
    return states


def rules_of(state: Any) -> dict[str, Any]:
    """The rules a record is played by, with two players the colours removed among them."""
    return {
        "players": int(state.players),
        "limit": LIMITS[-1] if state.limit == ONE_HAND else int(state.limit),
        "goat": bool(state.goat),
        **({"removed": [COLOURS[colour] for colour in state.removed]} if state.players == 2 else {}),
    }


def codes(cards: Any) -> list[str]:
    """Codes of a set of cards, in canonical order."""
    return [CODES[card] for card in members(cards)]


def _joined(cards: Any) -> str:
    return ",".join(codes(cards))


# --- moves ---


def move_text(state: Any, move: int) -> str:
    """``K5,K3>R2``, ``K9``, ``pass``, or ``deal`` and the hands."""
    if state.phase == DEAL:
        states = np.array([state], dtype=DTYPE).view(np.recarray)
        play(states[0], move)
        return DEAL_WORD + ";".join(_joined(states[0].hand[seat]) for seat in range(state.players))
    return _play_text(move)


@lru_cache(1 << 14)
def _play_text(move: int) -> str:
    if move == PASS:
        return "pass"
    text, taken = _joined(cards_of(set_in(move))), codes(taken_by(move))
    return f"{text}>{taken[0]}" if taken else text


def move_texts(state: Any, moves: Sequence[int]) -> list[str]:
    """Moves as ``move_text`` writes them."""
    if state.phase == DEAL:
        return [move_text(state, move) for move in moves]
    return [_play_text(move) for move in moves]


def read_move(state: Any, text: Any) -> int:
    """The legal move that ``text`` names; a deal is noted in the record, since no number could tell it.

    Raises:
        InputError: lists what was legal, or says what a deal looks like.
    """
    if state.phase == DEAL:
        state.dealt[: state.players] = _read_deal(state, text)
        return DEALT_MOVE
    return chosen_move(text, legal_texts(state, legal, MAX_MOVES, move_texts))


def _read_deal(state: Any, text: Any) -> list[np.uint64]:
    """The hands of a deal."""
    hands = text.removeprefix(DEAL_WORD).split(";") if isinstance(text, str) and text.startswith(DEAL_WORD) else []
    dealt = [[INDEX.get(code, -1) for code in hand.split(",")] for hand in hands]
    everything = [card for hand in dealt for card in hand]
    fits = (
        len(dealt) == state.players
        and all(len(hand) == HAND and hand == sorted(hand) for hand in dealt)
        and len(set(everything)) == len(everything)
        and all(card >= 0 and int(cards_in_play(state)) >> card & 1 for card in everything)
        and (not state.goat or INDEX["X0"] in everything)
    )
    if not fits:
        expected = f"deal and {state.players} hands of {HAND} different cards in order, as {DEAL_WORD}B9,…;…"
        if state.goat:
            expected += ", X0 among them"
        raise InputError("move", f"expected {expected}; got {shown(text)}")
    return [U(sum(1 << card for card in hand)) for hand in dealt]


# --- writing ---


def winners(state: Any) -> list[int] | None:
    """The seats with the fewest points, when the game is over."""
    if state.phase != OVER:
        return None
    scores = [int(score) for score in state.scores[: state.players]]
    return [seat for seat, score in enumerate(scores) if score == min(scores)]


def write(state: Any, seat: int | None) -> dict[str, Any]:
    """The JSON object of a full record (``seat`` None) or of what ``seat`` sees (a concealed record)."""
    s = plain(state)
    seats = range(s.players)
    hands = [
        codes(s.known[other] if seat not in (None, other) else s.hand[other]) + [HIDDEN] * int(s.hidden[other])
        for other in seats
    ]
    return {
        "game": "odin",
        "rules": rules_of(s),
        **({} if seat is None else {"seat": seat}),
        "hands": hands,
        "known": [codes(s.known[other]) for other in seats],
        "table": codes(s.table),
        "owner": None if s.owner == NOBODY else s.owner,
        "discard": codes(s.discard),
        "undealt": codes(s.undealt) + [HIDDEN] * s.hidden_undealt,
        "scores": s.scores[: s.players].tolist(),
        "opener": s.opener,
        "turn": s.turn,
        "to_act": {PLAY: s.turn, DEAL: CHANCE}.get(s.phase),
        "winner": winners(s),
    }
