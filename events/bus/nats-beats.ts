/**
 * While a handler of a request runs, whoever waits is told so each second: that somebody is alive and at it. One timer
 * serves all; a handler that is quicker than an interval costs nothing on the wire.
 */
export class Beats {
  readonly #intervalMs: number;
  readonly #send: (inbox: string) => void;
  readonly #running = new Map<symbol, { inbox: string; young: boolean }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(intervalMs: number, send: (inbox: string) => void) {
    this.#intervalMs = intervalMs;
    this.#send = send;
  }

  /** Returns what stops it. */
  start(inbox: string): () => void {
    const key = Symbol();
    this.#running.set(key, { inbox, young: true });
    this.#timer ??= setInterval(() => this.#tick(), this.#intervalMs);
    return () => this.#running.delete(key);
  }

  #tick(): void {
    if (this.#running.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    for (const entry of this.#running.values()) {
      if (entry.young) entry.young = false;
      else this.#send(entry.inbox);
    }
  }
}
