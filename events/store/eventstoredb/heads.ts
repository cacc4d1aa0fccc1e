import { Recent } from '../../recent.ts';

/** The latest that is known of a stream: it may have grown since, it cannot have changed. */
interface Head {
  readonly revision: bigint;
  /** Of the event at `revision`. */
  readonly hash: string;
}

const MOST = 10_000;

/**
 * Heads of streams, of the newest ones. They save the read before an append. That a head is old does no harm: an event
 * stays at its revision, and the expected revision of an append decides at the server.
 */
export class Heads {
  readonly #heads = new Recent<string, Head>(MOST);

  /** The hash of the event at a revision, where that is the latest one known. */
  hashAt(stream: string, revision: bigint): string | undefined {
    const head = this.#heads.get(stream);
    return head?.revision === revision ? head.hash : undefined;
  }

  note(stream: string, revision: bigint, hash: string): void {
    const known = this.#heads.get(stream);
    if (known === undefined || known.revision < revision) this.#heads.set(stream, { revision, hash });
  }

  forget(stream: string): void {
    this.#heads.delete(stream);
  }

  clear(): void {
    this.#heads.clear();
  }
}
