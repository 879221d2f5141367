/** The protocol: one WebSocket for everything, or a POST for each request where there is no socket. */

const SLOW = 2500; // milliseconds without any answer
const GONE = "The server does not answer. Is it still running?";

/** What was wrong with a request, as the server says it; `field` is the wrong one, "server" if there is no server. */
export class Refusal extends Error {
  constructor({ error, field }) {
    super(error);
    this.field = field;
  }
}

export class Client {
  #last = 0;
  #waiting = new Map();
  #socket = null;
  #slow = 0;
  #onSlow;
  #token = new URLSearchParams(location.hash.slice(1)).get("token");

  /** @param {(isSlow: boolean) => void} onSlow is called when an answer is long in coming, and when none is any more */
  constructor(onSlow = () => {}) {
    this.#onSlow = onSlow;
  }

  /** Watches a request until its first answer; the function that it gives is to be called with it. */
  #watch() {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#onSlow(++this.#slow > 0);
    }, SLOW);
    return () => {
      clearTimeout(timer);
      if (late) this.#onSlow(--this.#slow > 0);
      late = false;
    };
  }

  /**
   * Sends a request and gives its final answer.
   * @param {string} type as in the protocol
   * @param {object} fields of the request, without type and id
   * @param {(answer: object) => void} [options.partial] is shown partial answers
   * @param {AbortSignal} [options.signal] ends a search early; the answer comes all the same
   * @throws {Refusal}
   */
  async ask(type, fields = {}, { partial, signal } = {}) {
    const heard = this.#watch();
    const show = (answer) => {
      heard();
      partial?.(answer);
    };
    try {
      return await this.#send(type, fields, show, signal);
    } finally {
      heard();
    }
  }

  async #send(type, fields, partial, signal) {
    const id = ++this.#last;
    const message = { type, id, ...fields };
    const socket = await this.#open();
    if (!socket) return this.#post(message);
    signal?.addEventListener("abort", () => {
      if (this.#waiting.has(id)) this.ask("stop", { target: id }).catch(() => {});
    });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, partial });
      socket.send(JSON.stringify(message));
    });
  }

  /** The open socket, or null where none can be had. */
  #open() {
    this.#socket ??= new Promise((resolve) => {
      const url = new URL("v1/socket", document.baseURI);
      url.protocol = url.protocol.replace("http", "ws");
      url.hash = "";
      if (this.#token) url.searchParams.set("token", this.#token);
      const socket = new WebSocket(url);
      socket.addEventListener("open", () => resolve(socket));
      socket.addEventListener("message", ({ data }) => this.#hear(JSON.parse(data)));
      socket.addEventListener("close", () => {
        this.#socket = null;
        resolve(null);
        for (const { reject } of this.#waiting.values()) reject(new Refusal({ error: GONE, field: "server" }));
        this.#waiting.clear();
      });
    });
    return this.#socket;
  }

  #hear(answer) {
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    if (answer.partial) return waiting.partial?.(answer);
    this.#waiting.delete(answer.id);
    if ("error" in answer) waiting.reject(new Refusal(answer));
    else waiting.resolve(answer);
  }

  async #post(message) {
    const headers = { "Content-Type": "application/json" };
    if (this.#token) headers.Authorization = `Bearer ${this.#token}`;
    let answer;
    try {
      const response = await fetch(new URL("v1", document.baseURI), {
        method: "POST",
        headers,
        body: JSON.stringify(message),
      });
      answer = await response.json();
    } catch {
      throw new Refusal({ error: GONE, field: "server" });
    }
    if ("error" in answer) throw new Refusal(answer);
    return answer;
  }
}
