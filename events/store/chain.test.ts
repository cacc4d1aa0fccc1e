import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../json.ts';
import { chain } from './chain.suite.ts';
import type { RecordedEvent } from './store.ts';

describe('Hash chain', () => {
  it('is SHA-256 over the previous 32 bytes and the canonical event', () => {
    const [first, second] = chain(2) as [RecordedEvent, RecordedEvent];
    const { hash, ...metadata } = second.metadata;
    const { id, type, data } = second;
    const bytes = canonicalJson({ id, type, data, metadata, stream: 'ask-1', revision: '1' });
    const expected = createHash('sha256')
      .update(Buffer.from(first.metadata.hash, 'hex'))
      .update(bytes)
      .digest('hex');
    expect(hash).toBe(expected);
  });

  it('stays what it is: chains written by earlier releases must verify', () => {
    expect(chain(3).at(-1)!.metadata.hash).toBe(
      '8ba3f789866c9f302d28b8a31773eee6895f5be76a3a6b5d91d8ac4021c8d057',
    );
  });
});
