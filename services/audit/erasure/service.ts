import type { MessageBus } from '../../../events/bus/bus.ts';
import { Erase } from '../../../events/messages/audit.ts';
import { Responder } from '../../responder.ts';
import type { StateHashes } from '../../state-hashes.ts';
import { unlessItWaits } from '../waiting.ts';
import { Eraser, type EraserOptions } from './eraser.ts';
import { startRetention } from './retention.ts';

interface ErasureServiceOptions extends EraserOptions {
  bus: MessageBus;
  /** `null`: text is kept until somebody asks for its erasure. */
  retentionDays: number | null;
}

export interface Erasing {
  stateHashes(): Promise<StateHashes>;
  end(): Promise<void>;
}

/**
 * Erases text, by request and by age, in the process that writes the audit tables. It is ended before the projection is
 * stopped.
 */
export function serveErasures(options: ErasureServiceOptions): Erasing {
  const { bus, retentionDays: days, logger } = options;
  const eraser = new Eraser(options);
  const endRetention = days === null ? undefined : startRetention({ days, eraser, logger });
  const requests = new Responder(options, 'audit');
  requests.answer(Erase, async ({ request_id, reason }, context) => {
    const { correlationId, callId, trace } = context;
    const { erasedAt, repeated } = await unlessItWaits(bus, context, () =>
      eraser.erase({
        requestId: request_id,
        reason,
        by: 'operator',
        correlationId,
        callId,
        traceparent: trace?.traceparent,
      }),
    );
    return { request_id, erased_at: erasedAt, repeated };
  });
  return {
    stateHashes: () => eraser.stateHashes(),
    async end() {
      endRetention?.();
      await requests.leave();
      await eraser.close();
    },
  };
}
