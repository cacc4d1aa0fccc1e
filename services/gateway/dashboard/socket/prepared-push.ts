import type { Push } from './server-message.ts';

/** What happens to a push that a client is not ready for. */
type Keeping =
  /** A state: the newer one takes the place of the older one. */
  | 'newest'
  /** An event: it waits, and a client with too many that wait is disconnected. */
  | 'all'
  /** A line: left out where much waits already. */
  | 'some';

/** A push, written once for all clients: only the number is missing, which each connection counts for itself. */
export interface Prepared {
  readonly type: Push['type'];
  readonly keep: Keeping;
  /** The text up to the number. */
  readonly head: string;
  /** The part of the text after the number. */
  readonly tail: string;
  /** About what it takes on the wire. */
  readonly bytes: number;
}

/** Room for the number and what frames it. */
const FRAME_BYTES = 20;

/** `fields` as JSON without the braces: what was written before need not be written again. */
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
