import type { Codec } from '../../../events/define.ts';
import type { RecordedEvent } from '../../../events/store/store.ts';
import type { StoryEntry } from './story.ts';

type Data = StoryEntry['data'];

/** What reads where text is sealed and its key is not at hand. */
export const SEALED = '(sealed)';

export interface Opened {
  readonly data: Data;
  /** Of its free text: there is none; it can be read; its key was erased; its key is not at hand. */
  readonly text: 'none' | 'readable' | 'erased' | 'sealed';
}

/** An event in the open, as far as it can be opened: never rejects, so that one text tells nothing of a whole story. */
export async function openEvent(codec: Pick<Codec, 'decode'>, event: RecordedEvent): Promise<Opened> {
  const fields = sealedFields(event);
  const opened = await decode(codec, event);
  if (opened !== null) {
    if (fields.length === 0) return { data: opened, text: 'none' };
    return { data: opened, text: fields.some((field) => opened[field] !== null) ? 'readable' : 'erased' };
  }
  const raw = event.data as Data;
  const without = { ...raw, ...of(fields, null) };
  const rest = (await decode(codec, { ...event, data: without })) ?? without;
  return { data: { ...rest, ...of(fields, SEALED) }, text: fields.length === 0 ? 'none' : 'sealed' };
}

export function hasSealedText(event: RecordedEvent): boolean {
  return sealedFields(event).length > 0;
}

/** `null`: not in the catalogue, not of its shape, or without a key. */
async function decode(codec: Pick<Codec, 'decode'>, event: RecordedEvent): Promise<Data | null> {
  try {
    return ((await codec.decode(event))?.data as Data | undefined) ?? null;
  } catch {
    return null;
  }
}

function sealedFields({ data }: RecordedEvent): string[] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data)
    .filter(([, value]) => typeof value === 'object' && value !== null && '$sealed' in value)
    .map(([field]) => field);
}

const of = (fields: readonly string[], value: string | null): Data =>
  Object.fromEntries(fields.map((field) => [field, value]));
