import type { z } from 'zod';
import type { ChainStatus as ChainStatusSchema } from '../../../events/messages/audit.ts';
import { describeFinding } from '../../../events/proof/finding.ts';
import { toFinding } from '../../../events/proof/verify-stream.ts';
import { verifyChain } from '../../../events/store/chain.ts';
import type { RecordReader } from '../../../events/store/store.ts';

type ChainStatus = z.output<typeof ChainStatusSchema>;

/** Who sees so many needs no more. */
const MAX_FAULTS = 20;

/**
 * Walks the chain of a stream and says in words what is wrong. A tail that was cut off only checkpoints show: see
 * `verifyStream`. Rejects with what the store rejects with.
 */
export async function chainStatus(store: RecordReader, stream: string): Promise<ChainStatus> {
  const { events, faults } = await verifyChain(stream, store.readStream(stream));
  const told = faults.slice(0, MAX_FAULTS).map((fault) => describeFinding(toFinding(stream, fault)));
  const more = faults.length - told.length;
  if (more > 0) told.push(`and ${more} more`);
  return { stream, whole: faults.length === 0, events, faults: told };
}
