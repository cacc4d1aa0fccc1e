import { parseMoney, parseOptionalPrice, parsePrice, parseQuantity } from '../../events/decimal.ts';
import type { BrokerReport } from '../trading/broker.ts';
import type { PaperDraft } from './book.ts';

/** The report of an event for the client; `null` for internal bookkeeping. */
export function reportOf({ type, data }: PaperDraft, cursor: string): BrokerReport | null {
  switch (type) {
    case 'PaperOrderAccepted':
      return { type: 'accepted', order_id: data.order_id, cursor };
    case 'PaperOrderRejected':
      return { type: 'rejected', order_id: data.order_id, cursor, reason: data.reason };
    case 'PaperOrderTriggered':
      return { type: 'triggered', order_id: data.order_id, cursor };
    case 'PaperTradeExecuted':
      return {
        ...data,
        type: 'trade',
        cursor,
        quantity: parseQuantity(data.quantity),
        price: parsePrice(data.price),
        fee: parseMoney(data.fee),
      };
    case 'PaperOrderCancelled':
      return { type: 'cancelled', order_id: data.order_id, cursor, reason: data.reason };
    case 'PaperOrderExpired':
      return { type: 'expired', order_id: data.order_id, cursor };
    case 'PaperOrderAmended':
      return {
        ...data,
        type: 'amended',
        cursor,
        quantity: parseQuantity(data.quantity),
        price: parseOptionalPrice(data.price),
        stop_price: parseOptionalPrice(data.stop_price),
      };
    case 'PaperFundsStated':
    case 'PaperSplitApplied':
    case 'PaperPositionSettled':
    case 'PaperOrderAdjusted':
    case 'PaperSessionMatched':
      return null;
  }
}
