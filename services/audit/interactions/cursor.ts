import { z } from 'zod';
import { BelegError } from '../../../events/errors.ts';

/** Where a walk through the answers stands, and what it sees. */
export interface Place {
  /** The newest row when the walk began: what came later is not part of it. */
  readonly seen: number;
  /** The last answer that was looked at; `null` before the first. */
  readonly after: { readonly at: string; readonly answerId: string } | null;
}

const Cursor = z.tuple([z.int().nonnegative(), z.iso.datetime(), z.guid()]);

/** For the caller it has no meaning. Null before the first answer, where nothing is left to come back to. */
export function writeCursor({ seen, after }: Place): string | null {
  if (after === null) return null;
  return Buffer.from(JSON.stringify([seen, after.at, after.answerId])).toString('base64url');
}

/** @throws {BelegError} `INVALID_REQUEST` on `cursor`. */
export function readCursor(cursor: string): Place {
  const parsed = Cursor.safeParse(jsonOf(cursor));
  if (!parsed.success) {
    throw new BelegError('INVALID_REQUEST', {
      errors: [{ path: 'cursor', message: 'Must be the value of `next` from an earlier page' }],
    });
  }
  const [seen, at, answerId] = parsed.data;
  return { seen, after: { at, answerId } };
}

function jsonOf(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
