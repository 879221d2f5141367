"""The games for OpenSpiel, as Python games with a resampler; needs the extra ``openspiel``.

::

    import pyspiel
    from mess.search.adapters import openspiel

    game = pyspiel.load_game("python_mess_odin(players=4,limit=0)")

Importing this registers ``python_mess_flaming``, ``python_mess_odin``, ``python_mess_pylos`` and
``python_mess_meeples``. Rules are parameters; Odin's limit is 0 for one hand, and the seconds of meeple stacking are
-1 for what the mode tells. Actions and tensors are those of the game's module here.

Chance is explicit. A die and hands that slip have their outcomes; a deal is one of ``deals`` numbers, each as likely,
and deal ``k`` of ``seed`` is that of block ``k`` in a match with that seed. Returns are 1 for the winner and -1 shared
by the others, in meeple stacking alone the points.

Observations are what the seat may see, and nothing else. An information state adds all that was played, and in which
order the seat got what it holds; its tensor is that of the observation. ``resample_from_infostate`` gives a uniform
state of those that fit; of the truth it keeps nothing, in its history every deal is number 0. OpenSpiel's IS-MCTS in
C++ cannot call it, the one in ``open_spiel.python.algorithms.ismcts`` can.
"""

import base64
import hashlib
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from ...solver.errors import InputError
from ...solver.game import CHANCE, NO_ONE, load
from ...solver.meeples.state import MOST_POINTS
from ...solver.odin.state import LIMITS, ONE_HAND
from ...solver.position import Position
from ...solver.rng import stream
from .moments import HIDING, Moment, Space

try:
    import pyspiel
except ImportError:
    raise InputError(
        "openspiel", "expected OpenSpiel to be installed: pip install 'smallest-mess[openspiel]'"
    ) from None

PREFIX = "python_mess_"
DEALS, MOST_DEALS = 10_000, 1_000_000
BY_MODE = -1
"""Seconds of a round of meeple stacking, where the mode tells."""
LONGEST = {"flaming": 50_000, "odin": 100_000, "pylos": 500, "meeples": 300_000}
"""Bound on the decisions of a game; only that of Pylos is sharp."""
OUTCOMES = {"flaming": 6, "odin": 0, "pylos": 0, "meeples": 200}
"""Listed outcomes of chance."""
UNDEALT = "to be dealt"
NO_FIELDS = base64.b64encode(pickle.dumps({})).decode()
DIGEST = 8


def _parameters(name: str) -> dict[str, Any]:
    """The rules of a game with their defaults, and which deals there are."""
    found: dict[str, Any] = {}
    for rule, allowed in load(name).OPTIONS.items():
        default = allowed[0] if isinstance(allowed, tuple) and not hasattr(allowed, "prose") else allowed.default
        found[rule] = BY_MODE if callable(default) else default
    return found | ({"seed": 0, "deals": DEALS} if name in HIDING else {})


def _rules(parameters: dict[str, Any]) -> dict[str, Any]:
    """Rules as the game wants them."""
    rules = {rule: value for rule, value in parameters.items() if rule not in ("seed", "deals")}
    if rules.get("seconds") == BY_MODE:
        del rules["seconds"]
    if rules.get("limit") == ONE_HAND:
        rules["limit"] = LIMITS[-1]
    return rules


def _type(name: str, alone: bool) -> pyspiel.GameType:
    """The type of a game; only where one may play alone returns need not add up to 0."""
    kind, options = pyspiel.GameType, load(name).OPTIONS
    players = options.get("players", (2,))
    hiding = name in HIDING
    return kind(
        short_name=PREFIX + name,
        long_name=f"mess {name}",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC if name == "pylos" else kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION if hiding else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.GENERAL_SUM if alone else kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=max(players),
        min_num_players=min(players),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(name),
    )


