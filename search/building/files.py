"""Files of a solution for points: the policy as a table or as arrays."""

import csv
import io
import json

import numpy as np

from ...solver.meeples.builder import TICKS
from ...solver.meeples.notation import action_text
from .solutions import Plan

COLUMNS = ("rows", "seconds_left", "chance", "move", "points")
LEAST_CHANCE = 1e-6
"""States that are reached more rarely are left out of the table."""
ACTIONS = (
    "actions[t, i] is what to do with walls[i] when t ticks are left: 0 stops (or the wall cannot stand by then), "
    "2 * row + pace puts a meeple into the row (the first is 1), pace 0 quick, 1 careful"
)


def policy_table(plan: Plan) -> str:
    """CSV of what to do at whole seconds: from the start, the likeliest states first.

    ``rows`` are meeples a row from the bottom, ``chance`` that a decision on this wall is due then, ``points`` to be
    expected in the end. The plan must have kept its values.
    """
    solution = plan.solution
    assert solution.policy is not None
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for left, walls, chances in plan.course.reached:
        for i in np.argsort(-chances, kind="stable"):
            if chances[i] < LEAST_CHANCE:
                break
            wall = int(walls[i])
            rows = " ".join(map(str, solution.walls.rows[wall]))
            move = action_text(int(solution.policy[left, wall, 0]))
            writer.writerow((rows, left // TICKS, f"{chances[i]:.6g}", move, f"{plan.values[left][wall]:.6f}"))
    return text.getvalue()


def policy_arrays(plan: Plan) -> bytes:
    """The whole policy as an ``.npz`` file.

    It holds ``walls`` (uint8[N, height], meeples a row from the bottom), ``points`` (int64[N]), ``actions``
    (uint8[ticks + 1, N]), and ``about``, JSON that tells the rules and what actions mean.
    """
    solution = plan.solution
    assert solution.policy is not None
    walls = solution.walls
    table = np.zeros((len(walls.rows), max(map(len, walls.rows))), dtype=np.uint8)
    for i, rows in enumerate(walls.rows):
        table[i, : len(rows)] = rows
    rules = {name: plan.summary[name] for name in ("game", "seconds", "support", "builder")}
    about = json.dumps(rules | {"ticks_a_second": TICKS, "actions": ACTIONS})
    file = io.BytesIO()
    np.savez_compressed(file, walls=table, points=walls.points, actions=solution.policy[:, :, 0], about=np.array(about))
    return file.getvalue()
