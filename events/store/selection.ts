import { z } from 'zod';

/**
 * The parts of the record to select. Each part narrows it, and without any it is the whole record. It is also in the
 * manifests of archives.
 */
export const Selection = z.strictObject({
  stream: z.string().optional(),
  /** The beginning of stream names, up to and including the hyphen: `ask-`, `account-`. */
  category: z.string().optional(),
  type: z.array(z.string()).readonly().optional(),
  /** The first time (ISO 8601), by the events' own time. */
  from: z.string().optional(),
  /** The time before which events are selected. */
  to: z.string().optional(),
});
export type Selection = Readonly<z.output<typeof Selection>>;

/** Whether the selection takes an event. `at` is called only if time is part of the selection. */
type Matcher = (event: { readonly stream: string; readonly type: string }, at: () => string) => boolean;

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
