/** The list with one more item. Most lists stay at one item, and a push to an empty list would make room for 17. */
export function added<T>(list: T[] | undefined, item: T): T[] {
  if (list === undefined) return [item];
  list.push(item);
  return list;
}
