import { BelegError } from '../../events/errors.ts';
import { requestCancels } from './cancel-order.ts';
import { halt } from './halt.ts';
import { exposingOrders } from './open-orders.ts';
import type { CommandOf, Drafts } from './commands.ts';
import { totalValue } from './account-value.ts';
import type { AccountState } from './state.ts';

/**
 * Starts trading. Gives no events while trading runs. If the loss of the present session had halted trading before
 * somebody stopped it, the halt is recorded again, and trading resumes with the next session. The command is not
 * refused, because while trading is stopped time may stand still, and then no next session would come.
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
 * Stops trading. Gives no events if trading is stopped, or halted because the account is worth nothing: nothing can end
 * that halt, and it should stay visible. Open orders that could open exposure are cancelled.
 */
export function stop(state: AccountState): Drafts {
  if (state.engine === 'stopped' || (state.engine === 'halted' && state.halt?.reason === 'no_equity'))
    return [];
  return [{ type: 'TradingStopped', data: {} }, ...requestCancels(exposingOrders(state), 'trading_stopped')];
}

const AS_CONFIGURED = { paused: false, speed: null };

/** Sets the clock of a replay. Gives no events if the clock is set like that already. */
export function setClock(
  { paused, speed }: CommandOf<'set-clock'>,
  { clock: before = AS_CONFIGURED }: AccountState,
): Drafts {
  const clock = { paused: paused ?? before.paused, speed: speed ?? before.speed };
  if (clock.paused === before.paused && clock.speed === before.speed) return [];
  return [{ type: 'ClockSet', data: clock }];
}

/** How fast sessions follow each other. */
export interface SessionClock {
  /** While true, a session comes only when somebody asks for it. */
  readonly paused: boolean;
  /** Sessions a second; at 0 a session comes only when it is asked for. */
  readonly speed: number;
}

/**
 * The clock as commands have set it. `speed` is the speed of the settings, which counts until a command sets another
 * one.
 */
export const sessionClock = (
  { clock = AS_CONFIGURED }: Pick<AccountState, 'clock'>,
  speed: number,
): SessionClock => ({ paused: clock.paused, speed: clock.speed ?? speed });

/**
 * Whether trading is not active and time alone would not change that. A halt for a daily loss ends with the next
 * session.
 */
export const isAtRest = ({ engine, halt, open }: AccountState): boolean =>
  engine !== 'running' && open.size === 0 && !(engine === 'halted' && halt?.reason === 'daily_loss');
