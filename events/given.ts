/**
 * Returns `values` without its `undefined` members. Use it only to pass options to third-party code that declares
 * optional members.
 */
export function given<T extends object>(values: T) {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