class Known:
    """A state with all that its information states are made of. It never changes.

    Attributes:
        moment: the position; None before the deal.
        past: what all saw happen, as a history of OpenSpiel in which every deal is number 0.
        recalls: for every seat a digest of all it has held, in order.
    """

    __slots__ = ("_texts", "moment", "past", "recalls")

    def __init__(self, moment: Moment | None, past: str = "", recalls: tuple[bytes, ...] = ()) -> None:
        self.moment, self.past, self.recalls = moment, past, recalls
        self._texts: dict[int, str] = {}

    def __deepcopy__(self, memo: Any) -> "Known":
        return self

    def __getstate__(self) -> Any:
        return self.moment, self.past, self.recalls

    def __setstate__(self, kept: Any) -> None:
        self.__init__(*kept)  # type: ignore[misc]

    def then(self, moment: Moment, player: int, action: int) -> "Known":
        """What is known after an action of a player or of chance."""
        past = f"{self.past},{player}:{action}" if self.past else f"{player}:{action}"
        return Known(moment, past, _recalled(moment, self.moment, self.recalls))

    def world(self, seat: int, seed: int) -> "Known":
        """A uniform one of those that a seat holds possible."""
        if self.moment is None or self.moment.space.name not in HIDING:
            return self
        moment = self.moment.world(seat, stream(seed, "world"))
        fresh = _recalled(moment, None, ())
        return Known(moment, self.past, (*fresh[:seat], self.recalls[seat], *fresh[seat + 1 :]))

    def observed(self, seat: int) -> str:
        """What a seat sees, as JSON."""
        if self.moment is None:
            return UNDEALT
        if seat not in self._texts:
            self._texts[seat] = json.dumps(self.moment.observe(seat).to_dict())
        return self._texts[seat]

    def informed(self, seat: int) -> str:
        """What a seat sees and has seen."""
        recall = self.recalls[seat].hex() if self.recalls else ""
        return f"{self.observed(seat)} {self.past} {recall}"


