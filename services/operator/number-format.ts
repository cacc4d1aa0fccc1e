import { twoUnits } from '../pages/two-units.ts';

/** A number with its noun: `1 event`, `2 events`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

export const grouped = (number: number): string => number.toLocaleString('en');

/** A duration: exact below ten seconds, otherwise in its two largest units. */
export function duration(ms: number): string {
  if (ms < 10_000) return `${grouped(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return twoUnits(seconds);
}
