/** A number with its noun: `1 event`, `2 events`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

export const grouped = (number: number): string => number.toLocaleString('en');

/** Exact below ten seconds; above, the two largest units. */
export function duration(ms: number): string {
  if (ms < 10_000) return `${grouped(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${grouped(Math.floor(hours / 24))} d ${hours % 24} h`;
}
