import { join } from 'node:path';
import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { expect, onTestFinished, test } from 'vitest';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { createCodec } from '../../events/define.ts';
import { PATIENT } from '../../events/patient.suite.ts';
import { startProjection } from '../../events/projections/runner.ts';
import { openEventStoreDb } from '../../events/store/eventstoredb/eventstoredb.ts';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { NO_VAULT } from '../../events/vault/vault.ts';
import { startEventStore } from '../../testing/eventstoredb/served.suite.ts';
import { auditProjection } from './projection.ts';

test('what another program writes into a stream of ours is set aside and counted, and the tables go on', async () => {
  // given
  const folder = temporaryFolder();
  const server = await startEventStore({ file: join(folder, 'events.db') });
  onTestFinished(() => server.close());
  const client = EventStoreDBClient.connectionString(server.url);
  onTestFinished(() => client.dispose());
  const type = 'AnswerGiven';
  const noise = [
    binaryEvent({ type, data: Buffer.from('{broken') }),
    binaryEvent({ type, data: Buffer.from('{}'), metadata: Buffer.from('no JSON') }),
    jsonEvent({ type, data: 'a text' as never }),
    jsonEvent({ type, data: [1] as never, metadata: [] as never }),
    jsonEvent({ type, data: { request_id: 'r-1', answer: { $sealed: 'AAAA' } } }),
  ];
  await client.appendToStream('ask-r-1', noise);
  // An erasure without a time still counts.
  await client.appendToStream('erasures', jsonEvent({ type: 'TextErased', data: { request_id: 'r-1' } }));
  await client.appendToStream('ask-r-2', jsonEvent({ type: 'NobodyKnows', data: {} }));
  const store = await openEventStoreDb({ url: server.url });
  onTestFinished(() => store.close());

  // when
  const aside: string[] = [];
  const runner = startProjection({
    store,
    codec: createCodec(CATALOG, NO_VAULT),
    projection: auditProjection,
    file: join(folder, 'audit.db'),
    onSetAside: ({ event }) => aside.push(event.stream),
  });
  onTestFinished(() => runner.stop());
  const last = (
    await Array.fromAsync(store.readAll({ direction: 'backwards', limit: 1, types: ['TextErased'] }))
  )[0]!;
  await runner.waitFor(last.position, PATIENT);

  // then
  expect(aside).toEqual(noise.map(() => 'ask-r-1'));
  expect(runner.status()).toMatchObject({ setAside: noise.length, error: undefined });
});
