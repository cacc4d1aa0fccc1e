import type { PaperBrokerEvent } from '../../events/catalog/catalog.ts';
import { parseMoney, parsePrice, parseQuantity } from '../../events/decimal.ts';
import type { BrokerReport } from '../trading/broker.ts';
import type { PaperDraft } from './book.ts';

/** What an event of the paper broker says to its client; `null` for its own bookkeeping. */
export function reportOf(event: PaperBrokerEvent | PaperDraft, cursor: string): BrokerReport | null {
  switch (event.type) {
    case 'PaperOrderAccepted':
      return { type: 'accepted', order_id: event.data.order_id, cursor };
    case 'PaperOrderRejected':
      return { type: 'rejected', order_id: event.data.order_id, cursor, reason: event.data.reason };
    case 'PaperOrderTriggered':
      return { type: 'triggered', order_id: event.data.order_id, cursor };
    case 'PaperTradeExecuted':
      return {
        type: 'trade',
        order_id: event.data.order_id,
        cursor,
        trade_id: event.data.trade_id,
        quantity: parseQuantity(event.data.quantity),
        price: parsePrice(event.data.price),
        fee: parseMoney(event.data.fee),
        session: event.data.session,
      };
    case 'PaperOrderCancelled':
      return { type: 'cancelled', order_id: event.data.order_id, cursor, reason: event.data.reason };
    case 'PaperOrderExpired':
      return { type: 'expired', order_id: event.data.order_id, cursor };
    case 'PaperSplitApplied':
    case 'PaperPositionSettled':
    case 'PaperOrderAdjusted':
    case 'PaperSessionMatched':
      return null;
  }
}
