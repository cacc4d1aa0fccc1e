import { ASK } from '../../../actors/streams/knowledge.ts';
import type { StreamWriterOptions } from './writer.ts';
import { StreamWriters, type WritersOf } from './writers.ts';

/**
 * The writers of the streams of asks. They are shared with other processes, because any process may get a question or a
 * rating under a request id. An ask goes on without the store; a rating is rejected.
 */
export function askWriters(
  options: Pick<StreamWriterOptions<unknown, unknown>, 'store' | 'codec' | 'now' | 'redact'>,
): WritersOf<typeof ASK> {
  return new StreamWriters(ASK, { ...options, context: undefined, shared: true, hasty: true });
}
