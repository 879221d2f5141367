/** A shape for every colour, so that nothing is told by colour alone. */

import { html, svg } from "../dom.js";

const SHAPES = {
  R: ["red", "M0-7 7 6H-7Z"],
  B: ["blue", "M0-6.5A6.5 6.5 0 1 1 0 6.5 6.5 6.5 0 1 1 0-6.5Z"],
  G: ["green", "M0-7.5 7 0 0 7.5-7 0Z"],
  Y: ["yellow", "M-5.5-5.5h11v11h-11Z"],
  P: ["pink", "M0-7 7-2 4.3 6H-4.3L-7-2Z"],
  K: ["black", "M-2.5-7h5v4.5h4.5v5H2.5V7h-5V2.5H-7v-5h4.5Z"],
  O: ["orange", "M-3.5-6.2h7L7 0 3.5 6.2h-7L-7 0Z"],
  M: ["every colour", "M0-7A7 7 0 1 1 0 7 7 7 0 1 1 0-7ZM0-3A3 3 0 1 0 0 3 3 3 0 1 0 0-3Z"],
  X: ["goat", "M0-7.5 2-2.5 7-2.5 3 1 4.5 6.5 0 3-4.5 6.5-3 1-7-2.5-2-2.5Z"],
};

/** Name of the colour that a code begins with. */
export const colourOf = (code) => SHAPES[code[0]][0];

/** The shape of a code's colour, around a point. */
export const shape = (code, x = 0, y = 0) =>
  svg("path", { class: "shape", d: SHAPES[code[0]][1], transform: `translate(${x} ${y})`, "fill-rule": "evenodd" });

/** The shape as a picture of its own, to stand in a line of text. */
export const shapeIcon = (code) =>
  svg("svg", { class: "icon", viewBox: "-8 -8 16 16", "aria-hidden": "true" }, shape(code));

/** A tile or card in a line of text; "?" is the back of one. */
export const chip = (code, name, text = code.slice(1)) =>
  code === "?"
    ? html("span", { class: "chip back", role: "img", "aria-label": "hidden" })
    : html("span", { class: "chip", "data-colour": code[0], role: "img", "aria-label": name }, shapeIcon(code), text);
