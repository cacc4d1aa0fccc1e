import { TextErased } from '../../../events/catalog/audit.ts';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { given } from '../../../events/given.ts';
import { isTextGone } from '../../../events/define.ts';
import type { RecordedEvent } from '../../../events/store/store.ts';
import type { OpenRecord } from '../../foundation/record.ts';

/** Events that can have sealed text. */
const WITH_TEXT = CATALOG.filter(({ freeText }) => freeText.length > 0).map(({ type }) => type);

/** Requests that are named. */
const NAMED = 20;

export type KeysFound = Awaited<ReturnType<typeof checkKeys>>;

/**
 * Looks, for each request with sealed text, whether its text can be opened: hash chains cover the sealed text and say
 * nothing of its key. An erased one needs none. Of each request the newest event with text is opened.
 *
 * @param limit looks through so many events at most, the newest ones
 * @throws {BelegError} `STORE_UNAVAILABLE`
 */
export async function checkKeys({ store, codec }: Pick<OpenRecord, 'store' | 'codec'>, limit?: number) {
  const seen = new Set<string>();
  const erased = new Set<string>();
  const lost: string[] = [];
  let unknown = 0;
  const types = [...WITH_TEXT, TextErased.type];
  for await (const event of store.readAll({ direction: 'backwards', types, ...given({ limit }) })) {
    if (event.type === TextErased.type) erased.add(erasedRequest(event));
    const { key } = event.metadata;
    if (key === undefined || seen.has(key)) continue;
    seen.add(key);
    // An event that is damaged in another way is found by its chain.
    const opened = await codec.decode(event).catch(() => undefined);
    if (opened?.isSealed === true) unknown += 1;
    // A key that is empty reads as an erased one; whether anybody erased it is told below.
    if (opened !== undefined && (opened.isLost === true || isTextGone(opened, event))) lost.push(key);
  }
  const missing = lost.filter((key) => !erased.has(key)).sort();
  return {
    /** Requests with text. */
    requests: seen.size,
    /** Requests whose key may not be used here, so that their text was not checked. */
    unknown,
    missing: missing.length,
    named: missing.slice(0, NAMED),
  };
}

/** Empty where the event is damaged. */
const erasedRequest = ({ data }: RecordedEvent): string =>
  (data as { request_id?: string } | null)?.request_id ?? '';

/** The requests by name, as far as there is room. */
export const namesOf = ({ missing, named }: KeysFound): string =>
  `${named.join(', ')}${missing > named.length ? ` and ${missing - named.length} more` : ''}`;

/** What can be done for text whose key is missing. */
export const KEYS_ADVICE =
  'put the keys back from a backup of the same age as the record, or erase these requests (beleg audit erase), which says for good that their text is gone';
