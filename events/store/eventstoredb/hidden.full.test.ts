import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verifyStream } from '../../proof/verify-stream.ts';
import { verifyRecord } from '../../proof/verify.ts';
import { newEvents } from '../contract.suite.ts';
import { NO_STREAM } from '../store.ts';
import { useServer } from '../../../testing/eventstoredb/server.suite.ts';
import { JSON_CONTENT } from '../../../testing/eventstoredb/stand-in/database.ts';
import type { StoredEvent } from '../../../testing/eventstoredb/stand-in/stored-event.ts';

const metadata = (data: object) => ({ stream: '$$account-paper', type: '$metadata', data });

describe('Events that an EventStoreDB keeps back', () => {
  const bench = useServer();

  /** The server's database as somebody leaves it who writes past it. */
  async function leave(...own: { stream: string; type: string; revision?: bigint; data?: object }[]) {
    await bench.store.append('account-paper', NO_STREAM, newEvents(6));
    const events: Parameters<typeof bench.server.overwrite>[0][number][] = [];
    for await (const { stream, revision, id, type, data, metadata } of bench.store.readAll()) {
      const [bytes, beside] = [data, metadata].map((json) => Buffer.from(JSON.stringify(json)));
      events.push({ ...blank, stream, revision, id, type, data: bytes!, metadata: beside! });
    }
    for (const { data = {}, revision = 0n, ...event } of own) {
      events.push({
        ...blank,
        ...event,
        revision,
        id: randomUUID(),
        data: Buffer.from(JSON.stringify(data)),
      });
    }
    bench.server.overwrite(events);
    return (await verifyRecord(bench.store)).findings;
  }

  const blank = {
    contentType: JSON_CONTENT,
    created: 0,
    metadata: Buffer.alloc(0),
  } satisfies Partial<StoredEvent>;

  test.each([[{ $tb: 4 }], [{ $maxCount: 1 }], [{ $maxAge: 1 }]])(
    'by metadata of their stream %j: it is named',
    async (data) => {
      expect(await leave(metadata(data))).toEqual([
        { kind: 'hidden', stream: 'account-paper', detail: `its metadata sets ${Object.keys(data)[0]}` },
      ]);
    },
  );

  test('not by metadata of another kind, nor by what was taken back', async () => {
    const taken = [metadata({ $tb: 4 }), { ...metadata({ note: 'x' }), revision: 1n }];
    expect(await leave(...taken)).toEqual([]);
  });

  test('because their stream was deleted: by itself it can be verified too', async () => {
    const deleted = { stream: 'account-paper', type: '$streamDeleted', revision: 2n ** 63n - 1n };
    const hidden = { kind: 'hidden', stream: 'account-paper', detail: 'it was deleted permanently' };
    expect(await leave(deleted)).toEqual([hidden]);
    expect((await verifyStream(bench.store, 'account-paper')).findings).toEqual([hidden]);
  });
});
