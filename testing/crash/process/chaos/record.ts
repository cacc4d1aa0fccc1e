import { EventStoreDBClient } from '@eventstore/db-client';
import { CATALOG } from '../../../../events/catalog/catalog.ts';
import { createCodec } from '../../../../events/define.ts';
import { openEventStoreDb } from '../../../../events/store/eventstoredb/eventstoredb.ts';
import { positionOf, toRecorded } from '../../../../events/store/eventstoredb/recorded.ts';
import { NO_VAULT } from '../../../../events/vault/vault.ts';
import { readTradingRecord } from '../../../../services/trading/record-check.suite.ts';
import type { TakenEvent } from './tally.ts';

/** All events of the event store itself, with the times at which it took them. */
export async function readRecord(url: string): Promise<TakenEvent[]> {
  const client = EventStoreDBClient.connectionString(url);
  const record: TakenEvent[] = [];
  try {
    for await (const read of client.readAll()) {
      const event = read.event === undefined ? undefined : toRecorded(read, positionOf(read));
      if (event !== undefined) record.push({ ...event, takenAt: read.event!.created.getTime() });
    }
    return record;
  } finally {
    await client.dispose();
  }
}

/** Checks chains, checkpoints and the sums of the account; returns all faults. */
export async function checkTrading(url: string): Promise<readonly string[]> {
  const store = await openEventStoreDb({ url });
  try {
    return (await readTradingRecord(store, createCodec(CATALOG, NO_VAULT), 'main')).faults;
  } finally {
    await store.close();
  }
}
