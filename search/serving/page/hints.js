/** Hints: a bar with its 95 % interval for every move, longer while the search goes on. */

import { html, redraw } from "./dom.js";
import { percent } from "./words.js";

const FIRST = 8; // moves shown before one asks for all

function bar({ win, low, high }) {
  const track = html(
    "div",
    { class: "bar", role: "img", "aria-label": `${percent(win)}, 95 % interval ${percent(low)} to ${percent(high)}` },
    html("div", { class: "fill" }),
    html("div", { class: "interval" }),
  );
  for (const [name, value] of Object.entries({ win, low, high })) track.style.setProperty(`--${name}`, value);
  return track;
}

function line(judged, { describe, words, play }) {
  const { move, win, mess, points, why } = judged;
  const extras = [
    points != null && `${points.toFixed(1)} points expected`,
    mess != null && (mess ? `takes ${mess.toFixed(1)} tiles` : "takes nothing"),
    words(why),
  ];
  return html(
    "li",
    {},
    html(
      "button",
      {
        type: "button",
        class: "move",
        "data-key": `hint ${move}`,
        "aria-label": `Play: ${describe(move)}`,
        disabled: !play,
        click: () => play(move),
      },
      describe(move),
    ),
    html("b", { class: "win" }, percent(win)),
    bar(judged),
    html("p", { class: "quiet" }, extras.filter(Boolean).join(" · ")),
  );
}

/**
 * Draws advice.
 * @param {Element} root
 * @param {object} answer of `advise`, partial or final
 * @param {(move: string) => string} options.describe a move in words
 * @param {(clause: string) => string} options.words the server's words, with the seats' names
 * @param {((move: string) => void) | null} options.play plays a move; null where it is no longer to be played
 */
export function drawHints(root, answer, options) {
  const { moves, iterations, method, seconds } = answer.advice;
  const [first, rest] = [moves.slice(0, FIRST), moves.slice(FIRST)];
  const wasOpen = root.querySelector("details")?.open;
  const state = answer.partial ? "thinking …" : answer.stopped ? "stopped early" : "done";
  redraw(
    root,
    html("p", { class: "quiet" }, "How likely you are to end first, with 95 % intervals:"),
    html(
      "ol",
      { class: "hints", "data-state": answer.partial ? "partial" : "final" },
      first.map((one) => line(one, options)),
    ),
    rest.length > 0 &&
      html(
        "details",
        { open: wasOpen },
        html("summary", {}, `${rest.length} more`),
        html(
          "ol",
          { class: "hints" },
          rest.map((one) => line(one, options)),
        ),
      ),
    html(
      "p",
      { class: "quiet" },
      `${state}: ${iterations.toLocaleString()} iterations of ${method} in ${seconds.toFixed(1)} s`,
    ),
  );
}
