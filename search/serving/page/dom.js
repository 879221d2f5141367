/** Elements made, focus kept, arrow keys followed: what all parts of the page share. */

/** The element with an id. */
export const $ = (id) => document.getElementById(id);

const SVG = "http://www.w3.org/2000/svg";

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

/** An HTML element; functions among the attributes listen to the event of that name, false ones are left out. */
export const html = (tag, attributes = {}, ...children) => furnish(document.createElement(tag), attributes, children);

/** The same in SVG. */
export const svg = (tag, attributes = {}, ...children) =>
  furnish(document.createElementNS(SVG, tag), attributes, children);

/** Attributes that make a drawn thing a button; `key` finds it again after the next drawing. */
export const pressable = (key, label, action) => ({
  role: "button",
  tabindex: 0,
  "data-key": key,
  "aria-label": label,
  click: action,
  keydown: (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    action();
  },
});

/** Draws anew what is in `root`; a focus in there stays on the thing with the same key, else goes to the first one. */
export function redraw(root, ...children) {
  const wasInside = root.contains(document.activeElement);
  const key = wasInside ? (document.activeElement.dataset.key ?? "") : "";
  root.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (!wasInside) return;
  const same = root.querySelector(`[data-key="${CSS.escape(key)}"]:not([disabled])`);
  (same ?? firstChoice(root) ?? root).focus({ preventScroll: true });
}

/** The first thing in `root` that can be chosen. */
export const firstChoice = (root) => root.querySelector("[data-key]:not([disabled])");

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE = 3; // how much farther a thing seems for each step it lies beside the way

/** Lets the arrow keys move the focus to the nearest thing in their direction. */
export function followArrows(root) {
  const centre = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  root.addEventListener("keydown", (event) => {
    const direction = DIRECTIONS[event.key];
    if (!direction) return;
    event.preventDefault();
    const from = event.target.closest("[data-key]");
    if (!from) return firstChoice(root)?.focus();
    const [x, y] = centre(from);
    const [right, down] = direction;
    const distance = (element) => {
      const [dx, dy] = centre(element).map((value, axis) => value - [x, y][axis]);
      const ahead = dx * right + dy * down;
      return ahead > 1 ? ahead + ASIDE * Math.abs(dx * down + dy * right) : Infinity;
    };
    const others = [...root.querySelectorAll("[data-key]:not([disabled])")].filter((one) => distance(one) < Infinity);
    others.sort((a, b) => distance(a) - distance(b))[0]?.focus();
  });
}

/** Waits so many milliseconds, or until `signal` is raised. */
export const pause = (milliseconds, signal) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", resolve, { once: true });
  });
