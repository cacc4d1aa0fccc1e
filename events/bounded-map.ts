/**
 * A map that forgets: the newest `most` entries are in it, and up to twice as many. Nothing is taken out of it one by one: a
 * `Map` whose oldest entry is deleted with each new one steps over all deleted ones to find it.
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

  /** What is in it now, in no particular order. */
  entries(): [Key, Value][] {
    return [...new Map([...this.#older, ...this.#newer])];
  }
}