def _recalled(moment: Moment, before: Moment | None, recalls: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """The digests with what the seats hold now, where that has changed."""
    if moment.space.name not in HIDING:
        return ()
    hands = moment.hands()
    held = [b""] * len(hands) if before is None else before.hands()
    return tuple(
        recall if now == old else hashlib.blake2b(recall + now, digest_size=DIGEST).digest()
        for recall, now, old in zip(recalls or [b""] * len(hands), hands, held, strict=True)
    )


class MessGame(pyspiel.Game):
    """A game under certain rules.

    Attributes:
        space: the same, with its actions and vectors.
        start: what is known at the start.
    """

    NAME: str
    """Of the game."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """
        Raises:
            InputError: a rule with a value out of range.
        """
        name = self.NAME
        given = _parameters(name) | (params or {})
        self.space = Space(name, **_rules(given))
        self.seed, deals = given.get("seed", 0), given.get("deals", 0)
        if name in HIDING and not 1 <= deals <= MOST_DEALS:
            raise InputError("deals", f"expected a whole number from 1 to {MOST_DEALS}, got {deals}")
        self.start = Known(None if name in HIDING else self.space.deal(self.seed))
        self.deals = [(deal, 1.0 / deals) for deal in range(deals)]
        alone = self.space.players == 1
        info = pyspiel.GameInfo(
            num_distinct_actions=self.space.actions,
            max_chance_outcomes=max(deals, OUTCOMES[name]),
            num_players=self.space.players,
            min_utility=0.0 if alone else -1.0,
            max_utility=float(MOST_POINTS * self.space.rules["turns"]) if alone else 1.0,
            utility_sum=None if alone else 0.0,
            max_game_length=LONGEST[name],
        )
        super().__init__(_type(name, alone), info, params or {})

    def new_initial_state(self) -> "MessState":
        """The state before the deal, or where there is none, at the start."""
        return MessState(self)

    def state_of(self, position: Position) -> "MessState":
        """A state in which a position of this game stands, with no history."""
        state, moment = self.new_initial_state(), self.space.moment(position)
        state.known = Known(moment, "", _recalled(moment, None, ()))
        return state

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "MessObserver":
        """What writes observations, or with perfect recall information states.

        Raises:
            InputError: another observation than that of one player is asked for.
        """
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params or not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise InputError("observer", "expected one for what a single player sees, without parameters")
        return MessObserver(self.space.length, kind.perfect_recall)


class MessState(pyspiel.State):
    """A state of a game."""

    def __init__(self, game: MessGame) -> None:
        """Called by the game."""
        super().__init__(game)
        self.known = game.start

    def _is_deal(self) -> bool:
        """Whether chance decides, and deals."""
        moment = self.known.moment
        return moment is None or (moment.to_act == CHANCE and not moment.outcomes())

    def current_player(self) -> int:
        """Seat to decide, or a number of OpenSpiel's for chance and the end."""
        moment = self.known.moment
        if moment is None or moment.to_act == CHANCE:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if moment.to_act == NO_ONE else moment.to_act

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.known.moment is not None and self.known.moment.to_act == NO_ONE

    def _legal_actions(self, player: int) -> list[int]:
        return self.known.moment.actions() if self.known.moment is not None else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may do, and how probable it is."""
        return self.get_game().deals if self._is_deal() else self.known.moment.outcomes()  # type: ignore[union-attr]

    def _apply_action(self, action: int) -> None:
        known = self.known
        moment = known.moment
        if moment is not None and moment.to_act != CHANCE:
            self.known = known.then(moment.after(action), moment.to_act, action)
        elif not self._is_deal():
            self.known = known.then(moment.after(action), CHANCE, action)  # type: ignore[union-attr]
        else:
            game = self.get_game()
            if moment is None:
                dealt = game.space.deal(game.seed, action)
            else:
                dealt = moment.rolled(stream(game.seed, "hand", self.move_number(), action))
            self.known = known.then(dealt, CHANCE, 0)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE and self._is_deal():
            return f"deal {action}"
        return self.known.moment.text(action) if self.known.moment is not None else str(action)

    def returns(self) -> list[float]:
        """What the game came to; 0 while it goes on."""
        moment = self.known.moment
        return [0.0] * self.num_players() if moment is None else moment.rewards()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "MessState":
        """A uniform state of those that fit what a player has seen, drawn by a number in [0, 1)."""
        state = self.get_game().deserialize_state(
            f"history={self.known.past}\nmove_number={self.move_number()}\n__dict__={NO_FIELDS}"
        )
        state.known = self.known.world(player, int(sampler() * (1 << 53)))
        return state

    def __str__(self) -> str:
        return UNDEALT if self.known.moment is None else str(self.known.moment.position)


class MessObserver:
    """What a player sees, as OpenSpiel asks for it.

    Attributes:
        tensor: ``float32[length]``.
        dict: the same by name.
    """

    def __init__(self, length: int, recall: bool) -> None:
        """
        Args:
            length: of the tensor.
            recall: whether its strings are those of information states.
        """
        self.tensor = np.zeros(length, dtype=np.float32)
        self.dict = {"observation": self.tensor}
        self._recall = recall

    def set_from(self, state: MessState, player: int) -> None:
        """Write what a player sees into ``tensor``; zeros before the deal."""
        moment = state.known.moment
        self.tensor[:] = 0.0 if moment is None else moment.vector(player)

    def string_from(self, state: MessState, player: int) -> str:
        """What a player sees, or all it has seen."""
        return state.known.informed(player) if self._recall else state.known.observed(player)


class FlamingGame(MessGame):
    """Flaming Pyramids."""

    NAME = "flaming"


class OdinGame(MessGame):
    """Odin."""

    NAME = "odin"


class PylosGame(MessGame):
    """Pylos."""

    NAME = "pylos"


class MeeplesGame(MessGame):
    """Meeple stacking."""

    NAME = "meeples"


for _game in (FlamingGame, OdinGame, PylosGame, MeeplesGame):
    pyspiel.register_game(_type(_game.NAME, alone=_game is MeeplesGame), _game)


def game_of(name: str, rules: dict[str, Any]) -> MessGame:
    """A game under rules as the formats write them; those that are missing have their defaults."""
    given = {rule: ONE_HAND if value == LIMITS[-1] else value for rule, value in rules.items()}
    return pyspiel.load_game(PREFIX + name, given)
