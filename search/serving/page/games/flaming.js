/** Flaming Pyramids: the pyramid, the seats with their hands and piles, and a tile and a place to choose. */

import { html, pressable, svg } from "../dom.js";
import { chip, colourOf, shape } from "./shapes.js";

export const title = "Flaming Pyramids";
export const chance = "die";

const WIDTH = 64;
const HEIGHT = 38;
const MARGIN = 8;
const LEAST = 5; // tiles that are always room for, so that a small pyramid is not drawn huge

// What happens to tiles, by the words in which the server tells of it.
const CAUSES = [
  [/explode/, "blast", "M0-11 3-5 9-8 6-2 11 1 5 3 7 9 1 6-3 11-4 5-10 6-6 1-11-3-5-4-6-10-1-6Z"],
  [/burns/, "fire", "M0-11C5-5 7-1 7 3A7 7 0 0 1-7 3C-7 0-4-2-4-6-1-4 0-7 0-11Z"],
  [/curse/, "curse", "M3-9A9 9 0 1 0 9 3 7 7 0 1 1 3-9Z"],
  [/brings down|falls|nothing under/, "fall", "M-3-9H3V0H8L0 9-8 0H-3Z"],
];
const CODES = /\b(?:[RGBY]\d+|M)\b/g;

/** The material of a tile, by its code. */
function materialOf(code) {
  if (code === "M") return "millstone";
  const weight = Number(code.slice(1));
  if (weight === 1) return "coal";
  if (weight === 7) return "torch";
  return weight < 10 ? "straw" : weight < 60 ? "wood" : "stone";
}

const weightOf = (code) => (code === "M" ? "200" : code.slice(1));
const nameOf = (code) => `${colourOf(code)} ${weightOf(code)}, ${materialOf(code)}`;

/** Parts of a move: a tile and its place, or the way it falls. */
function parse(move) {
  const [tile, place] = move.split("@");
  if (!place) return { way: move };
  const [row, column] = place.split(",").map(Number);
  return { tile, place, row, column };
}

const whereIs = (row, column) => (column < 0 ? "at the left end" : `in row ${row + 1}, place ${column + 1}`);

export function describe(move) {
  const { way, tile, row, column } = parse(move);
  if (tile) return `${tile} ${whereIs(row, column)}`;
  return { L: "falls to the left", R: "falls to the right" }[way] ?? `rolls ${way.slice(1)}`;
}

/** A step in words: what the server tells, and of a tile that was placed where. */
export function tell(move, clauses) {
  const { tile: placed, way } = parse(move);
  if (placed) return [`places ${describe(move)}`, ...clauses].join("; ");
  const side = { L: "left", R: "right" }[way];
  if (side) {
    const [first = "", ...others] = clauses;
    const tile = first.match(/^(\S+) falls to the/)?.[1];
    return [`lets ${tile ?? "it"} fall to the ${side}`, ...(tile ? others : clauses)].join("; ");
  }
  return clauses.join("; ") || describe(move);
}

// --- where tiles lie ---

/** Row and column of every tile of the board, by its code. */
function places(view) {
  const cells = new Map();
  view.board.forEach((row, r) => row.forEach((code, c) => code !== "." && cells.set(code, [r, c])));
  return cells;
}

/** The tiles of the board before a step, with the one that it moved where it moved to. */
function moved(before, step) {
  const cells = places(before);
  const { way, tile, row, column } = parse(step.move);
  if (tile) cells.set(tile, [row, column]);
  else if (way === "L" || way === "R") {
    const [r, c] = before.at;
    cells.set(before.board[r][c], [r - 1, c + (way === "R" ? 1 : 0)]);
  }
  return cells;
}

