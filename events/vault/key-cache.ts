import { Recent } from '../bounded-map.ts';

const MAX_CACHED_KEYS = 10_000;
/**
 * Milliseconds that a key stays here. If the notice of an erasure is lost, an erased key can be used for at most this
 * long.
 */
const CACHED_FOR_MS = 60_000;

/** Keys of the shared vault in this process's memory, by the hash of their names. */
export class KeyCache {
  readonly #entries = new Recent<string, { key: Uint8Array; until: number }>(MAX_CACHED_KEYS);
  readonly #cachedForMs: number;
  #forgotten = 0;
  /** For each forgotten key, by the hash of its name, the count of `forgotten` at that time. */
  readonly #forgottenAt = new Recent<string, number>(MAX_CACHED_KEYS);

  constructor(cachedForMs: number = CACHED_FOR_MS) {
    this.#cachedForMs = cachedForMs;
  }

  /** The number of times that keys were forgotten. Note it before a key is requested, for `set`. */
  get forgotten(): number {
    return this.#forgotten;
  }

  get(hash: string): Uint8Array | undefined {
    const entry = this.#entries.get(hash);
    return entry === undefined || entry.until < performance.now() ? undefined : entry.key;
  }

  /**
   * @param forgotten the value of `forgotten` before the key was requested: a key that was forgotten since does not
   * enter the cache.
   */
  set(hash: string, key: Uint8Array, forgotten: number): Uint8Array {
    if (!this.#isForgottenSince(hash, forgotten)) {
      this.#entries.set(hash, { key, until: performance.now() + this.#cachedForMs });
    }
    return key;
  }

  forget(hash: string): void {
    this.#forgottenAt.set(hash, ++this.#forgotten);
    this.#entries.delete(hash);
  }

  /** All keys that are still in memory, including those whose time is over. */
  entries(): [hash: string, key: Uint8Array][] {
    return this.#entries.entries().map(([hash, { key }]) => [hash, key]);
  }

  /** Empties the cache at the end. Keys that are still being read do not enter it. */
  clear(): void {
    this.#forgotten = Infinity;
    this.#entries.clear();
  }

  /**
   * Whether a key was forgotten since. It is also true if so many were forgotten that this one may no longer be listed.
   */
  #isForgottenSince(hash: string, forgotten: number): boolean {
    const all = this.#forgotten;
    return (
      all === Infinity || all - forgotten >= MAX_CACHED_KEYS || (this.#forgottenAt.get(hash) ?? 0) > forgotten
    );
  }
}
