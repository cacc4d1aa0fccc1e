import type { AccountCommand } from './commands.ts';
import type { AccountEvent } from '../../events/catalog/catalog.ts';

/**
 * What takes back events whose caller was told that nothing had happened. What makes an account safer stays: a stop, a
 * cancellation.
 */
export function undo(events: readonly AccountEvent[]): AccountCommand[] {
  return events.flatMap((event): AccountCommand[] => {
    if (event.type === 'OrderSubmitted') return [{ type: 'withdraw', order_id: event.data.order_id }];
    return event.type === 'TradingStarted' ? [{ type: 'stop' }] : [];
  });
}
