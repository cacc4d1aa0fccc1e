/** What one file may cost. */
export interface Limits {
  /** Time that the processor works on it: how busy the machine is does not count. */
  readonly seconds: number;
  /** Resident memory of the process that reads it, in MiB. */
  readonly megabytes: number;
  /** The largest document that it may become, in MiB of JSON. */
  readonly output: number;
}

export const LIMITS: Limits = { seconds: 30, megabytes: 512, output: 64 };

/** As many times as long may pass by the clock, for what waits, and where others have the processor. */
export const WALL_TIMES = 6;

/** How the watchdog ends the process over a file. The kernel uses other signals where the machine is out of memory. */
export const ENDS = { seconds: 'SIGVTALRM', megabytes: 'SIGUSR2' } as const;
