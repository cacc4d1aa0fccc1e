import { mulDiv, type Price } from '../../events/decimal.ts';
import type { OrderAction } from '../trading/broker.ts';
import { RATE_ONE, type Rate } from './rules.ts';

/** A price made worse by a share of it: higher for who buys, lower for who sells. */
export function slipped(price: Price, action: OrderAction, slippage: Rate): Price {
  const worse = mulDiv(price, slippage, RATE_ONE);
  return action === 'buy' ? price + worse : price - worse;
}
