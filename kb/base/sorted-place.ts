/** Where the entry with this key is in a list that is sorted by it, or would be. */
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
