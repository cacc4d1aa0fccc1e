import type { StoryEntry } from './story.ts';

/** JSON of a whole story, in bytes: below the 1 MiB of a message, with what else a reply holds. */
const MAX_BYTES = 640 * 1024;

/** Characters that a text keeps, tried in turn: all that are answered with stay whole but in the longest stories. */
const LENGTHS = [65_536, 16_384, 4_096, 1_024, 256, 64];

type WithData = Pick<StoryEntry, 'data'>;
type Value = StoryEntry['data'][string];

/**
 * Shortens long texts until all entries fit together; where that is not enough, leaves out those in the middle, so that
 * the first and the last stay. What is no text is never changed.
 */
export function fit<Entry extends WithData>(
  entries: readonly Entry[],
  maxBytes: number = MAX_BYTES,
): Entry[] {
  let fitted = [...entries];
  for (const length of LENGTHS) {
    if (sizeOf(fitted) <= maxBytes) return fitted;
    fitted = fitted.map((entry) => ({ ...entry, data: shorten(entry.data, length) as Entry['data'] }));
  }
  const sizes = fitted.map((entry) => sizeOf(entry));
  let size = sizes.reduce((sum, each) => sum + each, 0);
  let [from, to] = [Math.ceil(fitted.length / 2), Math.ceil(fitted.length / 2)];
  while (size > maxBytes && to - from < fitted.length - 2) {
    // From the middle outwards, in turn.
    if (fitted.length - to > from) size -= sizes[to++]!;
    else size -= sizes[--from]!;
  }
  return [...fitted.slice(0, from), ...fitted.slice(to)];
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

function shorten(value: Value, length: number): Value {
  if (typeof value === 'string') return cut(value, length);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => shorten(item, length));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shorten(member, length)]));
}

const MARK = /… \(([\d]+) more characters\)$/;

/** Says how much is missing, also of a text that was cut before. */
function cut(text: string, length: number): string {
  const [mark = '', more = '0'] = MARK.exec(text) ?? [];
  const rest = mark === '' ? text : text.slice(0, -mark.length);
  if (rest.length <= length) return text;
  const kept = rest.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… (${rest.length - kept.length + Number(more)} more characters)`;
}
