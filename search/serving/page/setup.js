/** The form for a new game or a record: made from what the server says of its games. */

import { Refusal } from "./client.js";
import { withdraw } from "./complaint.js";
import { html } from "./dom.js";

const USUAL_LEVEL = 3;
const ME = "you";

const options = (values, chosen) =>
  values.map(([value, text]) => html("option", { value, selected: value === chosen }, text));

/** A control for one rule: a choice where the server lists values, else a text with what it expects. */
function ruleField(name, values) {
  const label = name.replaceAll("_", " ");
  const attributes = { name: `rule-${name}` };
  if (!Array.isArray(values)) return html("label", {}, label, html("input", { ...attributes, placeholder: values }));
  if (values.every((value) => typeof value === "boolean"))
    return html(
      "label",
      { class: "check" },
      html("input", { ...attributes, type: "checkbox", checked: values[0] }),
      label,
    );
  const choices = values.map((value) => [JSON.stringify(value), String(value)]);
  return html("label", {}, label, html("select", attributes, options(choices, choices[0][0])));
}

function valueOf(control) {
  if (control.type === "checkbox") return control.checked;
  const text = control.value.trim();
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** The seed as written; undefined draws one. */
function seedIn(text) {
  if (text.trim() === "") return undefined;
  const seed = Number(text);
  if (/^\s*\d+\s*$/.test(text) && Number.isSafeInteger(seed)) return seed;
  const most = Number.MAX_SAFE_INTEGER;
  throw new Refusal({ field: "seed", error: `expected a whole number up to ${most}, or nothing to draw one` });
}

function botChoices({ levels, bots }) {
  const levelNames = Array.from({ length: levels }, (_, i) => [JSON.stringify({ level: i + 1 }), `level ${i + 1}`]);
  const botNames = Object.entries(bots).map(([name, about]) => [JSON.stringify({ bot: name }), `${name}: ${about}`]);
  const usual = levels >= USUAL_LEVEL ? { level: USUAL_LEVEL } : { bot: Object.keys(bots)[0] };
  return { levelNames, botNames, usual: JSON.stringify(usual) };
}

function seatField(seat, info, title, chosen) {
  const { levelNames, botNames } = botChoices(info);
  return html(
    "label",
    {},
    title,
    html(
      "select",
      { name: `seat-${seat}` },
      options([[ME, ME]], chosen),
      levelNames.length > 0 && html("optgroup", { label: "levels" }, options(levelNames, chosen)),
      html("optgroup", { label: "bots" }, options(botNames, chosen)),
    ),
  );
}

/**
 * Makes the dialog work.
 * @param {HTMLDialogElement} dialog
 * @param {object[]} games of the answer to `games`
 * @param {object} modules what draws each game, by its name
 * @param {(choose: () => object, seats: Array) => void} deal is called with what was chosen; the request is made by
 *   calling, which throws what is wrong
 * @param {(text: string, seat: number) => void} read is called with a record's text
 */
export function prepareSetup(dialog, games, modules, { deal, read }) {
  const form = dialog.querySelector("#setup-form");
  const [rules, seats] = [dialog.querySelector("#rules"), dialog.querySelector("#seats")];
  const chosen = () => games.find(({ name }) => name === form.elements.game.value);

  function drawSeats() {
    const info = chosen();
    const { usual } = botChoices(info);
    const titles = modules[info.name].seatTitles;
    const players = titles?.length ?? valueOf(form.elements["rule-players"]);
    const before = [...seats.querySelectorAll("select")].map(({ value }) => value);
    seats.replaceChildren(
      ...Array.from({ length: players }, (_, seat) =>
        seatField(seat, info, titles?.[seat] ?? `seat ${seat}`, before[seat] ?? (seat === 0 ? ME : usual)),
      ),
    );
  }

  function drawRules() {
    const info = chosen();
    dialog.querySelector("#about").textContent = info.about;
    rules.replaceChildren(...Object.entries(info.rules).map(([name, values]) => ruleField(name, values)));
    seats.replaceChildren();
    drawSeats();
  }

  form.elements.game.replaceChildren(...options(games.map(({ name }) => [name, modules[name].title])));
  form.elements.game.addEventListener("change", drawRules);
  rules.addEventListener("change", ({ target }) => target.name === "rule-players" && drawSeats());
  seats.addEventListener("change", ({ target }) => {
    // one person plays: whoever takes a seat leaves the other
    if (target.value !== ME) return;
    const others = [...seats.querySelectorAll("select")].filter((one) => one !== target && one.value === ME);
    for (const other of others) other.value = botChoices(chosen()).usual;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const controls = [...rules.querySelectorAll("[name]")];
    const given = controls.map((one) => [one.name.slice("rule-".length), valueOf(one)]);
    const bots = [...seats.querySelectorAll("select")].map(({ value }) => (value === ME ? null : JSON.parse(value)));
    const request = () => ({
      game: form.elements.game.value,
      rules: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
      seed: seedIn(form.elements.seed.value),
    });
    deal(request, bots);
  });
  dialog.querySelector("#record-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const { record, seat } = event.target.elements;
    read(record.value, seat.valueAsNumber || 0);
  });
  dialog.querySelector("[name=file]").addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    if (file) read(await file.text(), target.form.elements.seat.valueAsNumber || 0);
    target.value = ""; // so that the same file can be chosen again
  });
  for (const type of ["input", "change", "close"]) dialog.addEventListener(type, () => withdraw(dialog));
  for (const button of dialog.querySelectorAll("[data-close]")) button.addEventListener("click", () => dialog.close());
  drawRules();
}

/** Bots on all seats but one (the last if there are not so many), where nobody chose any. */
export function usualSeats(info, players, seat) {
  const usual = JSON.parse(botChoices(info).usual);
  const own = Math.min(seat, players - 1);
  return Array.from({ length: players }, (_, other) => (other === own ? null : usual));
}
