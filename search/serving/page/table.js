/** The table: a session shown step by step, and what a person does there. */

import { $, firstChoice, html, pause, redraw } from "./dom.js";
import { drawHints } from "./hints.js";
import { drawLog } from "./log.js";
import { excuse, hideNotice, isBusy, run } from "./notice.js";
import { botTitle, outcome, retell, rulesInWords, seatNames, sentence } from "./words.js";

/** Scrolls hints into sight: all that fit where they lie below the table, else the first. */
function showHints() {
  const isBelow = $("side").offsetTop > $("table").offsetTop;
  const shown = isBelow ? $("hints") : $("hints").querySelector("li");
  shown?.scrollIntoView({ block: "nearest" });
}

export class Table {
  session = null;
  #modules;
  #scene = null; // what is drawn, see #look
  #hurry = new AbortController(); // raised to show the rest of the steps at once
  #search = null; // raised to end a hint's search
  #wished = null; // the step that the person wants to see

  /** @param {object} modules what draws each game, by its name */
  constructor(modules) {
    this.#modules = modules;
  }

  // --- what lies on it ---

  get #module() {
    return this.#modules[this.session.game];
  }

  get #names() {
    return seatNames(this.session, this.#module.seatTitles);
  }

  get #atEnd() {
    return this.#scene.ply === this.session.plies;
  }

  /** Puts the position after `ply` moves on the table; with `beat` the way there, so many clauses told. */
  async #look(ply, beat) {
    const { session } = this;
    const [{ view, toAct }, before] = await Promise.all([
      session.observe(ply),
      ply > 0 ? session.observe(ply - 1) : null,
    ]);
    const moves = beat === undefined && ply === session.plies ? await session.legal() : [];
    const step = before && this.#told({ by: before.toAct, ...session.log[ply - 1] });
    this.#scene = { ply, view, toAct, before: before?.view, step, beat, moves, picks: {} };
    this.#draw();
    this.#drawTools();
  }

  #told(step) {
    return { ...step, text: retell(step, this.#names) };
  }

  #draw() {
    const scene = {
      ...this.#scene,
      names: this.#names,
      titles: this.session.seats.map(botTitle),
      play: (move) => this.play(move),
      pick: (picks) => {
        this.#scene.picks = picks;
        this.#draw();
      },
    };
    redraw($("stage"), this.#module.draw(scene));
    $("status").textContent = this.#status();
  }

  #status() {
    const { step, beat, view, toAct, moves } = this.#scene;
    const { session } = this;
    if (beat !== undefined) return sentence(this.#who(step), step.text[beat], ": ");
    if (!this.#atEnd) return step ? this.#tell(step) : "The start.";
    if (session.isOver) return this.#module.ending?.(view) ?? outcome(session.result, this.#names);
    if (session.reading) return "The end of the record.";
    if (moves.length) return `Your turn. ${this.#module.prompt(this.#scene)}`;
    return `${this.#names[toAct]} thinks …`;
  }

  #who({ by }) {
    return this.#names[by] ?? this.#module.chance;
  }

  #tell(step) {
    const text = this.#module.tell(step.move, step.text);
    return step.by === undefined ? text : sentence(this.#who(step), text, step.by in this.#names ? " " : ": ");
  }

  #drawTools() {
    if (!this.#scene) return;
    const { session } = this;
    const { ply, toAct } = this.#scene;
    const place = session.place && `game ${session.place.index + 1} of ${session.place.count}`;
    const kind = session.reading ? (place ?? "a record") : session.parent ? "what if" : "";
    const seed = session.seed === null ? "" : `seed ${session.seed}`;
    const parts = [kind, this.#module.title, ...rulesInWords(session.rules), seed];
    $("heading").textContent = parts.filter(Boolean).join(" · ");
    $("table").hidden = $("side").hidden = false;
    $("records").hidden = !session.reading || !place || !$("record-choice").length;
    if (place) $("record-choice").value = session.place.index;
    $("ply").max = session.plies;
    $("ply").value = ply;
    $("ply").setAttribute("aria-valuetext", `${ply} of ${session.plies}`);
    $("first").disabled = $("earlier").disabled = ply === 0;
    $("last").disabled = $("later").disabled = this.#atEnd;
    $("hint").disabled = toAct !== session.seat;
    $("undo").disabled = session.reading || session.plies === 0;
    $("on").hidden = isBusy() || !session.isBots;
    $("branch").hidden = this.#atEnd && !session.reading;
    $("branch").disabled = toAct === null;
    $("back").hidden = !session.parent;
    $("save").hidden = session.reading || !session.isOver;
    drawLog(
      session.log.map((step) => this.#tell(this.#told(step))),
      ply,
      (chosen) => this.goTo(chosen),
    );
  }

  // --- the game goes on ---

  /** Does one thing at a time. */
  run(task) {
    return run(task, () => this.#drawTools());
  }

  /** Puts another session on the table, and lets its bots move if they are to. */
  async open(session, ply = session.plies) {
    this.session = session;
    this.#scene = null;
    this.#hurry = new AbortController();
    drawLog([]);
    hideNotice();
    this.#clearHints();
    if (session.reading) await session.learnMovers();
    session.keep();
    $("setup").close();
    await this.#look(ply);
    await this.#goOn();
    this.#focus();
  }

  /** Bots move until the person is to decide. */
  async #goOn() {
    while (this.session.isBots) {
      const from = this.session.plies;
      await this.session.moveBot();
      await this.#follow(from);
    }
  }

  /** Shows the steps after `from` one after another, clause by clause. */
  async #follow(from) {
    const { log, plies } = this.session;
    for (let ply = from + 1; ply <= plies; ply++) {
      for (const beat of log[ply - 1].text.keys()) {
        const wait = Number($("pace").value);
        if (!wait || this.#hurry.signal.aborted) break;
        await this.#look(ply, beat);
        await pause(wait, this.#hurry.signal);
      }
    }
    await this.#look(plies);
  }

  #focus() {
    firstChoice($("stage"))?.focus({ preventScroll: true });
  }

  play(move) {
    return this.run(async () => {
      this.#clearHints();
      this.#hurry = new AbortController();
      const from = this.session.plies;
      await this.session.play(move);
      await this.#follow(from);
      await this.#goOn();
      if (document.activeElement === document.body) this.#focus();
    });
  }

  /** After something went wrong with a bot: lets it try again. */
  goOn() {
    return this.run(() => this.#goOn());
  }

  undo() {
    return this.run(async () => {
      this.#clearHints();
      await this.session.undo();
      await this.#look(this.session.plies);
    });
  }

  /** Looks at another step; of many wishes at once, as of a slider, the last one counts. */
  async goTo(ply) {
    if (!this.session || ply < 0 || ply > this.session.plies) return;
    this.#wished = ply;
    if (isBusy()) return;
    await this.run(async () => {
      for (let next = this.#wished; next !== null; next = this.#wished) {
        this.#wished = null;
        await this.#look(next);
      }
    });
  }

  /** So many steps on, or back. */
  goBy(count) {
    return this.goTo(this.#scene.ply + count);
  }

  /** What if: another game that goes on from the step on the table. */
  branch() {
    return this.run(async () => this.open(await this.session.branch(this.#scene.ply)));
  }

  back() {
    return this.run(() => this.open(this.session.back()));
  }

  /** Chooses nothing, shows the rest of the steps at once, ends a hint's search. */
  escape() {
    this.skip();
    this.#search?.abort();
    if (!this.#scene || !Object.keys(this.#scene.picks).length) return;
    this.#scene.picks = {};
    this.#draw();
  }

  skip() {
    this.#hurry.abort();
  }

  // --- hints ---

  #clearHints() {
    this.#search?.abort();
    $("hints").replaceChildren(html("p", { class: "quiet" }, "A search judges your moves by what you can see."));
  }

  async hint() {
    const { session } = this;
    if (!session || $("hint").disabled || this.#search) return;
    const { plies } = session;
    const { ply } = this.#scene;
    const search = (this.#search = new AbortController());
    let isShown = false;
    const show = (answer) => {
      if (session !== this.session || session.plies !== plies) return; // the game has gone on
      drawHints($("hints"), answer, {
        describe: this.#module.describe,
        words: (clause) => retell({ text: [clause], by: session.seat }, this.#names)[0],
        play: ply === plies && session.isMine ? (move) => this.play(move) : null,
      });
      if (!isShown) showHints();
      isShown = true;
    };
    $("hints").replaceChildren(html("p", { class: "quiet" }, "Thinking …"));
    try {
      show(await session.advise(ply, Number($("seconds").value), { partial: show, signal: search.signal }));
    } catch (error) {
      $("hints").replaceChildren();
      excuse(error);
    } finally {
      this.#search = null;
    }
  }
}
