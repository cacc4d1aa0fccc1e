/** What narrows a record: each part by itself; none: all of it. */
export interface Selection {
  readonly stream?: string | undefined;
  /** What stream names begin with, up to and with the hyphen: `ask-`, `account-`. */
  readonly category?: string | undefined;
  readonly type?: readonly string[] | undefined;
  /** ISO 8601; by the events' own time. */
  readonly from?: string | undefined;
  /** Exclusive. */
  readonly to?: string | undefined;
}

/** Says of an event whether the selection takes it. `at` is asked where time is part of the selection, and not else. */
export type Matcher = (
  event: { readonly stream: string; readonly type: string },
  at: () => string,
) => boolean;

export function createMatcher({ stream, category, type, from, to }: Selection): Matcher {
  const start = from === undefined ? -Infinity : Date.parse(from);
  const end = to === undefined ? Infinity : Date.parse(to);
  return (event, at) => {
    if (stream !== undefined && event.stream !== stream) return false;
    if (category !== undefined && !event.stream.startsWith(category)) return false;
    if (type !== undefined && !type.includes(event.type)) return false;
    if (from === undefined && to === undefined) return true;
    const time = Date.parse(at());
    return time >= start && time < end;
  };
}
