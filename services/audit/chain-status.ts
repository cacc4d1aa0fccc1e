import type { z } from 'zod';
import type { ChainStatus as ChainStatusSchema } from '../../events/messages/audit.ts';
import { verifyChain, type ChainFault } from '../../events/store/chain.ts';
import type { RecordReader } from '../../events/store/store.ts';

export type ChainStatus = z.output<typeof ChainStatusSchema>;

/** Who sees so many needs no more. */
const MAX_FAULTS = 20;

/** Walks the chain of a stream and says in words what is wrong. Rejects with what the store rejects with. */
export async function chainStatus(store: RecordReader, stream: string): Promise<ChainStatus> {
  const { events, faults } = await verifyChain(stream, store.readStream(stream));
  const told = faults.slice(0, MAX_FAULTS).map(describeFault);
  const more = faults.length - told.length;
  if (more > 0) told.push(`and ${more} more`);
  return { stream, whole: faults.length === 0, events, faults: told };
}

export function describeFault(fault: ChainFault): string {
  switch (fault.kind) {
    case 'changed':
      return `revision ${fault.revision} was changed (event ${fault.id})`;
    case 'missing':
      return fault.from === fault.to
        ? `revision ${fault.from} is missing`
        : `revisions ${fault.from} to ${fault.to} are missing`;
    case 'swapped':
      return `revisions ${fault.revision} and ${fault.with} were swapped`;
  }
}
