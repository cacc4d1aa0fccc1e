import { Owner } from './simulation.ts';

/** What a process reaches over the network. */
export type Part = 'store' | 'bus' | 'vault' | 'leases';

/** One run of a service, from its start to its stop or to the moment when it is dropped. */
export class Process extends Owner {
  /** The parts that it cannot reach at present. */
  readonly cut = new Set<Part>();
  /** The kinds of streams of its appends that are unanswered. */
  readonly appending = new Map<symbol, string>();
  /** Whether it was told to stop and is stopping. */
  stopping = false;
  /** The terms of its leases, which only grow. */
  readonly terms = new Map<string, number>();
}

export const APPEND_FAULTS = [
  /** The append never arrives. */
  'request lost',
  /** The append is written, but there is no reply. */
  'reply lost',
  /** The append is written, but the reply is late. */
  'reply late',
  /** The sender has long been told that the outcome is unknown. */
  'lands late',
  /** The append is written and arrives a second time, and the second reply is received. */
  'doubled',
  /** The sender dies while the append is on its way. */
  'crash before',
  /** The sender dies before the reply. */
  'crash after',
] as const;

export type AppendFate = 'arrives' | (typeof APPEND_FAULTS)[number];
