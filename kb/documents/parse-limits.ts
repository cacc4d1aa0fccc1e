/** The limits for one file. */
export interface Limits {
  /** Processor time, which does not depend on how busy the machine is. */
  readonly seconds: number;
  /** Resident memory of the process that reads it, in MiB. */
  readonly megabytes: number;
  /** The largest resulting document, in MiB of JSON. */
  readonly output: number;
}

export const LIMITS: Limits = { seconds: 30, megabytes: 512, output: 64 };

/** The limit by the clock, as a multiple of the processor time, because other processes need the processor. */
export const WALL_TIMES = 6;

/** The signals by which the watchdog ends the process. The kernel uses others when the machine is out of memory. */
export const ENDS = { seconds: 'SIGVTALRM', megabytes: 'SIGUSR2' } as const;
