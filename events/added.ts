/** A list with one more. Most stay at one, and the first push to an empty list makes room for 17. */
export function added<T>(list: T[] | undefined, item: T): T[] {
  if (list === undefined) return [item];
  list.push(item);
  return list;
}
