import { ASK } from '../../../actors/streams/knowledge.ts';
import type { StreamWriterOptions } from './writer.ts';
import { StreamWriters, type WritersOf } from './writers.ts';

/**
 * The writers of the streams of asks. They are shared, because any process may be asked again under a request id, or
 * may rate. An ask goes on without the store; a rating is rejected.
 */
export function askWriters(
  options: Pick<StreamWriterOptions<unknown, unknown>, 'store' | 'codec' | 'now' | 'redact'>,
): WritersOf<typeof ASK> {
  return new StreamWriters(ASK, { ...options, context: undefined, shared: true, hasty: true });
}
