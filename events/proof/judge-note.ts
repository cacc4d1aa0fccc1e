import type { VerifierKey } from './keys.ts';
import { Malformed } from './malformed.ts';
import { isSignedBy, parseNote } from './signed-note.ts';
import { headsHash, parseTreeHead, type Head } from './tree-head.ts';

/** Why a checkpoint cannot be relied on although a key was given. */
export type Doubt = 'unsigned' | 'wrong-key';

/** Reads a checkpoint's note. For an unreadable note the `Malformed` error is returned. */
export function judgeNote(note: string, heads: readonly Head[] | null, key: VerifierKey | undefined) {
  try {
    const signed = parseNote(note);
    const { origin, size, root, heads: digest } = parseTreeHead(signed.text);
    const missing = signed.signatures.length === 0 ? ('unsigned' as const) : ('wrong-key' as const);
    return {
      origin,
      size,
      /** The root in hexadecimal. */
      root: root.toString('hex'),
      /** The hash of the stream heads, in hexadecimal. */
      headsHash: digest.toString('hex'),
      /** Whether the note was made with these heads; true if none were given. */
      listsHeads: heads === null || headsHash(heads).equals(digest),
      /** Why the note cannot be relied on; `null` if it is signed with the key, or no key was given. */
      doubt: key === undefined || isSignedBy(signed, key) ? null : missing,
    };
  } catch (error) {
    if (error instanceof Malformed) return error;
    throw error;
  }
}
