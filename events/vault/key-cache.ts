import { Recent } from '../bounded-map.ts';

const MAX_CACHED_KEYS = 10_000;
/** If the notice of an erasure is lost, an erased key can be used from this cache for at most this time. */
const CACHED_FOR_MS = 60_000;

/** The shared vault's keys in this process's memory, by the hash of the name. */
export class KeyCache {
  readonly #entries = new Recent<string, { key: Uint8Array; until: number }>(MAX_CACHED_KEYS);
  readonly #cachedForMs: number;
  #forgotten = 0;

  constructor(cachedForMs: number = CACHED_FOR_MS) {
    this.#cachedForMs = cachedForMs;
  }

  /** How many times keys were forgotten. Whoever asks for a key notes the number before. */
  get forgotten(): number {
    return this.#forgotten;
  }

  get(hash: string): Uint8Array | undefined {
    const entry = this.#entries.get(hash);
    return entry === undefined || entry.until < performance.now() ? undefined : entry.key;
  }

  /** @param forgotten as it was before the key was asked for: a notice that came since may have been about it. */
  set(hash: string, key: Uint8Array, forgotten: number): Uint8Array {
    if (this.#forgotten === forgotten) {
      this.#entries.set(hash, { key, until: performance.now() + this.#cachedForMs });
    }
    return key;
  }

  forget(hash: string): void {
    this.#forgotten++;
    this.#entries.delete(hash);
  }

  /** All keys that are still in memory, also those that are no longer used from here. */
  entries(): [hash: string, key: Uint8Array][] {
    return this.#entries.entries().map(([hash, { key }]) => [hash, key]);
  }

  /** Empties the cache at the end. Keys that are still being read do not enter it. */
  clear(): void {
    this.#forgotten++;
    this.#entries.clear();
  }
}
