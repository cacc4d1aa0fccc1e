import type { MessageBus } from '../../../events/bus/bus.ts';
import { Erase } from '../../../events/messages/audit.ts';
import { Responder, type Holder } from '../../foundation/responder.ts';
import { unlessItWaits } from '../answer-in-spool.ts';
import { openEraser, type EraserOptions } from './eraser.ts';
import { startRetention } from './retention.ts';

interface ErasureServiceOptions extends EraserOptions, Holder {
  bus: MessageBus;
  /** Days after which text is erased; `null` if it is kept until somebody asks for its erasure. */
  retentionDays: number | null;
}

export type Erasing = ReturnType<typeof serveErasures>;

/**
 * Erases text, by request and by age, in the process that writes the audit tables. End it before the projection is
 * stopped.
 */
export function serveErasures(options: ErasureServiceOptions) {
  const { bus, retentionDays: days, logger } = options;
  const eraser = openEraser(options);
  const endRetention = days === null ? undefined : startRetention({ days, eraser, logger });
  const requests = new Responder(options, 'audit', 'audit-projection');
  requests.answer(Erase, (request, context) => {
    // An erasure is completed even if its caller has left.
    const { correlationId, callId, trace } = context;
    const call = { correlationId, callId, trace };
    return unlessItWaits(bus, context, () => eraser.erase({ ...request, by: 'operator', call }));
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
