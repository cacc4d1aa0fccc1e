import { BelegError } from '../../events/errors.ts';
import { requestCancels } from './cancel-order.ts';
import { exposingOrders, type PendingFill } from './open-orders.ts';
import { NO_DRAFTS, type CommandOf, type Drafts } from './commands.ts';
import { totalValue } from './account-value.ts';
import type { AccountState, Halt } from './state.ts';

/**
 * Gives no events while trading runs. In the session of a daily loss it gives the halt that stood before trading was
 * stopped: trading resumes with the next session. A refusal would leave no way on, because while trading is stopped time
 * may stand still, and then no next session comes.
 *
 * @throws {BelegError} `TRADING_HALTED` while a discrepancy is not settled, and for an account that is worth nothing.
 */
export function start(state: AccountState): Drafts {
  if (state.engine === 'running') return [];
  if (state.discrepancies.length > 0)
    throw halted('The broker and the account do not agree; until they do, orders may only close positions');
  if (totalValue(state) <= 0n) throw halted('The account has no value left; orders may only close positions');
  if (state.lossSession !== null && state.lossSession === state.session)
    return halt(state, { reason: 'daily_loss', detail: 'the loss of this session has reached its limit' });
  return [{ type: 'TradingStarted', data: {} }];
}

const halted = (detail: string): BelegError => new BelegError('TRADING_HALTED', { detail });

/**
 * Gives no events while trading is stopped, or halted because the account is worth nothing: that state has no other end
 * and stays visible. Open orders that could open exposure are cancelled.
 */
export function stop(state: AccountState): Drafts {
  if (state.engine === 'stopped' || (state.engine === 'halted' && state.halt?.reason === 'no_equity'))
    return [];
  return [{ type: 'TradingStopped', data: {} }, ...requestCancels(exposingOrders(state), 'trading_stopped')];
}

const AS_CONFIGURED = { paused: false, speed: null };

/** Gives no events if the clock is set like that already. */
export function setClock(
  { paused, speed }: CommandOf<'set-clock'>,
  { clock: before = AS_CONFIGURED }: AccountState,
): Drafts {
  const clock = { paused: paused ?? before.paused, speed: speed ?? before.speed };
  if (clock.paused === before.paused && clock.speed === before.speed) return [];
  return [{ type: 'ClockSet', data: clock }];
}

/** How sessions come. */
export interface SessionClock {
  /** Sessions only come as they are asked for, until an operator lets the clock go on. */
  readonly paused: boolean;
  /** Sessions a second; at 0 they only come as they are asked for. */
  readonly speed: number;
}

/** The clock as commands have set it. `speed` is that of the settings: it counts until a command sets another one. */
export const sessionClock = (
  { clock = AS_CONFIGURED }: Pick<AccountState, 'clock'>,
  speed: number,
): SessionClock => ({ paused: clock.paused, speed: clock.speed ?? speed });

/** Whether nothing trades and time alone would not change that. A halt for a daily loss ends with the next session. */
export const isAtRest = ({ engine, halt, open }: AccountState): boolean =>
  engine !== 'running' && open.size === 0 && !(engine === 'halted' && halt?.reason === 'daily_loss');

/** A halt for a daily loss ends with the next session. No other halt ends by itself. */
export function resume({ engine, halt }: AccountState, session: string): Drafts {
  if (engine !== 'halted' || halt?.reason !== 'daily_loss') return NO_DRAFTS;
  return [{ type: 'TradingResumed', data: { session } }];
}

/**
 * Halts trading: only closing orders are allowed. It gives no events if trading is halted for this reason already. `fill` is
 * a fill of the same decision, so that its effect on order and position is included.
 */
export function halt(state: AccountState, { reason, detail }: Halt, fill?: PendingFill): Drafts {
  if (state.engine === 'halted' && state.halt?.reason === reason) return [];
  return [
    { type: 'TradingHalted', data: { reason, detail } },
    ...requestCancels(exposingOrders(state, fill), 'trading_halted'),
  ];
}
