/** The limits of an operator's own strategy, which runs in a process of its own. */
export interface Limits {
  /** The processor time to load it. */
  readonly helloMs: number;
  /** The most that loading it may take by the clock: less than the caller of a start waits, so that it is told why. */
  readonly helloClockMs: number;
  readonly beginMs: number;
  readonly sessionMs: number;
  /** How many times as long each of these may take by the clock, apart from `helloClockMs`. */
  readonly patience: number;
  readonly megabytes: number;
}

export const LIMITS: Limits = {
  helloMs: 20_000,
  helloClockMs: 25_000,
  beginMs: 30_000,
  sessionMs: 5_000,
  patience: 6,
  megabytes: 1_024,
};
/** The limit of JavaScript's own heap, in MiB. */
export const HEAP = 512;
