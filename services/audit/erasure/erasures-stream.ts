import { ERASURES } from '../../../actors/streams/knowledge.ts';
import { ERASURES_STREAM } from '../../../events/catalog/audit.ts';
import type { CallContext } from '../../../events/messages/define.ts';
import { NO_STREAM, type Position } from '../../../events/store/store.ts';
import type { Vault } from '../../../events/vault/vault.ts';
import { stateHashOf, type StateHashes } from '../../foundation/streams/state-hashes.ts';
import { StreamWriter } from '../../foundation/streams/writer.ts';
import type { AuditLines } from '../../foundation/audit-lines.ts';
import type { ServiceParts } from '../../foundation/service-parts.ts';

export interface ErasureOptions extends Pick<ServiceParts, 'store' | 'codec' | 'now'> {
  vault: Vault;
  lines: AuditLines;
}

export interface ErasureToRequest {
  readonly request_id: string;
  readonly reason: string;
  readonly by: 'operator' | 'retention';
  /** The call of the erasure, a new one for each request. */
  readonly call: CallContext;
}

/**
 * Records the request for an erasure, erases the keys, then records that they are gone. Each step can be repeated, even
 * by another process: before each step the events of others are read.
 */
export function openErasures({ store, vault, codec, lines, now }: ErasureOptions) {
  let isRead = false;
  const options = { store, codec, now, context: undefined, shared: true, hasty: true };
  const writer = new StreamWriter(ERASURES, ERASURES_STREAM, options);
  writer.follow((events) => {
    for (const event of events) lines(event, event.revision);
  });

  /** Reads the stream once, or again if `anew` is true. */
  async function readOnce(anew = false): Promise<void> {
    if (isRead && !anew) return;
    await writer.read(() => undefined);
    isRead = true;
  }

  return {
    /**
     * Erases the text of these requests, which must be on record, and completes all other requested erasures. Resolves
     * when the keys are gone and this is recorded.
     */
    async settle(requests: readonly ErasureToRequest[]): Promise<void> {
      await readOnce(requests.length === 0);
      await Promise.all(
        requests.map(({ call, ...request }) => writer.submit({ type: 'request-erasure', ...request }, call)),
      );
      const pending = [...writer.state.pending];
      await Promise.all(pending.map(([requestId]) => vault.erase(requestId)));
      await Promise.all(
        pending.map(([request_id, { id, correlationId }]) =>
          writer.submit({ type: 'complete-erasure', request_id }, { correlationId, callId: id }),
        ),
      );
    },
    /** When the text was erased (ISO 8601), as far as `settle` has read. */
    async erasedAt(requestId: string): Promise<string | undefined> {
      await readOnce();
      return writer.state.erased.get(requestId);
    },
    /** The number of events and the position of the last one; `undefined` if there is none. */
    async end(): Promise<{ events: number; position: Position } | undefined> {
      await readOnce();
      const { revision, position } = writer;
      return position === null ? undefined : { events: Number(revision) + 1, position };
    },
    /** The hash of the state, as far as `settle` has read. */
    async stateHashes(): Promise<StateHashes> {
      await readOnce();
      const { revision, state } = writer;
      return revision === NO_STREAM ? {} : stateHashOf(ERASURES_STREAM, state);
    },
    /** Retries a pending append once. */
    close: () => writer.close(),
  };
}
