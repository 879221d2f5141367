"""The experiments whose results are committed: a table, and what plays it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from ..solver.errors import InputError
from ..solver.meeples.builder import NAMES as BUILDERS
from ..solver.pylos.state import VARIANTS
from .ladder import Ladder
from .regret import regret
from .truth import converting, keeping
from .tune import Tuning, read_vary
from .variance import savings

FIELD = "smallest-mess"
POLICIES = (
    "random",
    "smallest-mess-heavy",
    "smallest-mess-light",
    "heaviest-first",
    "spread-the-mess",
    "keep-options",
    "douse",
)
CHARACTERS = ("arsonist", "bomber", "clown", "hauler", "mason", "miser")
STRONG = "mcts@2000"
BUDGETS = ("mcts@50", "mcts@500", STRONG)


@dataclass(frozen=True)
class Plan:
    """Matches that make one table.

    Attributes:
        title: one line on what is asked.
        bots: each plays a match of its own, alone against the field.
        players: number of seats.
        deals: deal blocks of every match.
        rules: rules that differ from the defaults.
        seed: of every match, so that all bots meet the same deals.
        against: the bot in all other seats, the field.
    """

    title: str
    bots: tuple[str, ...]
    players: int
    deals: int
    rules: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    against: str = FIELD


def _flaming() -> dict[str, Plan]:
    plans = {}
    for players, deals, strong_deals in ((2, 200, 40), (3, 100, 20), (4, 60, 12)):
        against = f"smallest-mess, {players} players"
        plans[f"policies-{players}p"] = Plan(f"Policies against {against}", POLICIES, players, deals)
        plans[f"strength-{players}p"] = Plan(f"Search by budget against {against}", BUDGETS, players, strong_deals)
    plans["ceiling"] = Plan(
        "Search, and the same search with all cards open (cheating), against smallest-mess, 2 players",
        (STRONG, f"{STRONG}:open=1"),
        2,
        40,
    )
    plans["search"] = Plan(
        "Search against search: a quarter and four times the budget, and open cards (cheating), against mcts@500",
        ("mcts@125", "mcts@2000", "mcts@500:open=1"),
        2,
        16,
        against="mcts@500",
    )
    options = {"curse": True, "special_fire": True}
    against = "curse and special fire on, against smallest-mess, 2 players"
    plans["policies-options"] = Plan(f"Policies with {against}", POLICIES, 2, 100, options)
    plans["strength-options"] = Plan(f"Search with {against}", (STRONG,), 2, 30, options)
    plans["characters"] = Plan("Bots with a taste against smallest-mess, 2 players", CHARACTERS, 2, 12)
    return plans


def _odin() -> dict[str, Plan]:
    plans = {}
    one = {"limit": "one-hand"}
    for players, deals, strong_deals in ((2, 200, 60), (3, 100, 40), (4, 100, 30), (6, 50, 15)):
        against = f"greedy, one hand, {players} players"
        policies = ("random", "high", "keep-sets", "pass-poor")
        plans[f"policies-{players}p"] = Plan(
            f"Odin: policies against {against}", policies, players, deals, one, against="greedy"
        )
        plans[f"strength-{players}p"] = Plan(
            f"Odin: search by budget against {against}", BUDGETS, players, strong_deals, one, against="greedy"
        )
    plans["ceiling"] = Plan(
        "Odin: search, and the same with all hands open (cheating), against keep-sets, one hand, 4 players",
        (STRONG, f"{STRONG}:open=1"),
        4,
        40,
        one,
        against="keep-sets",
    )
    plans["belief"] = Plan(
        "Odin: how much passes tell of hands, against the search that takes all hands as likely, one hand, 4 players",
        tuple(f"mcts@1000:belief={belief}" for belief in ("0.25", "0.5", "0.75")),
        4,
        150,
        one,
        seed=1,
        against="mcts@1000",
    )
    plans["belief-fixed"] = Plan(
        "Odin: how much passes tell of hands, against keep-sets, whose passes are believed in, one hand, 4 players",
        ("mcts@1000", "mcts@1000:belief=0.5", "mcts@1000:belief=0.95"),
        4,
        150,
        one,
        seed=1,
        against="keep-sets",
    )
    plans["growth"] = Plan(
        "Odin: search by budget against keep-sets, one hand, 4 players", BUDGETS, 4, 60, one, against="keep-sets"
    )
    plans["game"] = Plan(
        "Odin: play for the game, and for the points of each hand, against keep-sets, to 15 points, 4 players",
        ("mcts@1000", "mcts@1000:points=1"),
        4,
        25,
        against="keep-sets",
    )
    return plans


@dataclass(frozen=True)
class TruthPlan:
    """Bots in positions whose worth is known; see ``truth`` and ``regret``.

    Attributes:
        title: one line on what is asked.
        measure: ``truth.keeping``, ``truth.converting`` or ``regret.regret``.
        bots: as text.
        deals: positions of every number of balls; games.
        rules: rules that differ from the defaults.
        seed: of positions and bots.
    """

    title: str
    measure: Callable[..., dict[str, Any]]
    bots: tuple[str, ...]
    deals: int
    rules: dict[str, Any] = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True)
class PoolPlan:
    """Bots to be rated against each other; see ``rate``.

    Attributes:
        title: one line on what is asked.
        bots: as text.
        players: seats of a game.
        deals: deal blocks of all lineups together.
        rules: rules that differ from the defaults.
        anchor: the bot whose rating is 0.
        seed: of all deals.
    """

    title: str
    bots: tuple[str, ...]
    players: int
    deals: int
    rules: dict[str, Any] = field(default_factory=dict)
    anchor: str | None = None
    seed: int = 0


@dataclass(frozen=True)
class TuningPlan:
    """Options of a search to be found; see ``tune``.

    Attributes:
        title: one line on what is asked.
        tuning: what is tried, and how.
        deals: of the first round.
    """

    title: str
    tuning: Tuning
    deals: int


LAB: dict[str, dict[str, PoolPlan | TuningPlan]] = {
    "flaming": {
        "ratings": PoolPlan(
            "Ratings of policies and searches, 3 players",
            ("random", "smallest-mess", "spread-the-mess", "keep-options", "douse", "mcts@25", "mcts@100"),
            3,
            150,
            anchor="smallest-mess",
        ),
    },
    "odin": {
        "ratings": PoolPlan(
            "Odin: ratings of policies and searches, one hand, 4 players",
            ("random", "greedy", "high", "keep-sets", "pass-poor", "mcts@100", "mcts@500"),
            4,
            300,
            {"limit": "one-hand"},
            anchor="greedy",
        ),
        "tuning": TuningPlan(
            "Odin: a search's options raced and tested, one hand, 2 players",
            Tuning(
                "odin",
                "mcts@300",
                read_vary("exploration=0.1:3,epsilon=0:0.5,cutoff=5:60"),
                16,
                16,
                "0,30",
                1000,
                rules={"limit": "one-hand"},
            ),
            16,
        ),
    },
    "pylos": {
        "ratings": PoolPlan(
            "Pylos: ratings of policies and searches",
            ("random", "greedy", "careful", "high", "mcts@200", "mcts@2000", "alphabeta@2000", "alphabeta@20000"),
            2,
            300,
            anchor="greedy",
        ),
    },
}
LOOKERS = ("alphabeta@20000", "alphabeta@200000:book=0", "alphabeta@200000", "alphabeta@3000000")
"""The last looks ahead for about a second a move."""
SEARCHERS = ("mcts@200", "mcts@2000", "mcts@20000")
SEARCHES = ("mcts@100", "mcts@1000", "mcts@10000")
OPPONENTS = ("random", "greedy", "alphabeta@10000")


def _pylos() -> dict[str, Plan | TruthPlan]:
    plans: dict[str, Plan | TruthPlan] = {}
    for variant in VARIANTS:
        rules = {"variant": variant}
        entrants = ("greedy", "alphabeta@20000", "alphabeta@200000", "mcts@20000", "perfect")
        plans[f"strength-{variant}"] = Plan(
            f"Pylos, {variant}: search and perfect play against mcts@2000", entrants, 2, 50, rules, against="mcts@2000"
        )
        policies = ("random", "careful", "high", "mcts@200", "alphabeta@2000")
        plans[f"policies-{variant}"] = Plan(
            f"Pylos, {variant}: policies and short searches against greedy", policies, 2, 100, rules, against="greedy"
        )
        bots = ("random", "greedy", *SEARCHERS, *LOOKERS)
        title = f"Pylos, {variant}: how often bots keep what a position is worth"
        plans[f"keeping-{variant}"] = TruthPlan(title, keeping, bots, 35, rules)
        title = f"Pylos, {variant}: perfect play from won positions"
        plans[f"converting-{variant}"] = TruthPlan(title, converting, OPPONENTS, 40, rules)
    return plans


def _meeples() -> dict[str, Plan | TruthPlan]:
    plans: dict[str, Plan | TruthPlan] = {}
    for builder in BUILDERS:
        rules = {"builder": builder}
        bots = ("random", "tower", "wide", "cautious", "one-step", "steady-rows", *SEARCHES, "optimal")
        title = f"Meeples, {builder} builder, 120 s alone: points lost against the optimum"
        plans[f"regret-{builder}"] = TruthPlan(title, regret, bots, 20, rules)
        entrants = ("tower", "wide", "cautious", "one-step", "mcts@1000", "optimal")
        plans[f"strength-{builder}"] = Plan(
            f"Meeples, {builder} builder, one turn of 120 s: against steady-rows",
            entrants,
            2,
            100,
            rules,
            against="steady-rows",
        )
    return plans


def _savings(game: str, deals: int, bots: tuple[str, ...], **rules: Any) -> TruthPlan:
    """A plan of what duplicate deals, and taking luck out, save a game's matches."""
    title = f"{game.capitalize()}: games that matches need, relative to independent deals"
    return TruthPlan(title, partial(savings, game=game), bots, deals, rules)


