/** What happened, a line a step; the one on the table is marked. */

import { $, html } from "./dom.js";

/**
 * Draws the log; lines that are there already stay.
 * @param {string[]} lines of all steps
 * @param {number} ply of the step to mark
 * @param {(ply: number) => void} choose is called with the step of a line that is clicked
 */
export function drawLog(lines, ply, choose) {
  const log = $("log");
  while (log.children.length > lines.length) log.lastChild.remove();
  for (const text of lines.slice(log.children.length)) {
    const own = log.children.length + 1;
    log.append(html("li", {}, html("button", { type: "button", click: () => choose(own) }, text)));
  }
  log.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = log.children[ply - 1];
  if (!current) {
    log.scrollTop = 0;
    return;
  }
  current.setAttribute("aria-current", "step");
  log.scrollTop = current.offsetTop - log.clientHeight / 2;
}
