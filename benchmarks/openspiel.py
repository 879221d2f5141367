"""OpenSpiel's IS-MCTS against the search here, on the very same games: simulations a second, and who wins.

OpenSpiel has that search in C++ and in Python. A game that is written in Python, as ours is for OpenSpiel, can only be
resampled from Python, so for such a game there is the latter; that is what is measured. Both sides play random playouts
to the end where simulations are counted; in matches ours plays as it does by default. Both get an observation.
"""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from ..search.bots.kinds import View
from ..search.search import advise
from ..solver.game import deal
from ..solver.position import Observation
from ..solver.rng import stream
from .match import match
from .speed import Row, machine, row

EXPLORATION = 1.4
"""As usual for returns from -1 to 1."""
KIND = "same-game"
STARTS = 4
LEAST_SIMULATIONS = 2
"""The first one only makes the root, so that without a second there is nothing to choose by."""
UNBOUNDED = 1 << 30
OPTIONS = {"playout": "random", "cutoff": 0}


class Duel(NamedTuple):
    """A match to be played.

    Attributes:
        game: its name.
        rules: those that differ from the defaults.
        deals: each played from both sides.
        seconds: for every move, or None, and
        simulations: for every move, instead.
    """

    game: str
    rules: dict[str, Any]
    deals: int
    seconds: float | None = None
    simulations: int | None = None

    @property
    def budget(self) -> str:
        """What a move may cost, as bots are named."""
        return f"{self.simulations}" if self.seconds is None else f"{self.seconds:g}s"


FLAMING = {"players": 2}
ODIN = {"players": 2, "limit": "one-hand"}
RATED: tuple[tuple[str, dict[str, Any]], ...] = (("flaming", FLAMING), ("odin", ODIN), ("odin", ODIN | {"players": 4}))
"""Games, and rules that differ from the defaults, on which simulations are counted."""
DUELS = (
    Duel("flaming", FLAMING, 15, seconds=0.1),
    Duel("odin", ODIN, 40, seconds=0.1),
    Duel("odin", ODIN, 40, simulations=50),
)


class _TimeIsUpError(Exception):
    """Ends a search."""


class IsmctsBot:
    """OpenSpiel's IS-MCTS as a bot of matches.

    Attributes:
        name, open: see ``Bot``.
        is_repeatable: False, it may mind the clock.
        searches, done: how often it has searched, and its simulations in all.
    """

    open = False
    is_repeatable = False

    def __init__(
        self, game: str, rules: dict[str, Any], seconds: float | None = None, simulations: int | None = None
    ) -> None:
        """
        Args:
            game, rules: as in a match.
            seconds: a move; the simulation under way is finished. None for as long as it takes.
            simulations: a move, at most.

        Raises:
            InputError: OpenSpiel is not installed.
        """
        from ..search.adapters.openspiel import game_of

        self.name = f"OpenSpiel IS-MCTS@{simulations if seconds is None else f'{seconds:g}s'}"
        self._game = game_of(game, rules)
        self._seconds, self._simulations = seconds, simulations or UNBOUNDED
        self.searches = self.done = 0

    def choose(self, view: View, rng: np.ndarray) -> str:
        """The move it visited most."""
        assert isinstance(view, Observation)
        state = self._game.state_of(view.world(rng))
        action = self._search(state, int(rng[0] >> np.uint64(32)))
        return state.action_to_string(state.current_player(), action)

    def _search(self, state: Any, seed: int) -> int:
        from open_spiel.python.algorithms import ismcts, mcts

        deadline = None if self._seconds is None else time.perf_counter() + self._seconds

        class Timed(ismcts.ISMCTSBot):
            """Stops when its time is up."""

            done = 0

            def sample_root_state(self, state: Any) -> Any:
                if deadline is not None and self.done >= LEAST_SIMULATIONS and time.perf_counter() >= deadline:
                    raise _TimeIsUpError
                self.done += 1
                # its own way would not be seeded
                return state.resample_from_infostate(state.current_player(), draws.uniform)

        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        draws = np.random.RandomState(seed)
        bot = Timed(
            self._game,
            mcts.RandomRolloutEvaluator(1, draws),
            EXPLORATION,
            self._simulations,
            random_state=draws,
            use_observation_string=True,
        )
        try:
            policy = bot.run_search(state)
        except _TimeIsUpError:
            policy = bot.get_final_policy(state, bot._root_node)
        self.searches, self.done = self.searches + 1, self.done + bot.done
        return max(policy, key=lambda choice: choice[1])[0]


