import { ASK } from '../../../actors/streams/knowledge.ts';
import type { StreamWriterOptions } from './writer.ts';
import { StreamWriters, type WritersOf } from './writers.ts';

/**
 * Writers of the streams of asks. A request id may be asked again, and is rated, wherever there is a process: they are
 * shared. Who asks goes on without the store, and who rates is told.
 */
export function askWriters(
  options: Pick<StreamWriterOptions<unknown, unknown>, 'store' | 'codec' | 'now' | 'redact'>,
): WritersOf<typeof ASK> {
  return new StreamWriters(ASK, { ...options, context: undefined, shared: true, hasty: true });
}