SAVINGS = {
    "flaming": {
        "savings": _savings(
            "flaming",
            400,
            ("douse,smallest-mess", "keep-options,smallest-mess", "smallest-mess:blunder=0.01,smallest-mess"),
            players=2,
        ),
        "savings-3p": _savings("flaming", 200, ("douse,smallest-mess,smallest-mess",), players=3),
        "savings-search": _savings("flaming", 40, ("mcts@200,mcts@300",), players=2),
    },
    "odin": {
        "savings": _savings(
            "odin",
            400,
            (
                "keep-sets,greedy,greedy,greedy",
                "keep-sets,pass-poor,pass-poor,pass-poor",
                "keep-sets:blunder=0.01,keep-sets,keep-sets,keep-sets",
            ),
            players=4,
            limit="one-hand",
        ),
        "savings-search": _savings(
            "odin",
            100,
            ("mcts@200,greedy,greedy,greedy", "mcts@200,mcts@300,mcts@300,mcts@300"),
            players=4,
            limit="one-hand",
        ),
    },
    "pylos": {"savings": _savings("pylos", 100, ("alphabeta@2000,mcts@200", "mcts@300,mcts@200"))},
    "meeples": {
        "savings": _savings(
            "meeples", 200, ("steady-rows,one-step", "steady-rows,cautious", "mcts@200,one-step"), players=2
        )
    },
}
"""What the design of matches saves, of every game."""

