import { CHECKPOINTS_STREAM } from '../catalog/audit.ts';
import type { CheckpointSource } from './finding-words.ts';
import type { KnownCheckpoint } from './known-checkpoints.ts';
import type { Head } from './tree-head.ts';

/** From which checkpoint on a record is signed with the given key. */
export interface SignedFrom {
  /** The size of the first checkpoint that is signed. */
  readonly size: number;
  /** The number of unsigned checkpoints that the first signed one covers: they were made before signing began. */
  readonly before: number;
}

interface Unsigned extends KnownCheckpoint {
  readonly source: CheckpointSource;
  /** Identifies what the checkpoint says: copies of one checkpoint have the same name. */
  readonly name: string;
}

/**
 * Tells checkpoints that were made before signing began from those whose signature was removed. The first signed
 * checkpoint lists the head of the stream of checkpoints at that time: it covers earlier checkpoints of the chain, and
 * no later ones.
 */
export class Signing {
  readonly #unsigned: Unsigned[] = [];
  /** The chain's hash after each checkpoint of the record. */
  readonly #chain = new Map<number, string>();
  #first: { readonly size: number; readonly head: Head | undefined } | null = null;

  addLink(revision: number, hash: string): void {
    this.#chain.set(revision, hash);
  }

  addUnsigned(checkpoint: Unsigned): void {
    this.#unsigned.push(checkpoint);
  }

  /** @param heads the heads of streams that the checkpoint's note was made of. */
  addSigned(size: number, heads: readonly Head[]): void {
    if (!this.isBeforeFirst(size)) return;
    this.#first = { size, head: heads.find(({ stream }) => stream === CHECKPOINTS_STREAM) };
  }

  /** Whether the checkpoint is smaller than every signed one so far. Later checkpoints may still change the answer. */
  isBeforeFirst(size: number): boolean {
    return this.#first === null || size < this.#first.size;
  }

  end(): { signedFrom: SignedFrom | null; covered: readonly Unsigned[]; doubtful: readonly Unsigned[] } {
    const { head, size } = this.#first ?? {};
    const upTo = head !== undefined && this.#chain.get(head.revision) === head.hash ? head.revision : -1;
    const covered = this.#unsigned.filter(({ revision }) => revision !== null && revision <= upTo);
    const known = new Set(covered.map(({ name }) => name));
    return {
      signedFrom: size === undefined ? null : { size, before: covered.length },
      covered,
      // A copy outside the record is doubtful only if the original is not covered.
      doubtful: this.#unsigned.filter(({ revision, name }) =>
        revision === null ? !known.has(name) : revision > upTo,
      ),
    };
  }
}
