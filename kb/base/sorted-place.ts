/** The place of the entry with this key in a list sorted by the key, or the place where it would be inserted. */
export function placeIn<T>(sorted: readonly T[], key: string, keyOf: (entry: T) => string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keyOf(sorted[middle]!) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
