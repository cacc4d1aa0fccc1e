import { expect } from 'vitest';
import {
  ratioText,
  mulDiv,
  plainText,
  PRICE_DECIMALS,
  priceOf,
  priceText,
  quantityText,
  valueOf,
  type Ratio,
} from '../../events/decimal.ts';
import { Account, opening } from './account.suite.ts';
import type { TradingPolicy, AccountData, AccountDraft } from './commands.ts';
import { viewPositions, viewStatus } from './view.ts';

export type SignedFill = readonly [quantity: number, price: number];

export const TICKER = 'AAA';
export const ONE = 10n ** BigInt(PRICE_DECIMALS);

/** Fills of any size in any direction, through the account's own commands. */
export class Trader {
  readonly account: Account;
  #fills = 0;

  constructor(policy: Partial<TradingPolicy> = {}, cash: number = 1e12) {
    this.account = new Account({ shorting: true, collarBps: 0n, lot: 1n, ...policy }, plainText(cash));
  }

  /** `fee`: an amount, or a share of the fill's value. */
  book([quantity, price]: SignedFill, fee: { amount: number } | { rate: number } = { amount: 0 }): void {
    const id = `fill-${this.#fills++}`;
    const size = quantityText(priceOf(Math.abs(quantity)));
    const at = priceText(priceOf(price));
    const value = valueOf(priceOf(Math.abs(quantity)), priceOf(price));
    const charged = 'amount' in fee ? priceOf(fee.amount) * ONE : mulDiv(value, priceOf(fee.rate), ONE);
    const [order] = this.account.submit({
      id,
      ticker: TICKER,
      action: quantity > 0 ? 'buy' : 'sell',
      quantity: size,
      last: at,
    });
    expect(order?.type).toBe('OrderSubmitted');
    this.account.do({
      type: 'report',
      report: {
        type: 'trade',
        order_id: id,
        cursor: this.account.cursor(),
        trade_id: id,
        quantity: priceOf(Math.abs(quantity)),
        price: priceOf(price),
        fee: charged,
        session: this.account.state.session ?? '2024-01-01',
      },
    });
  }

  openSession(session: string, splits: Record<string, Ratio> = {}): readonly AccountDraft[] {
    const ratios = Object.entries(splits).map(([ticker, ratio]) => [ticker, ratioText(ratio)]);
    return this.account.do(opening(session, { splits: Object.fromEntries(ratios) }));
  }

  /** Values the positions at a price. */
  closeSession(session: string, price: number): void {
    this.account.do({ type: 'close-session', session, closes: new Map([[TICKER, priceOf(price)]]) });
  }

  /** `[0, 0]` when flat. */
  position(): SignedFill {
    const view = viewPositions(this.account.state)[TICKER];
    return view === undefined ? [0, 0] : [view.quantity, view.average_price];
  }

  status(): ReturnType<typeof viewStatus> {
    return viewStatus(this.account.state, {
      reconciling: false,
      feed_waiting: false,
      feed_resting: false,
      feed_paused: false,
      strategy: 'none',
    });
  }

  last<Type extends AccountDraft['type']>(type: Type): AccountData<Type> {
    return this.account.drafts.findLast((draft) => draft.type === type)!.data as AccountData<Type>;
  }
}
