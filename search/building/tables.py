"""What the exact solver of meeple stacking comes to, in words and tables for a terminal."""

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..faces.meeples import draw_wall

MOST_BINS = 20
WIDTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
BAR_WIDTH = 40
RARE = 1e-6
"""Final scores rarer than this do not make a table longer."""
MOST_GAPS = 13


def _grid(columns: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[str] = ()) -> Table:
    """A table of numbers; the columns in ``left`` are text."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        is_left = column in left
        table.add_column(
            column, justify="left" if is_left else "right", no_wrap=not is_left, header_style="bold", overflow="fold"
        )
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.2f} %"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _name(builder: Any) -> str:
    return builder if isinstance(builder, str) else "a builder of its own"


def _cost_text(summary: dict[str, Any]) -> str:
    memory = "" if summary["memory_mb"] is None else f", {summary['memory_mb']:.0f} MB at most"
    return f"{summary['took_seconds']:.1f} s{memory}"


def bins(distribution: dict[str, float]) -> list[tuple[int, int, float]]:
    """A distribution of points in at most ``MOST_BINS`` steps of a round width: first and last points, and chance."""
    points = {int(score): chance for score, chance in distribution.items()}
    usual = [score for score, chance in points.items() if chance >= RARE]
    width = next(w for w in WIDTHS if max(usual) // w - min(usual) // w < MOST_BINS)
    first, last = min(usual) // width, max(usual) // width
    chances = [0.0] * (last - first + 1)
    for score, chance in points.items():
        chances[min(max(score // width, first), last) - first] += chance
    return [((first + i) * width, (first + i + 1) * width - 1, chance) for i, chance in enumerate(chances)]


def _distribution(summary: dict[str, Any]) -> Table:
    steps = bins(summary["distribution"])
    most = max(chance for _, _, chance in steps)
    rows = [
        (str(low) if low == high else f"{low}-{high}", _percent(chance), "█" * round(BAR_WIDTH * chance / most))
        for low, high, chance in steps
    ]
    return _grid(("points", "chance", ""), rows, left=("",))


def _points(summary: dict[str, Any], plain: bool) -> RenderableType:
    line, stops = summary["line"], summary["stops"]
    first = sorted(summary["first"].items(), key=lambda pair: -pair[1])
    by_time = [
        (
            f"{entry['from']:g}-{entry['to']:g}",
            f"{entry['placements']:.2f}",
            _number(entry["row"]),
            _percent(entry["slip"]),
            _percent(entry["careful"]),
            _percent(entry["stops"]),
        )
        for entry in summary["by_time"]
    ]
    slipless = _percent(line["chance"])
    shorter = ", ".join(f"{seconds} s {points:.2f}" for seconds, points in summary["shorter"].items())
    return Group(
        Text(f"meeples, points, {summary['seconds']} s, {summary['support']}, {_name(summary['builder'])}"),
        Text(f"{summary['points']:.6f} points to be expected under best play", "bold"),
        Text(f"first step: {', '.join(f'{move} {value:.4f}' for move, value in first)}"),
        Text(f"final score: mean {summary['mean']:.2f}, standard deviation {summary['deviation']:.2f}"),
        _distribution(summary),
        Text(),
        Text(f"while nothing slips, which happens with {slipless}, it places"),
        Text(line["moves"] or "nothing"),
        Text(f"{line['points']} points, {line['seconds_left']:g} s left"),
        draw_wall(line["rows"], plain),
        Text(),
        Text(f"seconds left when it stops, at most: {', '.join(f'{left:g} ({q} %)' for q, left in stops.items())}"),
        Text("by time left: placements begun, their mean row, how many slip, how many are careful, and stops"),
        _grid(("seconds left", "placements", "row", "slips", "careful", "stops"), by_time),
        *([Text(f"with less time: {shorter}")] if shorter else []),
        Text(f"{summary['walls']:,} walls, {_cost_text(summary)}"),
    )


def _higher(summary: dict[str, Any], plain: bool) -> RenderableType:
    parts: list[RenderableType] = [Text(f"meeples, higher, {summary['seconds']} s, {summary['support']}")]
    told: list[Any] = []
    for player in summary["players"]:
        if player["builder"] in told:
            continue
        told.append(player["builder"])
        rows = [
            (
                str(entry["base"]),
                _percent(entry["chance"]),
                _number(entry["seconds"]),
                _percent(entry["line_chance"]),
                entry["line"] or "",
            )
            for entry in player["bases"]
        ]
        parts += [
            Text(),
            Text(f"{_name(player['builder'])}: {player['rounds']:.4f} rounds to be expected alone", "bold"),
            _grid(("base", "finishes", "seconds", "no slip", "while nothing slips"), rows, ("while nothing slips",)),
        ]
    parts.append(Text("seconds: on average, where it is finished; no slip: chance of the line on the right"))
    if "shares" in summary:
        shares = [
            (f"player {i}", _name(player["builder"]), _percent(share))
            for i, (player, share) in enumerate(zip(summary["players"], summary["shares"], strict=True), 1)
        ]
        parts += [Text(), _grid(("", "builder", "share of wins"), shares, ("", "builder"))]
    return Group(*parts, Text(_cost_text(summary)))


def representative(gaps: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """At most ``MOST_GAPS`` of consecutive gaps, evenly from the first to the last, with 0."""
    if len(gaps) <= MOST_GAPS:
        return list(gaps)
    zero = next(i for i, gap in enumerate(gaps) if gap["gap"] == 0)
    half, last = MOST_GAPS // 2, len(gaps) - 1
    places = [round(zero * i / half) for i in range(half)] + [zero]
    places += [round(zero + (last - zero) * i / half) for i in range(1, half + 1)]
    return [gaps[i] for i in sorted(set(places))]


def _contest(summary: dict[str, Any], plain: bool) -> RenderableType:
    names = " against ".join(map(_name, summary["builders"]))
    turns = f"{summary['turns']} turn{'s' if summary['turns'] > 1 else ''} of {summary['seconds']} s"
    share, by_points = summary["share"], summary["plain"]
    state = "converged" if summary["converged"] else "not converged everywhere"
    mean, spread = by_points["points"], by_points["deviation"]
    parts: list[RenderableType] = [
        Text(f"meeples, contest, {turns}, {summary['support']}, {names}"),
        Text(
            f"share of wins of the first: {_percent(share)}, from {_percent(summary['low'])} to "
            f"{_percent(summary['high'])}; {state}",
            "bold",
        ),
        Text(
            f"if both play for points only: {_percent(by_points['share'])}; {mean[0]:.2f} points (deviation "
            f"{spread[0]:.2f}) against {mean[1]:.2f} ({spread[1]:.2f})"
        ),
    ]
    columns = ("gap", "share", "for points", "own points", "deviation", "theirs", "their deviation")
    for turn in summary["by_turn"]:
        rows = [
            (
                f"{gap['gap']:+d}" if gap["gap"] else "0",
                _percent((gap["low"] + gap["high"]) / 2),
                _percent(gap["plain"]),
                *(
                    f"{number[seat]:.2f} ({number[seat] - usual[seat]:+.2f})"
                    for seat in range(2)
                    for number, usual in ((gap["points"], mean), (gap["deviation"], spread))
                ),
            )
            for gap in representative(turn["gaps"])
        ]
        parts += [Text(), Text(f"turn {turn['turn']}"), _grid(columns, rows)]
    parts.append(Text("gap: own points before the turn minus theirs; in brackets: compared with playing for points"))
    if summary["turns"] > 1:
        parts.append(Text("the bounds are those of the first turn, given the middle of those of the next"))
    return Group(*parts, Text(_cost_text(summary)))


def _wall(summary: dict[str, Any], plain: bool) -> RenderableType:
    rows = summary["rows"]
    return Group(
        draw_wall(rows, plain),
        Text(f"rows {','.join(map(str, rows))} of {sum(rows)} meeples, {summary['support']}"),
        Text(f"{summary['points']} points", "bold"),
    )


RENDER: dict[str, Callable[[dict[str, Any], bool], RenderableType]] = {
    "points": _points,
    "higher": _higher,
    "contest": _contest,
    "wall": _wall,
}


def building_table(summary: dict[str, Any], plain: bool) -> RenderableType:
    """A summary of ``search.building`` for a terminal; ``plain`` draws without colours."""
    return RENDER[summary["solved"]](summary, plain)


def position_text(judged: dict[str, Any]) -> str:
    """What the moves of a position of one builder are worth, the best first."""
    unit = "points" if judged["mode"] == "points" else "rounds"
    moves = sorted(judged["moves"].items(), key=lambda pair: -pair[1])
    lines = [f"{move:<5} {points:.4f}" for move, points in moves]
    told = [] if judged["mode"] == "points" else [judged["told"]]
    return "\n".join([f"{judged['points']:.4f} {unit} to be expected under best play: {judged['best']}", *told, *lines])
