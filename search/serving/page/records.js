/** Records: read from text, written to a file. */

import { Refusal } from "./client.js";
import { html } from "./dom.js";

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * The record in a text, or the first of a text that holds one a line.
 * @throws {Refusal}
 */
export function recordIn(text) {
  const record = parsed(text) ?? parsed(text.trim().split("\n")[0]);
  if (record) return record;
  throw new Refusal({ field: "record", error: "that is no JSON; expected a record as mess play writes it" });
}

/** Lets the browser save a record as a file. */
export function download(record, name) {
  const blob = new Blob([`${JSON.stringify(record)}\n`], { type: "application/json" });
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
