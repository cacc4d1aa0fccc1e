import { Owner } from './simulation.ts';

/** What a process reaches over the network. */
export type Part = 'store' | 'bus' | 'vault' | 'leases';

/** One run of a service: from a start to a stop, or to the moment when it is dropped. */
export class Process extends Owner {
  /** What it cannot reach at present. */
  readonly cut = new Set<Part>();
  /** Kinds of streams that it has sent appends for and not heard of. */
  readonly appending = new Map<symbol, string>();
  /** It was told to stop, and is at it. */
  stopping = false;
  /** Terms of the leases that it was given: they only go up. */
  readonly terms = new Map<string, number>();
}

export const APPEND_FAULTS = [
  /** It never gets there. */
  'request lost',
  /** It is written, and nobody is told. */
  'reply lost',
  /** It is written, and told late. */
  'reply late',
  /** Its sender has been told long ago that nothing is known of it. */
  'lands late',
  /** It is written, comes once more, and the second answer is the one that is heard. */
  'doubled',
  /** Its sender dies while it is on its way. */
  'crash before',
  /** Its sender dies before it hears of it. */
  'crash after',
] as const;

export type AppendFate = 'arrives' | (typeof APPEND_FAULTS)[number];
