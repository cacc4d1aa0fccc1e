import { describe, expect, test } from 'vitest';
import { createDecoder } from '../define.ts';
import type { Json } from '../json.ts';
import type { Position } from '../store/store.ts';
import { NO_KEYS } from '../vault/vault.ts';
import { INDEX_STREAM, ReindexStarted } from './knowledge.ts';

/** Reads an event of version 1 with the present catalogue. */
async function readVersionOne(data: Record<string, Json>): Promise<unknown> {
  const { id, stream, metadata } = ReindexStarted.create(
    { request_id: 'r' },
    {
      stream: INDEX_STREAM,
      at: '2026-11-29T08:00:00.000Z',
      correlationId: 'r',
      causationId: 'c',
      key: 'r',
    },
  );
  const recorded = {
    id,
    type: ReindexStarted.type,
    data,
    stream,
    revision: 0n,
    position: '1' as Position,
    metadata: { ...metadata, version: 1, hash: 'f'.repeat(64) },
  };
  return (await createDecoder([ReindexStarted], NO_KEYS).decode(recorded))?.data;
}

describe('the start of a reindex in a record of version 1', () => {
  test('says how many files changed, and no longer which', async () => {
    const files = { added: ['Abmahnung Müller.pdf'], changed: ['a.md', 'b.md'], removed: [] };
    expect(await readVersionOne({ request_id: 'r', files })).toEqual({
      request_id: 'r',
      files: { added: 1, changed: 2, removed: 0 },
    });
  });

  test('has no files where a request began it', async () => {
    expect(await readVersionOne({ request_id: 'r' })).toEqual({ request_id: 'r' });
  });
});
