"""When everybody knows everything."""

from ..bits import popcount
from ..errors import InputError
from ..position import Observation, Position, one_world
from ..rng import stream


def known_to_all(view: Position | Observation) -> bool:
    """Whether nothing that matters is hidden from anybody: every seat can infer every hand."""
    state, seats = view.state, range(view.players)
    undealt = int(popcount(state.undealt)) + int(state.hidden_undealt)
    own = [int(popcount(state.hand[seat] & ~state.known[seat])) + int(state.hidden[seat]) for seat in seats]
    return all(
        not any(others) or one_world(undealt, others)
        for others in ([own[other] for other in seats if other != seat] for seat in seats)
    )


def whole_truth(view: Position | Observation) -> Position:
    """The only hands that a view can mean; ``InputError`` when there are several."""
    if isinstance(view, Position):
        return view
    if not known_to_all(view):
        raise InputError("hands", "expected cards that everybody knows, the whole truth is needed")
    return view.world(stream(0, "the only one"))
