import { CHECKPOINTS_STREAM } from '../catalog/audit.ts';
import type { CheckpointSource } from './finding-words.ts';
import type { KnownCheckpoint } from './known-checkpoints.ts';
import type { Head } from './tree-head.ts';

/** Says from which checkpoint on a record is signed with the given key. */
export interface SignedFrom {
  /** Size of the first one that is. */
  readonly size: number;
  /** Checkpoints of the record without a signature that it covers: they were made before signing began. */
  readonly before: number;
}

interface Unsigned extends KnownCheckpoint {
  readonly source: CheckpointSource;
  /** Identifies what the checkpoint says: copies of one checkpoint have the same name. */
  readonly name: string;
}

/**
 * Tells checkpoints from before signing began from those whose signature was taken away. The first signed one lists the
 * head of the stream of checkpoints as it stood: what the chain holds up to there is signed with it, and nothing after.
 */
export class Signing {
  readonly #unsigned: Unsigned[] = [];
  /** Hash of the chain, as its events give it, after each checkpoint of the record. */
  readonly #chain = new Map<number, string>();
  #first: { readonly size: number; readonly head: Head | undefined } | null = null;

  addLink(revision: number, hash: string): void {
    this.#chain.set(revision, hash);
  }

  addUnsigned(checkpoint: Unsigned): void {
    this.#unsigned.push(checkpoint);
  }

  /** @param heads those that its note was made of */
  addSigned(size: number, heads: readonly Head[]): void {
    if (!this.isBeforeFirst(size)) return;
    this.#first = { size, head: heads.find(({ stream }) => stream === CHECKPOINTS_STREAM) };
  }

  /** The answer may still change with later checkpoints. */
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
      // A copy outside of one that is covered says no more than that one.
      doubtful: this.#unsigned.filter(({ revision, name }) =>
        revision === null ? !known.has(name) : revision > upTo,
      ),
    };
  }
}
