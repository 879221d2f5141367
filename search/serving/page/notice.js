/** One thing at a time, and what went wrong told kindly. */

import { Refusal } from "./client.js";
import { complain, withdraw } from "./complaint.js";
import { $ } from "./dom.js";

const STAYS = 8000; // milliseconds
const PLAIN = ["server", "request", "game_id"]; // fields that tell a person nothing

let busy = false;
let fading;

export function notice(text) {
  $("toast").textContent = text;
  $("toast").hidden = false;
  clearTimeout(fading);
  fading = setTimeout(hideNotice, STAYS);
}

export const hideNotice = () => {
  $("toast").hidden = true;
};

/** Tells what a server refused; anything else is a fault of the page and goes on to the console. */
export function excuse(error) {
  if (!(error instanceof Refusal)) throw error;
  const text = PLAIN.includes(error.field) ? error.message : `${error.field}: ${error.message}`;
  if ($("setup").open) complain($("setup"), error, text);
  else notice(text);
}

function setBusy(now) {
  busy = now;
  $("table").setAttribute("aria-busy", now);
  $("deal").disabled = now;
}

export const isBusy = () => busy;

/** Does a task unless another is being done; `finish` is called after it, however it ends. */
export async function run(task, finish) {
  if (busy) return notice("One moment, the game goes on …");
  setBusy(true);
  withdraw($("setup"));
  try {
    await task();
  } catch (error) {
    excuse(error);
  } finally {
    setBusy(false);
    finish?.();
  }
}
