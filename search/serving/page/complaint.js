/** What is wrong in the dialog for a new game, told where it is. */

import { html } from "./dom.js";

/** The control that a field of the protocol comes from, and whether it is that field itself. */
function source(dialog, field) {
  const rule = field.match(/^rules\.(\w+)$/);
  const [own] = field.split(/[.[]/);
  if (rule) return { control: dialog.querySelector(`[name="rule-${rule[1]}"]`), itself: true };
  if (field === "seats") return { control: dialog.querySelector("#seats select"), itself: true };
  if (field === "seed") return { control: dialog.querySelector("[name=seed]"), itself: true };
  if (own === "record") return { control: dialog.querySelector("[name=record]"), itself: field === own };
  return {};
}

/**
 * Tells in the dialog what is wrong: below the field if there is one, else above the buttons.
 * @param {HTMLDialogElement} dialog
 * @param {{field: string, message: string}} error
 * @param {string} text with the name of the field, for where the place does not tell it
 */
export function complain(dialog, { field, message }, text) {
  withdraw(dialog);
  const { control, itself } = source(dialog, field);
  const told = html("p", { class: "error", id: "setup-error", role: "alert" }, control && itself ? message : text);
  if (!control) dialog.querySelector("#setup-form .choices").before(told);
  else {
    const within = control.closest("details");
    if (within) within.open = true;
    control.closest("label").append(told);
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", told.id);
    control.focus();
  }
  told.scrollIntoView({ block: "nearest" });
}

/** Takes back what was told; the next try may be right. */
export function withdraw(dialog) {
  for (const told of dialog.querySelectorAll(".error")) told.remove();
  for (const control of dialog.querySelectorAll("[aria-invalid]")) {
    control.removeAttribute("aria-invalid");
    control.removeAttribute("aria-describedby");
  }
}
