import { setTimeout as delay } from 'node:timers/promises';
import { ERASURES_STREAM, TextErased } from '../../../events/catalog/audit.ts';
import { askStream } from '../../../events/catalog/knowledge.ts';
import { BelegError } from '../../../events/errors.ts';
import { ListInteractions, ShowInteraction } from '../../../events/messages/audit.ts';
import type { ProjectionRunner } from '../../../events/projections/runner.ts';
import { once } from '../../foundation/once.ts';
import { Responder, type Holder } from '../../foundation/responder.ts';
import { interactionOfRequest } from './interaction.ts';
import { listInteractions } from './list-interactions.ts';
import { tellStory } from '../story/story.ts';
import { openAuditTables, type AuditTables } from './audit-tables.ts';
import type { ServiceParts } from '../../foundation/service-parts.ts';
import { describeFinding } from '../../../events/proof/finding-words.ts';
import { verifyChain } from '../../../events/proof/verify-stream.ts';
import type { RecordReader } from '../../../events/store/store.ts';

interface InteractionsOptions extends Pick<ServiceParts, 'bus' | 'store' | 'codec' | 'logger'>, Holder {
  /** The file that the audit projection writes. It exists once the projection is open. */
  file: string;
  projection: Pick<ProjectionRunner, 'status' | 'waitFor'>;
  /** Resolves when the projection has caught up for the first time, or has failed. */
  settled: Promise<void>;
}

/** Right after a start the tables are mostly ready within this time; if not, they are read as they are. */
const SETTLE_MS = 2_000;

/**
 * Answers from the tables in their present state, but only after everything that was erased before the start has been
 * removed from them, because they may be a restored backup. Returns a function that ends the service and lets running
 * requests finish.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE`.
 */
export function serveInteractions(options: InteractionsOptions): () => Promise<void> {
  const tables = openAuditTables(options.file);
  const ready = Promise.race([options.settled, delay(SETTLE_MS, undefined, { ref: false })]);
  const forgotten = once(() => hasForgotten(options));
  const whenReady = <T>(read: () => Promise<T>): Promise<T> => ready.then(forgotten).then(read);
  const requests = new Responder(options, 'audit', 'audit-projection');
  requests.answer(ListInteractions, (query) => whenReady(() => listInteractions(tables, query)));
  requests.answer(ShowInteraction, ({ request_id }) =>
    whenReady(() => showInteraction(options, tables, request_id)),
  );
  return async () => {
    await requests.leave();
    await requests.rest();
    tables.close();
  };
}

/** Waits until erased text is gone from the tables. Rejects with `STORE_UNAVAILABLE`, or as `waitFor`. */
async function hasForgotten({ store, projection }: InteractionsOptions): Promise<void> {
  for await (const { type, position } of store.readStream(ERASURES_STREAM, { direction: 'backwards' })) {
    if (type !== TextErased.type) continue;
    // This also holds for tables of an earlier version, which are read until new ones exist.
    if (projection.status().position < position) await projection.waitFor(position, { timeoutMs: SETTLE_MS });
    return;
  }
}

async function showInteraction(
  { store, codec }: InteractionsOptions,
  tables: AuditTables,
  requestId: string,
) {
  const interaction = tables.read(() => interactionOfRequest(tables, requestId));
  if (interaction === undefined) throw new BelegError('UNKNOWN_REQUEST_ID');
  const [story, chain] = await Promise.all([
    tellStory({ store, codec }, requestId),
    chainStatus(store, askStream(requestId)),
  ]);
  return { interaction, story, chain };
}

/** The most faults that are listed. */
const MAX_FAULTS = 20;

/**
 * Verifies the chain of a stream and returns its faults in words. Only checkpoints show a tail that was cut off: see
 * `verifyStream`. Rejects as the store does.
 */
async function chainStatus(store: RecordReader, stream: string) {
  const { events, faults } = await verifyChain(stream, store.readStream(stream));
  const told = faults.slice(0, MAX_FAULTS).map(describeFinding);
  const more = faults.length - told.length;
  if (more > 0) told.push(`and ${more} more`);
  return { stream, whole: faults.length === 0, events, faults: told };
}
