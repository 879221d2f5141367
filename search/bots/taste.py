"""Bots with a taste for what a move brings about: among moves that are about as good, they pick what they like.

A taste is told what the rules' own events say of a move, and those depend on nothing hidden.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...solver.errors import InputError
from .kinds import SearchBot, View

FEATURES = {
    "coals": "1 for placing coal or a torch",
    "fires": "fires that burn something",
    "burnt": "tiles burnt",
    "explosions": "explosions",
    "falls": "tiles that lose their hold and fall",
    "own_mess": "tiles the own seat takes",
    "others_mess": "tiles other seats take",
    "height": "row of the tile placed, 0 for the base",
    "weight": "weight of the tile placed, in hundreds",
}
"""What a taste may weigh, per move."""
GAMES = ("flaming",)
"""Games whose events tell that."""
DEFAULT_SLACK = 0.03
LIKED_VISITS = 0.25
"""Part of an even share of the iterations that a move must have had for its estimate to count."""


def features(view: View, told: Sequence[Any], seat: int) -> dict[str, float]:
    """What one move brings about for a seat, by the events that ``faces.flaming.events`` tells of it."""
    from ...solver.flaming.tiles import FIRE, INDEX, WEIGHT, material

    found = dict.fromkeys(FEATURES, 0.0)
    for event in told:
        found["fires"] += event.kind in ("fire", "burn")
        found["burnt"] += len(event.taken) * (event.kind in ("fire", "burn"))
        found["explosions"] += event.kind in ("explosion", "blast")
        found["falls"] += event.kind in ("collapse", "air")
        found["own_mess" if event.seat == seat else "others_mess"] += len(event.taken)
        if event.kind == "place":
            tile = INDEX[event.tiles[0]]
            found["coals"] += material(tile) == FIRE
            found["height"] += int(event.text.partition("@")[2].partition(",")[0])
            found["weight"] += int(WEIGHT[tile]) / 100
    return found


class TasteBot(SearchBot):
    """A tree search whose taste chooses among the moves that it thinks about as good as the best."""

    def __init__(
        self,
        game: str,
        name: str,
        method: str,
        budget: tuple[int | None, float | None],
        given: dict[str, Any],
        taste: dict[str, float],
        slack: float,
    ) -> None:
        """
        Args:
            game, name, method, budget, given: as for ``SearchBot``.
            taste: weights of ``FEATURES``; the sum over what a move brings about is how much it is liked.
            slack: how much win probability the taste may cost, by the search's estimate.

        Raises:
            InputError: a game without such events, or a search that is shown what is hidden.
        """
        super().__init__(game, name, method, budget, given)
        if game not in GAMES:
            raise InputError("taste", f"expected a game whose moves bring things about, one of {', '.join(GAMES)}")
        if self.open:
            raise InputError("taste", "expected a search that is not shown the hidden cards")
        self._taste, self._slack = taste, slack

    def choose(self, view: View, rng: np.ndarray) -> str:
        """A proven win, else what is liked most of the moves within the slack; of equals the most visited."""
        from ..search import best_move

        def pick(proven: np.ndarray, statistics: np.ndarray) -> int:
            visits, value = statistics.T
            wins = np.where(visits > 0, value / np.maximum(visits, 1.0), 0.0)
            kept = (visits >= LIKED_VISITS * visits.sum() / len(visits)) & (proven == proven.max())
            kept &= wins >= wins[kept].max(initial=0.0) - self._slack
            if not kept.any():
                kept = proven == proven.max()
            liking = self._liking(view)
            return max(np.flatnonzero(kept).tolist(), key=lambda i: (liking[i], visits[i]))

        return best_move(view, self._method, self.budget, self._choice, rng, self.watch, pick)

    def _liking(self, view: View) -> list[float]:
        """How much every move is liked, in the order of the moves."""
        from ..faces.flaming.events import outlook

        seat, told = view.to_act, outlook(view)
        found = [features(view, told[move], seat) for move in view.moves()]
        return [sum(weight * one[name] for name, weight in self._taste.items()) for one in found]
