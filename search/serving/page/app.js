/** The page: a session on the table, shown step by step, and what the person's clicks and keys do. */

import { Client, Refusal } from "./client.js";
import { firstChoice, followArrows, html, pause, redraw } from "./dom.js";
import * as flaming from "./games/flaming.js";
import * as meeples from "./games/meeples.js";
import * as odin from "./games/odin.js";
import * as pylos from "./games/pylos.js";
import { drawHints } from "./hints.js";
import { Session } from "./session.js";
import { prepareSetup, usualSeats } from "./setup.js";
import { followTheme } from "./theme.js";
import { botTitle, outcome, retell, seatNames } from "./words.js";

const GAMES = { flaming, odin, pylos, meeples };
const TOAST = 8000; // milliseconds that a message stays

const client = new Client();
const $ = (id) => document.getElementById(id);
let games = [];
let session = null;
let scene = null; // what is drawn: see `look`
let busy = false;
let hurry = new AbortController(); // raised to show the rest of the steps at once
let search = null; // raised to end the hint's search

// --- what went wrong ---

let fading;
function toast(text) {
  $("toast").textContent = text;
  $("toast").hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => ($("toast").hidden = true), TOAST);
}

function excuse(error) {
  if (!(error instanceof Refusal)) throw error;
  toast(["server", "request", "game_id"].includes(error.field) ? error.message : `${error.field}: ${error.message}`);
}

function setBusy(now) {
  busy = now;
  $("table").setAttribute("aria-busy", now);
  $("deal").disabled = now;
}

/** Does one thing at a time, and tells kindly what went wrong. */
async function run(task) {
  if (busy) return toast("One moment, the game goes on …");
  setBusy(true);
  try {
    await task();
  } catch (error) {
    excuse(error);
  } finally {
    setBusy(false);
    drawTools();
  }
}

// --- what is on the table ---

const module = () => GAMES[session.game];
const names = () => seatNames(session, module().seatTitles);
const atEnd = () => scene.ply === session.plies;

/** Puts the position after `ply` moves on the table; with `beat` the way there, so many clauses told. */
async function look(ply, beat) {
  const [{ view, toAct }, before] = await Promise.all([session.observe(ply), ply > 0 ? session.observe(ply - 1) : null]);
  const step = before && { by: before.toAct, ...session.log[ply - 1] };
  const moves = beat === undefined && ply === session.plies ? await session.legal() : [];
  const told = step && { ...step, text: retell(step, names()) };
  scene = { ply, view, toAct, before: before?.view, step: told, beat, moves, picks: {} };
  drawTable();
  drawTools();
}

function drawTable() {
  const actions = {
    names: names(),
    titles: session.seats.map(botTitle),
    pick: (picks) => {
      scene.picks = picks;
      drawTable();
    },
    play,
  };
  redraw($("stage"), module().draw({ ...scene, ...actions }));
  $("status").textContent = status();
}

function status() {
  const { step, beat, toAct, moves } = scene;
  if (beat !== undefined) return `${who(step)}: ${step.text[beat] ?? module().describe(step.move)}`;
  if (!atEnd()) return step ? `${who(step)}: ${tell(step)}` : "The start.";
  if (session.isOver) return module().ending?.(scene.view) ?? outcome(session.result, names());
  if (session.reading) return "The end of the record.";
  if (moves.length) return `Your turn. ${module().prompt(scene)}`;
  return `${names()[toAct] ?? module().chance} thinks …`;
}

const who = ({ by }) => names()[by] ?? module().chance;
const tell = ({ move, text }) => module().tell(move, text);

function drawTools() {
  if (!session || !scene) return;
  const rules = Object.entries(session.rules).map(([name, value]) =>
    value === true ? name : value === false ? "" : `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`,
  );
  const ways = [session.reading ? "a record" : session.parent ? "what if" : ""];
  const parts = [...ways, module().title, ...rules, `seed ${session.seed}`].filter(Boolean);
  $("heading").textContent = parts.join(" · ").replaceAll("_", " ");
  $("table").hidden = $("side").hidden = false;
  $("ply").max = session.plies;
  $("ply").value = scene.ply;
  $("ply").setAttribute("aria-valuetext", `${scene.ply} of ${session.plies}`);
  $("first").disabled = $("earlier").disabled = scene.ply === 0;
  $("last").disabled = $("later").disabled = atEnd();
  $("hint").disabled = scene.toAct !== session.seat;
  $("undo").disabled = session.reading || session.plies === 0;
  $("branch").hidden = atEnd() && !session.reading;
  $("branch").disabled = scene.toAct === null;
  $("back").hidden = !session.parent;
  $("save").hidden = session.reading || !session.isOver;
  drawLog();
}

function drawLog() {
  const log = $("log");
  while (log.children.length > session.plies) log.lastChild.remove();
  for (let ply = log.children.length + 1; ply <= session.plies; ply++) {
    const step = session.log[ply - 1];
    const mover = step.by === undefined ? "" : `${who(step)}: `;
    const text = `${mover}${tell({ ...step, text: retell(step, names()) })}`;
    log.append(html("li", {}, html("button", { type: "button", click: () => goTo(ply) }, text)));
  }
  log.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = log.children[scene.ply - 1];
  current?.setAttribute("aria-current", "step");
  if (current) log.scrollTop = current.offsetTop - log.clientHeight / 2;
}

// --- the game goes on ---

async function open(next) {
  session = next;
  scene = null;
  $("log").replaceChildren();
  $("toast").hidden = true;
  clearHints();
  session.keep();
  $("setup").close();
  await look(session.plies);
  await goOn();
  focusChoice();
}

