/** The types of a union of events, none of them missing: the compiler sees to that. */
export function typesOf<Event extends { readonly type: string }>(
  types: Readonly<Record<Event['type'], true>>,
): readonly string[] {
  return Object.keys(types);
}
