/** What one file may cost. */
export interface Limits {
  readonly seconds: number;
  /** Resident memory of the process that reads it, in MiB. */
  readonly megabytes: number;
  /** The largest document that it may become, in MiB of JSON. */
  readonly output: number;
}

export const LIMITS: Limits = { seconds: 30, megabytes: 512, output: 64 };
