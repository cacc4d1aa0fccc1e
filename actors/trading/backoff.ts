const FIRST_MS = 50;
const LONGEST_MS = 5_000;

/** Milliseconds to wait after so many failures in a row: doubling, from 50 ms to 5 s. */
export const backoff = (failures: number): number =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, Math.min(failures - 1, 16)));
