/** Pylos: balls on levels, seen from above and as a plan of each level, whose cells are the buttons. */

import { html, svg } from "../dom.js";

export const title = "Pylos";
export const chance = "chance";
export const seatTitles = ["light", "dark"];

const FILES = "abcd";
const BALL = 44; // its diameter, as the lengths of the drawing go
const MARGIN = 10;
const [ASIDE, DEEP, HIGH] = [0.87, 0.5, 0.72].map((share) => share * BALL);
const SIDES = { w: "light", b: "dark" };
const SIGNS = { w: "○", b: "×" };

function parse(move) {
  const [way, taken] = move.split("x");
  const cells = way.split("-");
  const source = cells.length > 1 ? cells[0] : undefined;
  return { move, target: cells.at(-1), source, taken: taken?.split(",") ?? [] };
}

export function describe(move) {
  const { source, target, taken } = parse(move);
  const text = source ? `raises ${source} to ${target}` : `places on ${target}`;
  return taken.length ? `${text}, takes back ${taken.join(" and ")}` : text;
}

/** A step in words; of what the server tells only how the game ended. */
export function tell(move, clauses) {
  return [describe(move), ...clauses.filter((clause) => clause.endsWith("on top"))].join("; ");
}

/** All cells of a board, the ones drawn first at first: `{name, level, rank, file, ball}`. */
function cellsOf(board) {
  const levels = board.split(" ")[0].split("/");
  return levels.flatMap((ranks, level) =>
    ranks
      .split(",")
      .flatMap((files, rank) =>
        [...files].map((ball, file) => ({ name: `${level + 1}${FILES[file]}${rank + 1}`, level, rank, file, ball })),
      ),
  );
}

const same = (some, others) => some.length === others.length && some.every((one) => others.includes(one));

/**
 * What the legal moves allow after what was picked so far: by cell what a click on it does; the moves that begin so,
 * and the one that is whole.
 */
function options(scene) {
  const { source, target, taken = [] } = scene.picks;
  const legal = scene.moves.map(parse);
  const actions = new Map();
  if (!target) {
    for (const move of legal) if (move.source) actions.set(move.source, { kind: "source" });
    for (const move of legal) if (move.source === source) actions.set(move.target, { kind: "target" });
    if (source) actions.set(source, { kind: "chosen" });
    return { actions, more: [] };
  }
  const here = legal.filter((move) => move.target === target && move.source === source);
  const more = here.filter((move) => taken.every((cell) => move.taken.includes(cell)));
  for (const cell of more.flatMap((move) => move.taken)) actions.set(cell, { kind: "take" });
  for (const cell of taken) actions.set(cell, { kind: "taken" });
  return { actions, more, whole: here.find((move) => same(move.taken, taken)) };
}

function press(scene, name, kind) {
  const { source, target, taken = [] } = scene.picks;
  const next = {
    source: { source: name },
    chosen: {},
    target: { source, target: name },
    take: { source, target, taken: [...taken, name] },
    taken: { source, target, taken: taken.filter((cell) => cell !== name) },
  }[kind];
  const { whole, more } = options({ ...scene, picks: next });
  if (whole && more.length === 1) scene.play(whole.move);
  else scene.pick(next);
}

/** Cells as they will be with what was picked so far. */
function pictured(scene) {
  const { source, target, taken = [] } = scene.picks;
  const mover = scene.view.board.at(-1);
  return cellsOf(scene.view.board).map((cell) => ({
    ...cell,
    ball: cell.name === target ? mover : cell.ball,
    leaving: (target && cell.name === source) || taken.includes(cell.name),
  }));
}

// --- seen from above ---

const at = ({ level, rank, file }) => {
  const [x, y] = [file + level / 2, rank + level / 2];
  return [(x - y) * ASIDE, (x + y) * DEEP - level * HIGH];
};

const MARKS = { w: "M-5 0A5 5 0 1 0 5 0 5 5 0 1 0-5 0Z", b: "M-5-5 5 5M5-5-5 5" };