/** Bots move until the person is to decide. */
async function goOn() {
  while (session.isBots) {
    const from = session.plies;
    await session.moveBot();
    await follow(from);
  }
}

/** Shows the steps after `from` one after another, each clause by clause. */
async function follow(from) {
  const wait = Number($("pace").value);
  for (let ply = from + 1; ply <= session.plies; ply++) {
    const clauses = session.log[ply - 1].text.length;
    for (let beat = 0; beat < clauses && wait && !hurry.signal.aborted; beat++) {
      await look(ply, beat);
      await pause(wait, hurry.signal);
    }
    if (ply === session.plies) await look(ply);
  }
}

const play = (move) =>
  run(async () => {
    clearHints();
    hurry = new AbortController();
    const from = session.plies;
    await session.play(move);
    await follow(from);
    await goOn();
    if (document.activeElement === document.body) focusChoice();
  });

const focusChoice = () => firstChoice($("stage"))?.focus({ preventScroll: true });

const undo = () =>
  run(async () => {
    clearHints();
    await session.undo();
    await look(session.plies);
  });

/** Looks at another step; of many wishes at once, as of a slider, the last one counts. */
let wished = null;
async function goTo(ply) {
  if (!session || ply < 0 || ply > session.plies) return;
  wished = ply;
  if (busy) return;
  await run(async () => {
    for (let next = wished; next !== null; next = wished) {
      wished = null;
      await look(next);
    }
  });
}

const branch = () => run(async () => open(await session.branch(scene.ply)));

function clearHints() {
  search?.abort();
  $("hints").replaceChildren(html("p", { class: "quiet" }, "A search judges your moves by what you can see."));
}

async function hint() {
  if (!session || $("hint").disabled || search) return;
  const { ply } = scene;
  const mine = session;
  const { plies } = session;
  search = new AbortController();
  const show = (answer) => {
    if (mine !== session || mine.plies !== plies) return; // the game has gone on
    const { describe } = module();
    const words = (clause) => retell({ text: [clause], by: mine.seat }, names())[0];
    drawHints($("hints"), answer, { describe, words, play: ply === plies && mine.isMine ? play : null });
  };
  $("hints").replaceChildren(html("p", { class: "quiet" }, "Thinking …"));
  try {
    show(await session.advise(ply, Number($("seconds").value), { partial: show, signal: search.signal }));
  } catch (error) {
    $("hints").replaceChildren();
    excuse(error);
  } finally {
    search = null;
  }
}

// --- records ---

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Opens a record, or the first of a file of them. */
function read(text, seat) {
  return run(async () => {
    const record = parseJson(text) ?? parseJson(text.trim().split("\n")[0]);
    if (!record) throw new Refusal({ field: "record", error: "that is no JSON; expected a record as mess play writes it" });
    const info = games.find(({ name }) => name === record.game);
    if (!info) throw new Refusal({ field: "record.game", error: "expected one of the games here" });
    const seating = (players) => usualSeats(info, players, seat);
    await open(await Session.start(client, { record }, seating, { reading: true }));
    await look(0);
  });
}

const save = () =>
  run(async () => {
    const blob = new Blob([`${JSON.stringify(await session.record())}\n`], { type: "application/json" });
    const link = html("a", { href: URL.createObjectURL(blob), download: `${session.game}-${session.seed}.json` });
    link.click();
    URL.revokeObjectURL(link.href);
  });

// --- clicks and keys ---

const CLICKS = {
  new: () => $("setup").showModal(),
  help: () => $("keys").showModal(),
  save,
  hint,
  undo,
  branch,
  back: () => run(async () => open(session.back())),
  first: () => goTo(0),
  earlier: () => goTo(scene.ply - 1),
  later: () => goTo(scene.ply + 1),
  last: () => goTo(session.plies),
};
const KEYS = { "?": "hint", u: "undo", "[": "earlier", "]": "later", n: "new", w: "branch" };

function escape() {
  hurry.abort();
  search?.abort();
  if (scene && Object.keys(scene.picks).length) {
    scene.picks = {};
    drawTable();
  }
}

function press(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog, input, select, textarea")) return;
  if (key === "Escape") return escape();
  if (/^[1-9]$/.test(key)) return $("stage").querySelectorAll("[data-hand]")[key - 1]?.click();
  const button = $(KEYS[key]);
  if (!button || button.hidden) return;
  event.preventDefault();
  button.click();
}

async function start() {
  followTheme($("theme"));
  followArrows($("stage"));
  for (const [id, action] of Object.entries(CLICKS)) $(id).addEventListener("click", action);
  $("ply").addEventListener("input", () => goTo($("ply").valueAsNumber));
  $("pace").addEventListener("change", () => Number($("pace").value) || hurry.abort());
  document.addEventListener("keydown", press);
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    const seat = document.querySelector("#record-form [name=seat]").valueAsNumber;
    if (file) read(await file.text(), seat || 0);
  });
  await run(async () => {
    ({ games } = await client.ask("games"));
    games = games.filter(({ name }) => name in GAMES);
    prepareSetup($("setup"), games, GAMES, {
      deal: (request, seats) =>
        run(async () => {
          if (!seats.includes(null)) throw new Refusal({ field: "seats", error: "choose one for yourself" });
          await open(await Session.start(client, request, () => seats));
        }),
      read,
    });
    const kept = await Session.restore(client).catch((error) => {
      if (error.field === "server") throw error;
      Session.forget();
      toast("The server no longer has your game. Please start a new one.");
    });
    if (kept) await open(kept);
    else $("setup").showModal();
  });
}

start();
