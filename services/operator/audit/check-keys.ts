import { TextErased } from '../../../events/catalog/audit.ts';
import { TYPES_WITH_TEXT } from '../../../events/catalog/catalog.ts';
import { given } from '../../../events/given.ts';
import { damageOf } from '../../../events/sqlite/integrity.ts';
import { isReadable } from '../../../events/sqlite/readable-file.ts';
import { isTextGone } from '../../../events/define.ts';
import type { Finding } from '../../../events/proof/finding-words.ts';
import type { RecordedEvent } from '../../../events/store/store.ts';
import { firstFew } from '../../../events/first-few.ts';
import { keysIn } from '../../composition/runtime.ts';
import type { Settings } from '../../composition/settings.ts';
import type { OpenRecord } from '../../foundation/record.ts';

/** The most requests that the output names. */
const NAMED = 20;

export type KeysFound = Awaited<ReturnType<typeof checkKeys>>;

/**
 * Checks for each request with encrypted text whether the text can be decrypted, because hash chains cover only the
 * ciphertext and prove nothing about its key. An erased request needs no key. The newest event with text is tried for
 * each request.
 *
 * @param limit the most events that are read, from the newest back.
 * @throws {BelegError} `STORE_UNAVAILABLE`.
 */
export async function checkKeys({ store, codec }: Pick<OpenRecord, 'store' | 'codec'>, limit?: number) {
  const seen = new Set<string>();
  const erased = new Set<string>();
  const lost: string[] = [];
  let unknown = 0;
  const types = [...TYPES_WITH_TEXT, TextErased.type];
  for await (const event of store.readAll({ direction: 'backwards', types, ...given({ limit }) })) {
    if (event.type === TextErased.type) erased.add(erasedRequest(event));
    const { key } = event.metadata;
    if (key === undefined || seen.has(key)) continue;
    seen.add(key);
    // An event with other damage is found by its chain.
    const opened = await codec.decode(event).catch(() => undefined);
    if (opened?.isSealed === true) unknown += 1;
    // An erased text looks like one whose key is missing. Whether it was erased on record is checked below.
    if (opened !== undefined && (opened.isLost === true || isTextGone(opened, event))) lost.push(key);
  }
  const missing = lost.filter((key) => !erased.has(key)).sort();
  return {
    /** The number of requests with text. */
    requests: seen.size,
    /** The number of requests whose key may not be used here, so that their text was not checked. */
    unknown,
    missing: missing.length,
    named: missing.slice(0, NAMED),
  };
}

/** The request that an erasure names; empty if the event is damaged. */
const erasedRequest = ({ data }: RecordedEvent): string =>
  (data as { request_id?: string } | null)?.request_id ?? '';

/** The names of the requests, up to `NAMED`. */
export const namesOf = ({ missing, named }: KeysFound): string => firstFew(named, NAMED, { of: missing });

/** Advice for text whose key is missing. */
export const KEYS_ADVICE =
  'put the keys back from a backup of the same age as the record, or erase these requests (beleg audit erase), which says for good that their text is gone';

/**
 * Whether the file of the keys is damaged, which one successful decryption does not show. Only for a single process.
 */
export async function damagedKeys({
  dataDir,
  distributed,
}: Pick<Settings, 'dataDir' | 'distributed'>): Promise<(Finding & { kind: 'keys-damaged' })[]> {
  const file = keysIn(dataDir);
  // A user who may not read the file cannot check it.
  if (distributed !== null || !isReadable(file)) return [];
  const detail = await damageOf(file);
  return detail === null ? [] : [{ kind: 'keys-damaged', file, detail }];
}