LADDERS = {
    "flaming": Ladder("Levels, each against the one below", (16, 16, 16, 24, 50, 14, 10, 20, 30, 16)),
    "odin": Ladder("Odin: levels, each against the one below, to 15 points", (30, 30, 40, 40, 40, 40, 50, 60, 80, 80)),
    "pylos": Ladder("Pylos: levels, each against the one below", (60, 40, 60, 40, 40, 40, 40, 40, 40, 40)),
    "meeples": Ladder("Meeples: levels, each against the one below", (300,) * 10),
}

AnyPlan: TypeAlias = Plan | TruthPlan | Ladder | PoolPlan | TuningPlan
PLANS: dict[str, dict[str, AnyPlan]] = {
    game: {**made, "levels": LADDERS[game], **SAVINGS[game], **LAB.get(game, {})}
    for game, made in (("flaming", _flaming()), ("odin", _odin()), ("pylos", _pylos()), ("meeples", _meeples()))
}
"""Plans of every game."""


def plans(game: str, name: str | None = None) -> dict[str, AnyPlan]:
    """The plans of a game; ``InputError`` when it has none, or none of this name."""
    if game not in PLANS:
        raise InputError("game", f"expected one of {', '.join(PLANS)}, got {game!r}")
    if name is not None and name not in PLANS[game]:
        raise InputError("plan", f"expected one of {', '.join(PLANS[game])}, got {name!r}")
    return PLANS[game]
