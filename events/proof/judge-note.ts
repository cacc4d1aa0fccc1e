import type { VerifierKey } from './keys.ts';
import { Malformed } from './malformed.ts';
import { isSignedBy, parseNote } from './note.ts';
import { headsHash, parseTreeHead, type Head } from './tree-head.ts';

/** Why a checkpoint is not to be relied on where a key was given. */
export type Doubt = 'unsigned' | 'wrong-key';

interface JudgedNote {
  readonly origin: string;
  readonly size: number;
  /** Hexadecimal. */
  readonly root: string;
  /** Of the heads; hexadecimal. */
  readonly headsHash: string;
  /** Whether the note was made of these heads; true where none were given. */
  readonly listsHeads: boolean;
  /** `null`: the key has signed it, or none was given. */
  readonly doubt: Doubt | null;
}

/** Reads a checkpoint's note; a note that cannot be read is returned as the `Malformed` that it gives. */
export function judgeNote(
  note: string,
  heads: readonly Head[] | null,
  key: VerifierKey | undefined,
): JudgedNote | Malformed {
  try {
    const signed = parseNote(note);
    const { origin, size, root, heads: digest } = parseTreeHead(signed.text);
    const missing = signed.signatures.length === 0 ? 'unsigned' : 'wrong-key';
    return {
      origin,
      size,
      root: root.toString('hex'),
      headsHash: digest.toString('hex'),
      listsHeads: heads === null || headsHash(heads).equals(digest),
      doubt: key === undefined || isSignedBy(signed, key) ? null : missing,
    };
  } catch (error) {
    if (error instanceof Malformed) return error;
    throw error;
  }
}
