import type { Logger } from 'pino';
import { TYPES_WITH_TEXT } from '../../events/catalog/catalog.ts';
import { COMMENTS_STREAM } from '../../events/catalog/feedback.ts';
import { askStream } from '../../events/catalog/knowledge.ts';
import type { EventStore, RecordReader } from '../../events/store/store.ts';
import type { KeyCheck } from '../../events/vault/vault.ts';
import { once } from '../foundation/once.ts';
import { erasedOnRecord, type HeedingVault } from '../audit/erasure/restored-keys.ts';
import type { Spool } from '../foundation/spool.ts';

/** Warns if there are no keys although the record has text. A start creates new keys for new text. */
export async function tellMissingKeys(store: RecordReader, logger: Logger): Promise<void> {
  const erased = await erasedOnRecord(store);
  for await (const { metadata } of store.readAll({ direction: 'backwards', types: TYPES_WITH_TEXT })) {
    if (metadata.key === undefined || erased.has(metadata.key)) continue;
    logger.error(
      { file: 'keys.db', newest: metadata.key },
      'keys.db is missing, so text on record cannot be opened any more. Stop the service, and put keys.db back from a backup of the same age as the record: text that is recorded from now on has new keys, in a new file',
    );
    return;
  }
}

/** Removes keys before a process serves: those of erased text, and those without text, which a crash has left. */
export async function tidyKeys(
  vault: HeedingVault,
  store: EventStore,
  spool: Spool,
  logger: Logger,
): Promise<void> {
  const again = await vault.eraseAgain();
  if (again > 0)
    logger.warn(
      { keys: again },
      'keys of erased text had come back, for example from a backup, and were erased again',
    );
  const swept = await vault.sweep(createKeyCheck(store, spool));
  if (swept > 0) logger.info({ swept }, 'removed keys that belong to no text');
}

/**
 * A check whether a key has text on record. A key has the name of its request; the text is in the stream of that ask,
 * in comments on it, or still in the spool.
 */
function createKeyCheck(store: EventStore, spool: Spool): KeyCheck {
  const commented = once(() => keysOf(store, COMMENTS_STREAM));
  return async (key) => {
    if (spool.usesKey(key)) return 'later';
    for await (const event of store.readStream(askStream(key))) if (event.metadata.key === key) return true;
    return (await commented()).has(key);
  };
}

async function keysOf(store: EventStore, stream: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const event of store.readStream(stream)) {
    if (event.metadata.key !== undefined) keys.add(event.metadata.key);
  }
  return keys;
}
