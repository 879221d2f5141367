/** The page begins here: what clicks, keys and dropped files do. */

import { Client, Refusal } from "./client.js";
import { $, followArrows, html } from "./dom.js";
import * as flaming from "./games/flaming.js";
import * as meeples from "./games/meeples.js";
import * as odin from "./games/odin.js";
import * as pylos from "./games/pylos.js";
import { download, recordsIn } from "./records.js";
import { Session } from "./session.js";
import { prepareSetup, usualSeats } from "./setup.js";
import { Table } from "./table.js";
import { followTheme } from "./theme.js";

const MODULES = { flaming, odin, pylos, meeples };

const client = new Client((isSlow) => {
  for (const text of document.querySelectorAll(".warming")) text.hidden = !isSlow;
});
const table = new Table(MODULES);
let games = [];
let records = []; // of the file that was read last
let recordSeat = 0;

function deal(choose, seats) {
  return table.run(async () => {
    if (!seats.includes(null)) throw new Refusal({ field: "seats", error: "choose one for yourself" });
    const request = choose();
    $("deal").textContent = "Dealing …";
    try {
      await table.open(await Session.start(client, request, () => seats));
    } finally {
      $("deal").textContent = "Deal";
    }
  });
}

/** Opens the last of the records in a text; the others are offered beside it. */
function read(text, seat) {
  return table.run(async () => {
    const found = recordsIn(text);
    await openRecord(found, found.length - 1, seat);
    [records, recordSeat] = [found, seat];
  });
}

async function openRecord(list, index, seat) {
  const record = list[index];
  const info = games.find(({ name }) => name === record.game);
  if (!info) throw new Refusal({ field: "record.game", error: "expected one of the games here" });
  const seating = (players) => usualSeats(info, players, seat);
  const place = list.length > 1 ? { index, count: list.length } : null;
  const session = await Session.start(client, { record }, seating, { reading: true, place });
  const titles = list.map(({ game }, i) => `game ${i + 1} of ${list.length}: ${MODULES[game]?.title ?? game}`);
  $("record-choice").replaceChildren(...titles.map((title, value) => html("option", { value }, title)));
  await table.open(session, 0);
}

const save = () =>
  table.run(async () => {
    const record = await table.session.record();
    download(record, `${record.game}-${record.seed}.json`);
  });

const CLICKS = {
  new: () => $("setup").showModal(),
  help: () => $("keys").showModal(),
  save,
  hint: () => table.hint(),
  undo: () => table.undo(),
  on: () => table.goOn(),
  branch: () => table.branch(),
  back: () => table.back(),
  first: () => table.goTo(0),
  earlier: () => table.goBy(-1),
  later: () => table.goBy(1),
  last: () => table.goTo(table.session.plies),
};
const KEYS = { "?": "hint", u: "undo", "[": "earlier", "]": "later", n: "new", w: "branch" };

function press(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog, input, select, textarea")) return;
  if (key === "Escape") return table.escape();
  if (/^[1-9]$/.test(key)) return $("stage").querySelectorAll("[data-hand]")[key - 1]?.click();
  const button = $(KEYS[key]);
  if (!button || button.hidden) return;
  event.preventDefault();
  button.click();
}

async function drop(event) {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) read(await file.text(), $("record-form").elements.seat.valueAsNumber || 0);
}

/** The game that was on the table before; undefined if there was none, null if the server no longer has it. */
async function restored() {
  try {
    return await Session.restore(client);
  } catch (error) {
    if (error.field === "server") throw error;
    Session.forget();
    return null;
  }
}

async function start() {
  followTheme($("theme"));
  followArrows($("stage"));
  for (const [id, action] of Object.entries(CLICKS)) $(id).addEventListener("click", action);
  $("record-choice").addEventListener("change", ({ target }) =>
    table.run(() => openRecord(records, target.selectedIndex, recordSeat)),
  );
  $("ply").addEventListener("input", () => table.goTo($("ply").valueAsNumber));
  document.addEventListener("keydown", press);
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", drop);
  await table.run(async () => {
    games = (await client.ask("games")).games.filter(({ name }) => name in MODULES);
    prepareSetup($("setup"), games, MODULES, { deal, read });
    const session = await restored();
    if (session) await table.open(session);
    else $("setup").showModal();
    if (session === null)
      throw new Refusal({ field: "game_id", error: "The server no longer has your game. Please start a new one." });
  });
}

start();
