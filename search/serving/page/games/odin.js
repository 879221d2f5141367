/** Odin: the table, the own hand to choose a set from, and the card to take for it. */

import { html } from "../dom.js";
import { chip, colourOf, shapeIcon } from "./shapes.js";

export const title = "Odin";
export const chance = "dealer";

function parse(move) {
  const [played, taken] = move.split(">");
  return { move, cards: move === "pass" ? [] : played.split(","), taken };
}

export function describe(move) {
  if (move.startsWith("deal")) return "deals the next hand";
  const { cards, taken } = parse(move);
  if (!cards.length) return "passes";
  return `${cards.join(" ")}${taken ? `, takes ${taken}` : ""}`;
}

/** A step in words: what the server tells. */
export function tell(move, clauses) {
  if (move === "pass") return ["passes", ...clauses.filter((clause) => !clause.startsWith("nothing"))].join("; ");
  if (clauses.length) return clauses.join("; ");
  return move.startsWith("deal") ? describe(move) : `plays ${describe(move)}`;
}

const nameOf = (code) => `${colourOf(code)} ${code.slice(1)}`;
const inside = (few, many) => few.every((card) => many.includes(card));

const small = (code) => (code === "?" ? chip(code) : chip(code, nameOf(code)));

const card = (code, attributes) =>
  html(
    "button",
    {
      type: "button",
      class: "card",
      "data-colour": code[0],
      "data-key": code,
      "aria-label": nameOf(code),
      ...attributes,
    },
    html("span", {}, code.slice(1)),
    shapeIcon(code),
  );

/** The legal moves that play exactly the chosen cards. */
const playing = (legal, chosen) =>
  legal.filter(({ cards }) => chosen.length > 0 && cards.length === chosen.length && inside(chosen, cards));

function table(scene, matching) {
  const { view, names } = scene;
  const takes = new Map(matching.filter(({ taken }) => taken).map((one) => [one.taken, one.move]));
  const owner = view.owner === null ? "" : `, by ${names[view.owner]}`;
  return html(
    "section",
    { class: "felt", "aria-label": "On the table" },
    html("h3", {}, view.table.length ? `On the table${owner}` : "The table is empty"),
    html(
      "div",
      { class: "cards" },
      view.table.map((code) =>
        card(code, {
          "data-key": `take ${code}`,
          "aria-label": takes.has(code) ? `Take ${nameOf(code)}` : nameOf(code),
          class: `card ${takes.has(code) ? "target" : ""}`,
          disabled: !takes.has(code),
          click: () => scene.play(takes.get(code)),
        }),
      ),
    ),
    view.discard.length > 0 &&
      html("details", {}, html("summary", {}, `Discarded: ${view.discard.length}`), view.discard.map(small)),
  );
}

function hand(scene, legal) {
  const chosen = scene.picks.cards ?? [];
  return html(
    "div",
    { class: "hand cards", role: "group", "aria-label": "Your hand" },
    scene.view.hands[scene.view.seat].map((code) => {
      const picked = chosen.includes(code);
      const possible = legal.some(({ cards }) => cards.includes(code) && inside(chosen, cards));
      const rest = picked ? chosen.filter((one) => one !== code) : [...(possible ? chosen : []), code];
      const usable = legal.some(({ cards }) => cards.includes(code));
      return card(code, {
        "data-hand": true,
        "aria-pressed": String(picked),
        class: `card ${possible || !legal.length ? "" : "apart"}`,
        disabled: !usable,
        click: () => scene.pick({ cards: rest }),
      });
    }),
  );
}

function buttons(scene, legal, matching) {
  const plain = matching.find(({ taken }) => !taken);
  const pass = legal.find(({ cards }) => !cards.length);
  if (!legal.length) return null;
  return html(
    "div",
    { class: "choices" },
    html(
      "button",
      { type: "button", class: "main", "data-key": "play", disabled: !plain, click: () => scene.play(plain.move) },
      "Play these cards",
    ),
    pass && html("button", { type: "button", "data-key": "pass", click: () => scene.play("pass") }, "Pass"),
  );
}

function seats({ view, names, titles }) {
  return html(
    "ul",
    { class: "seats" },
    view.hands.map((cards, seat) =>
      html(
        "li",
        { class: view.to_act === seat ? "acting" : "" },
        html("b", {}, names[seat]),
        html("span", { class: "quiet" }, titles[seat], `${cards.length} cards, ${view.scores[seat]} points`),
        html("span", { class: "chips" }, seat === view.seat ? null : cards.map(small)),
      ),
    ),
  );
}

export function draw(scene) {
  const legal = scene.moves.map(parse);
  const matching = playing(legal, scene.picks.cards ?? []);
  return [table(scene, matching), hand(scene, legal), buttons(scene, legal, matching), seats(scene)];
}

export function prompt(scene) {
  const legal = scene.moves.map(parse);
  const chosen = scene.picks.cards ?? [];
  const matching = playing(legal, chosen);
  if (matching.some(({ taken }) => taken)) return "Choose the card of the beaten set that you take.";
  if (matching.length) return "Play these cards, or choose more.";
  if (chosen.length) return "That is no set to play yet: choose more cards, or others.";
  if (legal.every(({ cards }) => !cards.length)) return "Nothing you hold beats the set: pass.";
  return scene.view.table.length ? "Beat the set with as many cards or one more, or pass." : "You lead: choose a card.";
}