/** By how many columns the pyramid was renumbered between two boards: what most tiles of the same row moved by. */
function shiftBetween(was, now) {
  const votes = new Map();
  for (const [code, [r, c]] of now) {
    const [row, column] = was.get(code) ?? [];
    if (row === r) votes.set(c - column, (votes.get(c - column) ?? 0) + 1);
  }
  return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** What happened to tiles by some clauses: `fire`, `blast`, `fall` or `curse`, by code. */
function fates(clauses) {
  const found = new Map();
  for (const clause of clauses) {
    const cause = CAUSES.find(([words]) => words.test(clause));
    if (cause) for (const code of clause.match(CODES) ?? []) found.set(code, cause[1]);
  }
  return found;
}

/** Tiles to draw, `[code, row, column, fate, gone]`; between two boards those that the clauses so far tell of. */
function tilesOf({ view, before, step, beat }) {
  const now = places(view);
  if (!before || !step) return [...now].map(([code, [r, c]]) => [code, r, c]);
  const was = moved(before, step);
  if (beat !== undefined) {
    const fate = fates(step.text.slice(0, beat + 1));
    return [...was].map(([code, [r, c]]) => [code, r, c, fate.get(code)]);
  }
  const fate = fates(step.text);
  const shift = shiftBetween(was, now);
  const gone = [...was].filter(([code, [r, c]]) => !now.has(code) && !view.board[r]?.[c + shift]?.match(CODES));
  return [
    ...gone.map(([code, [r, c]]) => [code, r, c + shift, fate.get(code) ?? "fall", true]),
    ...[...now].map(([code, [r, c]]) => [code, r, c]),
  ];
}

// --- drawn ---

const corner = (row, column) => [WIDTH * (column + row / 2), -HEIGHT * row];

function face(code) {
  const material = materialOf(code);
  return [
    svg("rect", { class: "body", width: WIDTH - 3, height: HEIGHT - 3, rx: 5 }),
    svg("rect", { class: "grain", width: WIDTH - 3, height: HEIGHT - 3, rx: 5, fill: `url(#${material})` }),
    shape(code, 12, HEIGHT / 2 - 1),
    svg("text", { x: 42, y: HEIGHT / 2 + 5 }, weightOf(code)),
  ];
}

function tile([code, row, column, fate, gone], last) {
  const [x, y] = corner(row, column);
  const path = CAUSES.find(([, cause]) => cause === fate)?.[2];
  return svg(
    "g",
    {
      class: `tile ${gone ? "gone" : ""} ${code === last ? "last" : ""}`,
      "data-colour": code[0],
      transform: `translate(${x} ${y})`,
      role: "img",
      "aria-label": `${nameOf(code)}${gone ? ", gone" : ""}, row ${row + 1}`,
    },
    face(code),
    path && svg("path", { class: `fate ${fate}`, d: path, transform: `translate(${WIDTH / 2 - 2} ${HEIGHT / 2 - 2})` }),
  );
}

function spot(row, column, label, text, action, chosen) {
  const [x, y] = corner(row, column);
  return svg(
    "g",
    {
      class: `spot ${chosen ? "chosen" : ""}`,
      transform: `translate(${x} ${y})`,
      ...pressable(`${row},${column}`, label, action),
    },
    svg("rect", { width: WIDTH - 3, height: HEIGHT - 3, rx: 5 }),
    svg("text", { x: WIDTH / 2 - 2, y: HEIGHT / 2 + 5 }, text),
  );
}

function pyramid(scene, tiles, spots) {
  const columns = [...tiles.map(([, r, c]) => c + r / 2), ...spots.map(({ row, column }) => column + row / 2), 0];
  const rows = [...tiles.map(([, r]) => r), ...spots.map(({ row }) => row), 0];
  const [left, right, top] = [Math.min(...columns), Math.max(...columns), Math.max(...rows)];
  const width = Math.max(right - left + 1, LEAST) * WIDTH;
  const x = ((left + right + 1) / 2) * WIDTH - width / 2;
  const box = [x - MARGIN, -HEIGHT * top - MARGIN, width + 2 * MARGIN, HEIGHT * (top + 1) + 2 * MARGIN];
  const last = scene.step && parse(scene.step.move).tile;
  const drawn = svg(
    "svg",
    { class: "pyramid", viewBox: box.join(" "), role: "group", "aria-label": "The pyramid" },
    svg("path", { class: "ground", d: `M${box[0]} ${HEIGHT}h${box[2]}` }),
    tiles.map((one) => tile(one, last)),
    spots.map((one) => spot(one.row, one.column, one.label, one.text, one.action, one.chosen)),
  );
  drawn.style.setProperty("--units", box[2]);
  return drawn;
}

const chips = (codes) => codes.map((code) => (code === "?" ? chip(code) : chip(code, nameOf(code), weightOf(code))));

function pileOf(view, seat) {
  const pile = view.piles[seat];
  const known = pile.slice(view.unknown[seat]);
  const hidden = view.unknown[seat] ? `, ${view.unknown[seat]} unknown` : "";
  const text = `pile of ${pile.length}${hidden}`;
  if (!known.length) return html("span", { class: "quiet" }, text);
  return html("details", { class: "pile" }, html("summary", {}, text), hidden && "then ", chips(known));
}

function seats({ view, names, titles }) {
  return html(
    "ul",
    { class: "seats" },
    view.hands.map((hand, seat) =>
      html(
        "li",
        { class: view.to_act === seat ? "acting" : "" },
        html("b", {}, names[seat]),
        html("span", { class: "quiet" }, titles[seat], `${hand.length + view.piles[seat].length} left`),
        html("span", { class: "chips" }, seat === view.seat ? null : chips(hand)),
        pileOf(view, seat),
      ),
    ),
  );
}

function hand(scene, legal) {
  const usable = new Set(legal.map(({ tile }) => tile));
  const { picks } = scene;
  return html(
    "div",
    { class: "hand", role: "group", "aria-label": "Your hand" },
    scene.view.hands[scene.view.seat].map((code) =>
      html(
        "button",
        {
          type: "button",
          class: "tile-button",
          "data-key": code,
          "data-hand": true,
          "aria-label": nameOf(code),
          "aria-pressed": String(picks.tile === code),
          disabled: !usable.has(code),
          click: () => choose(scene, legal, { ...picks, tile: picks.tile === code ? undefined : code }),
        },
        svg("svg", { viewBox: `-1 -1 ${WIDTH - 1} ${HEIGHT - 1}`, class: "tile", "data-colour": code[0] }, face(code)),
      ),
    ),
  );
}

/** Plays when a tile and a place are chosen, else shows what is. */
function choose(scene, legal, picks) {
  const chosen = legal.find(({ tile, place }) => tile === picks.tile && place === picks.place);
  if (chosen) scene.play(`${chosen.tile}@${chosen.place}`);
  else scene.pick(picks);
}

function spotsOf(scene, legal) {
  const { view, picks } = scene;
  const falls = legal.filter(({ way }) => way);
  if (falls.length) {
    const [row, column] = view.at;
    return falls.map(({ way }) => ({
      row: row - 1,
      column: column + (way === "R" ? 1 : 0),
      text: way === "R" ? "→" : "←",
      label: `Let ${view.board[row][column]} fall to the ${way === "R" ? "right" : "left"}`,
      action: () => scene.play(way),
    }));
  }
  const open = new Map(legal.map((move) => [move.place, move]));
  return [...open.values()].map(({ place, row, column }) => ({
    row,
    column,
    text: picks.tile ? weightOf(picks.tile) : "+",
    label: `${picks.tile ? nameOf(picks.tile) : "A tile"} ${whereIs(row, column)}`,
    chosen: picks.place === place,
    action: () => choose(scene, legal, { ...picks, place: picks.place === place ? undefined : place }),
  }));
}

export function draw(scene) {
  const legal = scene.moves.map(parse);
  const tiles = tilesOf(scene);
  const out = scene.view.out.length > 0 && html("p", { class: "quiet" }, "Out of the game: ", chips(scene.view.out));
  return [pyramid(scene, tiles, spotsOf(scene, legal)), hand(scene, legal), seats(scene), out];
}

/** What is to be done, while it is the person's turn. */
export function prompt({ view, picks }) {
  if (view.phase === "fall") return `${view.board[view.at[0]][view.at[1]]} falls: left or right?`;
  return picks.tile ? "Choose a place for it." : "Choose a tile, then a place.";
}
