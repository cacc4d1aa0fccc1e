import { moneyText, type Money } from '../../events/decimal.ts';
import { requestCancels } from './cancel-order.ts';
import { NO_DRAFTS, type Drafts, type TradingPolicy } from './commands.ts';
import { exposingOrders, type PendingFill } from './open-orders.ts';
import { WHOLE_BPS } from './order-reserve.ts';
import type { AccountState, Halt } from './state.ts';

/** Ends a halt for a daily loss in the next session. No other halt ends by itself. */
export function resume({ engine, halt }: AccountState, session: string): Drafts {
  if (engine !== 'halted' || halt?.reason !== 'daily_loss') return NO_DRAFTS;
  return [{ type: 'TradingResumed', data: { session } }];
}

/**
 * Halts trading: only closing orders are allowed. Gives no events if trading is halted for this reason already. `fill`
 * is a fill of the same decision; its effect on order and position is included.
 */
export function halt(state: AccountState, { reason, detail }: Halt, fill?: PendingFill): Drafts {
  if (state.engine === 'halted' && state.halt?.reason === reason) return [];
  return [
    { type: 'TradingHalted', data: { reason, detail } },
    ...requestCancels(exposingOrders(state, fill), 'trading_halted'),
  ];
}

/** Halts an account that has nothing left to trade with. No further session could change that. */
export function haltOnNothing(state: AccountState, value: Money): Drafts {
  if (state.engine === 'stopped') return [];
  return halt(state, { reason: 'no_equity', detail: `the account is worth ${moneyText(value)}` });
}

/** Halts active trading once the loss since the last close has reached the limit. */
export function haltOnLoss(state: AccountState, value: Money, { maxDailyLossBps }: TradingPolicy): Drafts {
  if (maxDailyLossBps === null || state.engine !== 'running') return NO_DRAFTS;
  const loss = state.closeValue - value;
  if (loss <= 0n || loss * WHOLE_BPS < state.closeValue * maxDailyLossBps) return NO_DRAFTS;
  const detail = `${moneyText(loss)} lost since the last close, of ${moneyText(state.closeValue)}`;
  return halt(state, { reason: 'daily_loss', detail });
}