def _rates(name: str, works: list[tuple[str, Callable[[], int]]], repeats: int) -> list[Row]:
    """Simulations a second of processor time, in turns, so that all works meet the same conditions."""
    values: list[list[float]] = [[] for _ in works]
    for repeat in range(repeats + 1):
        for i, (_, work) in enumerate(works):
            started = time.process_time()
            done = work()
            if repeat:
                values[i].append(done / (time.process_time() - started))
    return [row(f"{name}: {what}", "simulations/s", found) for (what, _), found in zip(works, values, strict=True)]


def simulations(game: str, rules: dict[str, Any], repeats: int, ours: int, theirs: int) -> list[Row]:
    """Simulations a second of both, and of ours as it plays by default, at the first decision of some deals."""
    positions = [deal(game, seed, **rules) for seed in range(STARTS)]
    views = [position.observe(position.to_act) for position in positions]
    bot = IsmctsBot(game, rules, simulations=theirs)

    def search(options: dict[str, Any]) -> Callable[[], int]:
        return lambda: sum(advise(view, iterations=ours, options=options, seed=1).iterations for view in views)

    def peer() -> int:
        before = bot.done
        for i, view in enumerate(views):
            bot.choose(view, stream(i, "bot"))
        return bot.done - before

    works = [
        ("OpenSpiel IS-MCTS", peer),
        ("mcts, random playouts to the end", search(OPTIONS)),
        ("mcts as by default", search({})),
    ]
    return _rates(_name(game, rules), works, repeats)


def _name(game: str, rules: dict[str, Any]) -> str:
    return f"{game}, {rules['players']} players"


def contend(duel: Duel, deals: int, progress: bool = True) -> dict[str, Any]:
    """The summary of a match on duplicate deals, one game at a time."""
    ours, theirs = f"mcts@{duel.budget}", IsmctsBot(duel.game, duel.rules, duel.seconds, duel.simulations)
    played = match(duel.game, [ours, theirs], deals=deals, rules=duel.rules, workers=1, progress=progress)
    cost = {"seconds": duel.seconds, "simulations": duel.simulations}
    return played.summary() | cost | {"peer_simulations": theirs.done / max(1, theirs.searches)}


def measure(quick: bool = False, command: str = "mess bench --openspiel", progress: bool = True) -> dict[str, Any]:
    """Measure everything.

    Args:
        quick: few repeats and deals.
        command: what made this, for the file.
        progress: show bars on a terminal.

    Raises:
        InputError: OpenSpiel is not installed.
    """
    from ..search.adapters import openspiel  # noqa: F401 - to say at once that it is not there

    repeats, ours, theirs = (1, 200, 5) if quick else (5, 2000, 50)
    rows: list[Row] = []
    ratios, matches = [], []
    for game, rules in tqdm(RATED, unit="game", disable=None if progress else True):
        found = simulations(game, rules, repeats, ours, theirs)
        rows += found
        ratios.append({"name": f"{_name(game, rules)}: simulations/s", "value": found[1].value / found[0].value})
    for duel in tqdm(DUELS, unit="match", disable=None if progress else True):
        matches.append(contend(duel, 1 if quick else duel.deals, progress=progress))
    notes = [
        "Simulations a second of processor time, at the first decision. Ours is compiled; OpenSpiel's search and its "
        "playouts run in Python, since its C++ search cannot resample a game that is not part of its own C++. How fast "
        "that is on games which are, the table of speed tells.",
        "Matches with an equal budget a move, both searches given an observation, one game at a time on one core; "
        "OpenSpiel's finishes its last simulation beyond its time. It explores with "
        f"{EXPLORATION:g}, plays out at random and takes the most visited move; ours searches as by default.",
    ]
    return {
        "kind": KIND,
        "title": "Against OpenSpiel's IS-MCTS on the same games",
        "command": command,
        "quick": quick,
        "machine": machine(),
        "rows": [found._asdict() for found in rows],
        "ratios": ratios,
        "notes": notes,
        "matches": matches,
    }
