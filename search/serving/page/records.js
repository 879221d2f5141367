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
 * The records in a text, which holds either one or one a line.
 * @throws {Refusal}
 */
export function recordsIn(text) {
  const whole = parsed(text);
  if (whole) return [whole];
  const lines = text.split("\n").filter((line) => line.trim());
  const records = lines.map(parsed);
  if (records.length && records.every(Boolean)) return records;
  const where = lines.length > 1 && records[0] ? `line ${records.findIndex((one) => !one) + 1}` : "that";
  throw new Refusal({ field: "record", error: `${where} is no JSON; expected a record as mess play writes it` });
}

/** Lets the browser save a record as a file. */
export function download(record, name) {
  const blob = new Blob([`${JSON.stringify(record)}\n`], { type: "application/json" });
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
