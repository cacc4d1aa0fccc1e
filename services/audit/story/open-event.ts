import { LOST_TEXT, SEALED_TEXT, tellLost, type Codec } from '../../../events/define.ts';
import type { RecordedEvent } from '../../../events/store/store.ts';
import type { StoryEntry } from './plot.ts';

type Data = StoryEntry['data'];

export interface Opened {
  readonly data: Data;
  /**
   * Whether the event's free text is absent, readable, erased with its key, or still encrypted because its key is lost
   * or not available here.
   */
  readonly text: 'none' | 'readable' | 'erased' | 'sealed';
}

/**
 * The event with its text decrypted as far as possible. It never rejects: a damaged or unknown event is shown as it is
 * stored, with its text encrypted, so that the rest of the story is not lost.
 */
export async function openEvent(codec: Pick<Codec, 'decode'>, event: RecordedEvent): Promise<Opened> {
  const fields = sealedFields(event);
  const data = (await decode(codec, event)) ?? {
    ...(event.data as Data),
    ...Object.fromEntries(fields.map((field) => [field, SEALED_TEXT])),
  };
  if (fields.length === 0) return { data, text: 'none' };
  const texts = fields.map((field) => data[field]);
  if (texts.includes(SEALED_TEXT) || texts.includes(LOST_TEXT)) return { data, text: 'sealed' };
  return { data, text: texts.some((text) => text !== null) ? 'readable' : 'erased' };
}

/** A member of an event's data; `undefined` where there is none. */
export function memberOf({ data }: RecordedEvent, name: string): unknown {
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[name] : undefined;
}

export function hasSealedText(event: RecordedEvent): boolean {
  return sealedFields(event).length > 0;
}

async function decode(codec: Pick<Codec, 'decode'>, event: RecordedEvent): Promise<Data | undefined> {
  try {
    const decoded = await codec.decode(event);
    return decoded && (tellLost(decoded, event) as Data);
  } catch {
    return undefined;
  }
}

function sealedFields({ data }: RecordedEvent): string[] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data)
    .filter(([, value]) => typeof value === 'object' && value !== null && '$sealed' in value)
    .map(([field]) => field);
}
