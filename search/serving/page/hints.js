/** Hints: a bar with its 95 % interval for every move, longer while the search goes on. */

import { html, redraw } from "./dom.js";
import { percent } from "./words.js";

const FIRST = 8; // moves shown before one asks for all

/** How a kind of advice is told: solved or estimated, by points or by the chance to end first. */
function kindOf({ moves, iterations, method }) {
  const isCertain = moves.every(({ low, high, visits }) => low === high && visits === 0) && iterations === 0;
  const solved = /^(table|exact)/.test(method) || isCertain;
  const byPoints = moves.every(({ points }) => points != null);
  const lost = solved && !byPoints && moves.every(({ win }) => win === 0);
  const points = moves.map((one) => one.points ?? 0);
  const least = Math.min(0, ...points);
  return { solved, byPoints, lost, ranked: iterations === 0, least, span: Math.max(...points) - least || 1 };
}

function headline({ solved, byPoints, lost, ranked }) {
  if (lost) return `Lost against perfect play${ranked ? "; these hold out longest" : ""}:`;
  const what = byPoints ? "How many points are to be expected" : "How likely you are to end first";
  return `${what}, ${solved ? "solved" : byPoints ? "estimated" : "with 95 % intervals"}:`;
}

const pointsIn = (points) => `${points.toFixed(1)} points`;

function bar({ win, low, high, points }, { solved, byPoints, least, span }) {
  const interval = !byPoints && !solved && low < high;
  const text = byPoints ? pointsIn(points) : percent(win);
  const label = interval ? `${text}, 95 % interval ${percent(low)} to ${percent(high)}` : text;
  const track = html(
    "div",
    { class: "bar", role: "img", "aria-label": label },
    html("div", { class: "fill" }),
    interval && html("div", { class: "interval" }),
  );
  const length = byPoints ? (points - least) / span : win;
  for (const [name, value] of Object.entries({ length, low, high })) track.style.setProperty(`--${name}`, value);
  return track;
}

function line(judged, kind, { describe, words, play }) {
  const { move, win, mess, points, why } = judged;
  const reason = words(why);
  const extras = [
    !kind.byPoints && points != null && `${pointsIn(points)} expected`,
    mess != null && (mess ? `takes ${mess.toFixed(1)} tiles` : "takes nothing"),
    kind.byPoints ? reason.replace(/\s*-?[\d.]+ points to be expected\.?/, "") : reason,
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
    html("b", { class: "win" }, kind.byPoints ? pointsIn(points) : percent(win)),
    bar(judged, kind),
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
  const kind = kindOf(answer.advice);
  const effort = iterations
    ? `${iterations.toLocaleString()} iterations${kind.solved ? "" : ` of ${method}`} in ${seconds.toFixed(1)} s`
    : `in ${seconds.toFixed(1)} s`;
  const state = answer.partial ? "thinking …" : answer.stopped ? "stopped early" : kind.solved ? "solved" : "done";
  redraw(
    root,
    html("p", { class: "quiet" }, headline(kind)),
    html(
      "ol",
      { class: "hints", "data-state": answer.partial ? "partial" : "final" },
      first.map((one) => line(one, kind, options)),
    ),
    rest.length > 0 &&
      html(
        "details",
        { open: wasOpen },
        html("summary", {}, `${rest.length} more`),
        html(
          "ol",
          { class: "hints" },
          rest.map((one) => line(one, kind, options)),
        ),
      ),
    html("p", { class: "quiet" }, [state, effort].join(iterations ? ": " : " ")),
  );
}
