import type { Push } from './server-message.ts';

/** How a push waits for a client that is not ready for it. */
type Keeping =
  /** A state: the newer one replaces the older one. */
  | 'newest'
  /** An event: it waits, and a client with too many waiting ones is disconnected. */
  | 'all'
  /** A line: it is left out if much is waiting already. */
  | 'some';

/** A push that is written once for all clients, except for its number, which each connection counts for itself. */
export interface Prepared {
  readonly type: Push['type'];
  readonly keep: Keeping;
  /** The text up to the number. */
  readonly head: string;
  /** The part of the text after the number. */
  readonly tail: string;
  /** The approximate size on the wire. */
  readonly bytes: number;
}

/** An estimate for the number and the frame header. */
const FRAME_BYTES = 20;

/** Prepares a push. `fields` is JSON without the braces, so that JSON that is already written can be used. */
export function prepareText(type: Push['type'], keep: Keeping, fields: string): Prepared {
  const head = `{"type":"${type}","seq":`;
  const tail = `,${fields}}`;
  return { type, keep, head, tail, bytes: head.length + Buffer.byteLength(tail) + FRAME_BYTES };
}

type Fields<P> = P extends Push ? Omit<P, 'type' | 'seq'> : never;

export function prepare<Type extends Push['type']>(
  type: Type,
  keep: Keeping,
  fields: Fields<Extract<Push, { type: Type }>>,
): Prepared {
  return prepareText(type, keep, JSON.stringify(fields).slice(1, -1));
}
