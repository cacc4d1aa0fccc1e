import { moneyText } from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import type { AccountData, Drafts, CommandOf, TradingPolicy } from './commands.ts';
import { freeFunds } from './funds.ts';
import type { AccountState } from './state.ts';

/**
 * Moves cash into the account or, with a negative amount, out of it. Gives no events if this `client_cash_id` is on
 * record with the same amount and reason.
 *
 * @throws {BelegError} `CLIENT_CASH_ID_REUSED`; `INSUFFICIENT_FUNDS` for more than is free.
 */
export function moveCash(
  { amount, reason, client_cash_id }: CommandOf<'move-cash'>,
  state: AccountState,
  policy: TradingPolicy,
): Drafts {
  const data = { amount: moneyText(amount), reason, client_cash_id, session: state.session };
  const before = client_cash_id === null ? undefined : state.cashMoves?.get(client_cash_id);
  if (before !== undefined) {
    if (before === fingerprintOf(data)) return [];
    throw new BelegError('CLIENT_CASH_ID_REUSED');
  }
  const free = freeFunds(state, policy);
  if (amount < 0n && -amount > free) {
    const most = free > 0n ? free : 0n;
    throw new BelegError('INSUFFICIENT_FUNDS', {
      detail: `At most ${moneyText(most)} can be withdrawn: the rest is invested, reserved for open orders or not settled`,
    });
  }
  return [{ type: 'CashMoved', data }];
}

/**
 * Takes back cash whose client was told that it could not be recorded: it counts as never received, whatever it was
 * used for meanwhile.
 */
export function takeBackCash(
  { amount, reason, client_cash_id }: CommandOf<'take-back-cash'>,
  state: AccountState,
): Drafts {
  const data = { amount: moneyText(-amount), reason, client_cash_id, session: state.session };
  return [{ type: 'CashMoved', data: { ...data, takes_back: true } }];
}

/** The parts of a cash movement by which a repeated request is recognised. */
export const fingerprintOf = ({ amount, reason }: Pick<AccountData<'CashMoved'>, 'amount' | 'reason'>) =>
  `${amount} ${reason}`;
