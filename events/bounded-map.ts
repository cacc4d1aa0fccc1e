/**
 * A map that keeps at least the newest `most` entries, and at most twice as many. Entries are dropped many at a time:
 * deleting the oldest entry of a `Map` one by one makes it step over all deleted entries to find the next.
 */
export class Recent<Key, Value> {
  readonly #most: number;
  #newer = new Map<Key, Value>();
  #older = new Map<Key, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  set(key: Key, value: Value): void {
    this.#newer.set(key, value);
    if (this.#newer.size < this.#most) return;
    this.#older = this.#newer;
    this.#newer = new Map();
  }

  delete(key: Key): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
  }

  /** The present entries, in no particular order. */
  entries(): [Key, Value][] {
    return [...new Map([...this.#older, ...this.#newer])];
  }
}
