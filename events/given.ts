/** Without what is `undefined`: for options of others in which a member may be absent, and nothing else. */
export function given<T extends object>(values: T) {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
