/**
 * A queue for each key: work under one key runs one after the other, in order of arrival; keys do not wait for each
 * other.
 */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Settles as `work` does. `work` begins once all earlier work under this key has settled. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(work);
    const settled = turn
      .catch(() => undefined)
      .finally(() => {
        if (this.#last.get(key) === settled) this.#last.delete(key);
      });
    this.#last.set(key, settled);
    return turn;
  }
}
