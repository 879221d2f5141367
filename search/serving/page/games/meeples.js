/** Meeple stacking: a wall for every seat, the clock, and for each row a quick and a careful try. */

import { html, svg } from "../dom.js";

export const title = "Meeple stacking";
export const chance = "hands";

const WIDTH = 16;
const HEIGHT = 20;
const LEAST = 9; // meeples that are always room for
const TICKS = 4; // of a second
const MEEPLE =
  "M8 2a3 3 0 0 1 3 3c2 0 4 1 4 3 0 1-2 1-3 1l2 9H9l-1-3-1 3H2l2-9c-1 0-3 0-3-1 0-2 2-3 4-3a3 3 0 0 1 3-3Z";
const PACES = { q: "quick", c: "careful" };

const parse = (move) => ({ move, row: Number.parseInt(move, 10), pace: PACES[move.at(-1)] });

export function describe(move) {
  if (move === "stop") return "stops";
  if (move === "ok") return "it stands";
  if (move.startsWith("slip")) return `a slip: all falls from row ${Number.parseInt(move.slice(4), 10)} up`;
  const { row, pace } = parse(move);
  return `row ${row}, ${pace}`;
}

/** A step in words: what was tried, or what the hands did. */
export function tell(move, clauses) {
  if (parse(move).pace) return [`tries ${describe(move)}`, ...clauses].join("; ");
  return clauses.join("; ") || describe(move);
}

const seconds = (ticks) => `${ticks / TICKS} s`;

/** One seat's share of what is told by seat, where there are several. */
const share = (view, field, seat) => (view.rules.players > 1 ? view[field][seat] : view[field]);

function wall(rows, before, label) {
  const width = Math.max(rows[0] ?? 0, before[0] ?? 0, LEAST);
  const height = Math.max(rows.length, before.length, 3);
  const meeples = Array.from({ length: height }, (_, k) => {
    const [now, was] = [rows[k] ?? 0, before[k] ?? 0];
    const most = Math.max(now, was);
    return Array.from({ length: most }, (_, i) =>
      svg("path", {
        class: i < now ? (i < was ? "meeple" : "meeple last") : "meeple gone",
        d: MEEPLE,
        transform: `translate(${((width - most) / 2 + i) * WIDTH} ${(height - 1 - k) * HEIGHT})`,
      }),
    );
  });
  const drawn = svg(
    "svg",
    {
      class: "wall",
      viewBox: `0 -2 ${width * WIDTH} ${height * HEIGHT + 4}`,
      role: "img",
      "aria-label": rows.length ? `${label}: rows of ${rows.join(", ")}` : `${label}: nothing yet`,
    },
    meeples,
    svg("path", { class: "ground", d: `M0 ${height * HEIGHT}h${width * WIDTH}` }),
  );
  drawn.style.setProperty("--units", width * WIDTH);
  return drawn;
}

/** What a seat has: what is written down, and the meeples that stand. */
function tally(score, rows) {
  const standing = rows.reduce((sum, meeples) => sum + meeples, 0);
  return `${score} so far${standing ? `, ${standing} standing` : ""}`;
}

function clock(view, seat) {
  const left = share(view, "ticks", seat);
  const full = view.rules.seconds * TICKS;
  return html(
    "label",
    { class: "clock" },
    html("meter", { min: 0, max: full, low: full / 5, value: left }),
    ` ${seconds(left)} left`,
  );
}

function seats(scene) {
  const { view, before, names, titles } = scene;
  return html(
    "div",
    { class: "walls" },
    view.scores.map((score, seat) =>
      html(
        "section",
        { class: view.turn === seat && view.to_act !== null ? "acting" : "", "aria-label": names[seat] },
        wall(share(view, "rows", seat), share(before ?? view, "rows", seat), names[seat]),
        html(
          "p",
          {},
          html("b", {}, names[seat]),
          html("span", { class: "quiet" }, ` ${titles[seat]}${tally(score, share(view, "rows", seat))}`),
        ),
        view.out.includes(seat) ? html("p", { class: "quiet" }, "out") : clock(view, seat),
      ),
    ),
  );
}

function choices(scene) {
  const rows = Map.groupBy(
    scene.moves.map(parse).filter(({ pace }) => pace),
    ({ row }) => row,
  );
  if (!scene.moves.length) return null;
  return html(
    "div",
    { class: "rows" },
    [...rows]
      .sort(([a], [b]) => b - a)
      .map(([row, moves]) =>
        html(
          "div",
          { class: "row", role: "group", "aria-label": `Row ${row}` },
          html("span", {}, `Row ${row}`),
          moves.map(({ move, pace }) =>
            html(
              "button",
              { type: "button", "data-key": move, "aria-label": `Row ${row}, ${pace}`, click: () => scene.play(move) },
              pace,
            ),
          ),
        ),
      ),
    scene.moves.includes("stop") &&
      html("button", { type: "button", "data-key": "stop", click: () => scene.play("stop") }, "Leave it at that"),
  );
}

export function draw(scene) {
  return [seats(scene), choices(scene)];
}

export const prompt = () => "Choose a row, and how to place the next meeple.";

/** How a game alone ended; with several it is who has won. */
export const ending = ({ rules, scores }) =>
  rules.players > 1 ? undefined : `The game is over: ${scores[0]} ${rules.mode === "points" ? "points" : "rounds"}.`;
