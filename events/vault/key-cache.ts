import { Recent } from '../bounded-map.ts';

const MAX_CACHED_KEYS = 10_000;
/** If the notice of an erasure is lost, an erased key can be used from this cache for at most this time. */
const CACHED_FOR_MS = 60_000;

/** The shared vault's keys in this process's memory, by the hash of the name. */
export class KeyCache {
  readonly #entries = new Recent<string, { key: Uint8Array; until: number }>(MAX_CACHED_KEYS);
  readonly #cachedForMs: number;
  #forgotten = 0;
  /** Which of all these times a key was forgotten, by the hash of the name. */
  readonly #forgottenAt = new Recent<string, number>(MAX_CACHED_KEYS);

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

  /** @param forgotten as it was before the key was asked for: a key that was forgotten since does not enter the cache. */
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

  /** All keys that are still in memory, also those that are no longer used from here. */
  entries(): [hash: string, key: Uint8Array][] {
    return this.#entries.entries().map(([hash, { key }]) => [hash, key]);
  }

  /** Empties the cache at the end. Keys that are still being read do not enter it. */
  clear(): void {
    this.#forgotten = Infinity;
    this.#entries.clear();
  }

  /** Also where so many were forgotten since that this one may no longer be among those that are noted. */
  #isForgottenSince(hash: string, forgotten: number): boolean {
    const all = this.#forgotten;
    return (
      all === Infinity || all - forgotten >= MAX_CACHED_KEYS || (this.#forgottenAt.get(hash) ?? 0) > forgotten
    );
  }
}
