/** The latest that is known of a stream: it may have grown since, it cannot have changed. */
export interface Head {
  readonly revision: bigint;
  /** Of the event at `revision`. */
  readonly hash: string;
  /** The last events up to it, oldest first. */
  readonly ids: readonly string[];
}

const MAX_STREAMS = 10_000;
const MAX_IDS = 64;

/**
 * Heads of streams, the least used forgotten first. They save the read before an append. That a head is old does no
 * harm: an event stays at its revision, and the expected revision of an append decides at the server.
 */
export class Heads {
  readonly #heads = new Map<string, Head>();

  get(stream: string): Head | undefined {
    return this.#heads.get(stream);
  }

  /** These events stand there now, the last one at `revision`. */
  note(stream: string, revision: bigint, hash: string, ids: readonly string[]): void {
    const known = this.#heads.get(stream);
    if (known !== undefined && known.revision >= revision) return;
    const before = known?.revision === revision - BigInt(ids.length) ? known.ids : [];
    this.#heads.delete(stream);
    this.#heads.set(stream, { revision, hash, ids: [...before, ...ids].slice(-MAX_IDS) });
    if (this.#heads.size > MAX_STREAMS) this.#heads.delete(this.#heads.keys().next().value!);
  }

  /** True where other events than these are known to stand after `expected`. */
  conflicts(stream: string, expected: bigint, ids: readonly string[]): boolean {
    const head = this.#heads.get(stream);
    if (head === undefined || head.revision <= expected) return false;
    const first = head.revision - BigInt(head.ids.length) + 1n;
    return ids.some((id, index) => {
      const at = expected + 1n + BigInt(index);
      return at >= first && at <= head.revision && head.ids[Number(at - first)] !== id;
    });
  }

  forget(stream: string): void {
    this.#heads.delete(stream);
  }

  clear(): void {
    this.#heads.clear();
  }
}
