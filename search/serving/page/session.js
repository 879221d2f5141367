/**
 * One game that the server keeps, seen from the person's seat.
 *
 * The page asks for what that seat sees and for nothing else: what is hidden never reaches the browser.
 */

const STORE = "mess.session";

export class Session {
  #client;
  #seen = new Map();

  /** @param {object} kept what `kept` gives: all that a reload needs. */
  constructor(client, kept) {
    this.#client = client;
    Object.assign(this, kept);
  }

  /**
   * A new game.
   * @param {object} request the fields of `new`
   * @param {(players: number) => Array} seating who sits where: null the person, else `{level}` or `{bot}`
   */
  static async start(client, request, seating, { reading = false, parent = null, place = null } = {}) {
    const answer = await client.ask("new", request);
    const seats = seating(answer.players);
    const steps = request.record?.moves ?? answer.chance;
    return new Session(client, {
      id: answer.game_id,
      game: answer.game,
      rules: answer.rules,
      seed: answer.seed,
      players: answer.players,
      plies: answer.ply,
      toAct: answer.to_act,
      result: answer.result,
      log: steps.map((move) => (request.record ? { move, text: [] } : { move, by: -1, text: [] })),
      seat: seats.indexOf(null),
      seats,
      reading,
      parent,
      place,
    });
  }

  /** The game that was on the table before the page was loaded; undefined if there was none. */
  static async restore(client) {
    const kept = JSON.parse(localStorage.getItem(STORE));
    if (!kept) return undefined;
    const session = new Session(client, kept);
    const { plies, to_act } = await client.ask("observe", { game_id: session.id, seat: session.seat });
    session.#sync(plies, to_act);
    return session;
  }

  static forget() {
    localStorage.removeItem(STORE);
  }

  get kept() {
    const { id, game, rules, seed, players, plies, toAct, result, log, seat, seats, reading, parent, place } = this;
    return { id, game, rules, seed, players, plies, toAct, result, log, seat, seats, reading, parent, place };
  }

  keep() {
    localStorage.setItem(STORE, JSON.stringify(this.kept));
  }

  get isOver() {
    return this.toAct === null;
  }

  get isMine() {
    return !this.reading && this.toAct === this.seat;
  }

  get isBots() {
    return !this.reading && !this.isOver && this.toAct !== this.seat;
  }

  /** What the person's seat sees after `ply` moves, and who is to act then. */
  async observe(ply) {
    if (!this.#seen.has(ply)) {
      const { observation, to_act } = await this.#client.ask("observe", { game_id: this.id, ply, seat: this.seat });
      this.#seen.set(ply, { view: observation, toAct: to_act });
    }
    return this.#seen.get(ply);
  }

  /** Finds out who made each step of a log that does not say so, as that of a record. */
  async learnMovers() {
    for (const [ply, step] of this.log.entries()) {
      if (step.by === undefined && step.move !== "…") step.by = (await this.observe(ply)).toAct ?? -1;
    }
  }

  /** The person's legal moves. */
  async legal() {
    return this.isMine ? (await this.#client.ask("legal", { game_id: this.id })).moves : [];
  }

  async play(move) {
    this.#take(await this.#client.ask("play", { game_id: this.id, move, tell: true }));
  }

  /** Lets the bot decide that is to act. */
  async moveBot() {
    const bot = this.seats[this.toAct];
    this.#take(await this.#client.ask("move", { game_id: this.id, ...bot, play: true, tell: true }));
  }

  /** Goes back to the person's previous decision. */
  async undo() {
    const { ply, to_act } = await this.#client.ask("undo", { game_id: this.id, seat: this.seat });
    this.result = null;
    this.#sync(ply, to_act);
    this.keep();
  }

  /** Another game that goes on from here, with bots on all seats but the person's. */
  branch(ply) {
    const parent = this.kept;
    return Session.start(this.#client, { copy: this.id, ply }, () => this.seats, { parent }).then((branched) => {
      branched.log = this.log.slice(0, ply);
      return branched;
    });
  }

  /** The game that this one was branched off. */
  back() {
    return new Session(this.#client, this.parent);
  }

  /** Advice for the person, who must be to act after `ply` moves. */
  advise(ply, seconds, options) {
    const fields = { game_id: this.id, ply, seconds, report_every: 0.2 };
    return this.#client.ask("advise", fields, options);
  }

  async record() {
    const players = this.seats.map((bot) => (bot === null ? "person" : (bot.bot ?? `level ${bot.level}`)));
    return (await this.#client.ask("record", { game_id: this.id, players })).record;
  }

  #take(answer) {
    this.log.push(...answer.told);
    this.result = answer.result;
    this.#sync(answer.ply, answer.to_act);
    this.keep();
  }

  /** Brings the log and what was seen to as many moves as the server knows. */
  #sync(plies, toAct) {
    while (this.log.length < plies) this.log.push({ move: "…", text: [] });
    this.log.length = plies;
    for (const ply of this.#seen.keys()) if (ply > plies) this.#seen.delete(ply);
    this.plies = plies;
    this.toAct = toAct;
  }
}