function ball({ ball, name, leaving }, [x, y], kind, last, action) {
  const empty = ball === ".";
  return svg(
    "g",
    {
      class: ["ball", SIDES[ball] ?? "empty", kind, leaving && "leaving", last && "last"].filter(Boolean).join(" "),
      transform: `translate(${x} ${y})`,
      click: action ?? false,
      "data-cell": name,
    },
    svg("circle", { r: empty ? BALL / 3 : BALL / 2 - 1 }),
    !empty && svg("path", { class: "mark", d: MARKS[ball] }),
    kind && svg("circle", { class: "ring", r: empty ? BALL / 3 : BALL / 2 - 4 }),
  );
}

function fromAbove(scene, cells, actions) {
  const shown = cells
    .filter(({ ball, level, name }) => ball !== "." || level === 0 || actions.has(name))
    .sort((a, b) => a.level - b.level || a.rank + a.file - b.rank - b.file);
  const corners = cells.map(at);
  const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis]));
  const room = BALL / 2 + MARGIN;
  const [left, top] = [Math.min(...xs) - room, Math.min(...ys) - room];
  const box = [left, top, Math.max(...xs) + room - left, Math.max(...ys) + room - top];
  const last = scene.step && parse(scene.step.move).target;
  return svg(
    "svg",
    { class: "stack", viewBox: box.join(" "), width: box[2] * 1.15, "aria-hidden": "true" },
    shown.map((cell) => {
      const kind = actions.get(cell.name)?.kind;
      return ball(cell, at(cell), kind, cell.name === last, kind && (() => press(scene, cell.name, kind)));
    }),
  );
}

// --- the plan ---

const DOES = {
  source: "raise it",
  target: "put a ball here",
  chosen: "leave it",
  take: "take it back",
  taken: "leave it",
};

function plan(scene, cells, actions) {
  const levels = Map.groupBy(cells, ({ level }) => level);
  return [...levels].map(([level, some]) => {
    const side = Math.sqrt(some.length);
    const grid = html("div", { class: "level", role: "group", "aria-label": `Level ${level + 1}` });
    grid.style.setProperty("--side", side);
    grid.append(
      ...some
        .sort((a, b) => b.rank - a.rank || a.file - b.file)
        .map(({ name, ball, leaving }) => {
          const kind = actions.get(name)?.kind;
          const does = kind ? `, ${DOES[kind]}` : "";
          return html(
            "button",
            {
              type: "button",
              class: ["cell", SIDES[ball] ?? "empty", kind, leaving && "leaving"].filter(Boolean).join(" "),
              "data-key": name,
              "aria-label": `${name}, ${SIDES[ball] ?? "empty"}${does}`,
              disabled: !kind,
              click: () => press(scene, name, kind),
            },
            SIGNS[ball] ?? name.slice(1),
          );
        }),
    );
    return html("figure", {}, grid, html("figcaption", { class: "quiet" }, `Level ${level + 1}`));
  });
}

function seats({ view, names, titles }, cells) {
  const all = cells.length; // one half of all balls is light, the other dark
  return html(
    "ul",
    { class: "seats abreast" },
    ["w", "b"].map((sign, seat) => {
      const inReserve = Math.ceil((all - seat) / 2) - cells.filter(({ ball }) => ball === sign).length;
      const player = names[seat] === "you" ? "you, " : titles[seat];
      return html(
        "li",
        { class: view.board.at(-1) === sign ? "acting" : "" },
        html("b", {}, `${SIGNS[sign]} ${SIDES[sign]}`),
        html("span", { class: "quiet" }, player, `${inReserve} in reserve`),
      );
    }),
  );
}

export function draw(scene) {
  const cells = pictured(scene);
  const { actions, whole } = options(scene);
  const done =
    whole &&
    html(
      "button",
      { type: "button", class: "main", "data-key": "done", click: () => scene.play(whole.move) },
      whole.taken.length ? `Take back ${whole.taken.join(" and ")}` : "Take nothing back",
    );
  const again =
    scene.picks.target &&
    html("button", { type: "button", "data-key": "again", click: () => scene.pick({}) }, "Choose again");
  return [
    seats(scene, cellsOf(scene.view.board)),
    fromAbove(scene, cells, actions),
    html("div", { class: "plan" }, plan(scene, cells, actions)),
    html("div", { class: "choices" }, done, again),
  ];
}

export function prompt({ picks }) {
  if (picks.target) return "Take back your balls that are marked, then confirm.";
  return picks.source ? `Choose where ${picks.source} rises to.` : "Place a ball, or choose one of yours to raise.";
}
