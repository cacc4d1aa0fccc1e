import { dateOf } from '../../events/dates.ts';
import { mulDiv, priceText, ratioText, type Price } from '../../events/decimal.ts';
import { isBelegError } from '../../events/errors.ts';
import { Account, opening } from './account.suite.ts';
import type { BrokerReport } from './broker.ts';
import type { AccountCommand, TradingPolicy, AccountDraft } from './commands.ts';
import { isOpen } from './order-lifecycle.ts';
import { leftOf, type OrderState } from './state.ts';
import { NOBODYS, ONE, TICKERS, type Drawn, type Step } from './steps.suite.ts';

/** An account that steps are taken with. Refusals are part of life; anything else that is thrown is not. */
export class Walk {
  readonly account: Account;
  /** Keeps to what was ordered: no trade beyond an order or after its end, none worse than its price or the collar. */
  readonly #honest: boolean;
  #days = 0;
  #ids = 0;

  constructor(policy: Partial<TradingPolicy> = {}, { honest }: { honest: boolean } = { honest: false }) {
    this.account = new Account(policy);
    this.#honest = honest;
  }

  take(step: Step): readonly AccountDraft[] {
    if (this.account.state.orders.size === 0 && 'nth' in step) return [];
    const drafts = this.#do(this.#commands(step));
    return this.#honest && step.do === 'session' ? [...drafts, ...this.#do(this.#cancelled())] : drafts;
  }

  #do(commands: readonly AccountCommand[]): readonly AccountDraft[] {
    return commands.flatMap((command) => {
      try {
        return this.account.do(command);
      } catch (error) {
        if (isBelegError(error) && error.status < 500) return [];
        throw error;
      }
    });
  }

  #commands(step: Step): readonly AccountCommand[] {
    switch (step.do) {
      case 'submit':
        return [this.#submit(step.order)];
      case 'close':
        return [{ type: 'close', ticker: step.ticker, order_id: this.#id(), last_price: null }];
      case 'start':
      case 'stop':
        return [{ type: step.do }];
      case 'compare': {
        const ours = [...this.account.state.positions].map(
          ([ticker, { quantity }]) => [ticker, quantity + step.off] as const,
        );
        return [{ type: 'compare', positions: new Map(ours) }];
      }
      case 'session':
        return this.#session(step);
      case 'trade':
        return this.#trade(step);
      case 'report': {
        const order_id = this.#order(step.nth)?.order_id ?? 'nobody knows it';
        if (this.#honest && this.#isDone(step.nth)) return [];
        const report = { order_id, cursor: this.account.cursor(), reason: 'drawn', type: step.type };
        return [{ type: 'report', report: report as BrokerReport }];
      }
      case 'cancel':
      case 'withdraw':
      case 'delivery-unknown':
        return [{ type: step.do, order_id: this.#order(step.nth)?.order_id ?? 'x' }];
    }
  }

  #submit({ client, price, tif, ...drawn }: Drawn): AccountCommand {
    const stops = drawn.type === 'stop' || drawn.type === 'stop_limit';
    const order = {
      ...drawn,
      order_id: this.#id(),
      client_order_id: client === null ? null : `c${client}`,
      price: drawn.type === 'market' ? null : price,
      stop_price: stops ? price : null,
      time_in_force: tif,
      origin: 'client',
      client_timestamp: null,
      last_price: price,
    } as const;
    return { type: 'submit', order };
  }

  #trade({ nth, part, price, fee, again }: Extract<Step, { do: 'trade' }>): readonly AccountCommand[] {
    const order = this.#order(nth);
    const left = order === undefined ? ONE : leftOf(order);
    if (this.#honest && (order === undefined || this.#isDone(nth))) return [];
    const asked = (BigInt(Math.round(Number(left / ONE) * part)) || 1n) * ONE;
    const quantity = this.#honest && asked > left ? left : asked;
    const cursor = this.account.cursor();
    const trade_id = again ? (order?.trades[0] ?? cursor) : cursor;
    const report = {
      type: 'trade',
      order_id: order?.order_id ?? 'nobody knows it',
      cursor,
      trade_id,
      quantity,
      price: this.#honest ? fairPrice(order!, price) : price,
      fee: this.#honest ? 0n : fee,
      session: this.account.state.session ?? '2024-01-01',
    } as const;
    return [{ type: 'report', report }];
  }

  #session({ splits, dividend, closes }: Extract<Step, { do: 'session' }>): readonly AccountCommand[] {
    this.#days += 1;
    const session = dateOf(Date.UTC(2024, 0, this.#days));
    return [
      opening(session, {
        splits: Object.fromEntries(byTicker(splits.map(ratioText))),
        dividends: Object.fromEntries(byTicker([priceText(dividend)])),
      }),
      { type: 'close-session', session, closes: byTicker(closes) },
    ];
  }

  /** Every wish to cancel comes true with the session: an order of which a split leaves nothing has such a wish. */
  #cancelled(): readonly AccountCommand[] {
    const wished = [...this.account.state.open.values()].filter(({ cancelRequested }) => cancelRequested);
    return wished.map(({ order_id }) => {
      const cursor = this.account.cursor();
      return { type: 'report', report: { type: 'cancelled', order_id, cursor, reason: 'requested' } };
    });
  }

  #order(nth: number): OrderState | undefined {
    const orders = [...this.account.state.orders.values()];
    return nth === NOBODYS ? undefined : orders[nth % orders.length];
  }

  #isDone(nth: number): boolean {
    return !isOpen(this.#order(nth)?.status ?? 'withdrawn');
  }

  #id(): string {
    this.#ids += 1;
    return `o${this.#ids}`;
  }
}

const byTicker = <T>(values: readonly T[]): ReadonlyMap<string, T> =>
  new Map(values.map((value, index) => [TICKERS[index]!, value]));

/** A price that the order allows. */
function fairPrice({ action, type, price, stop_price, reference_price }: OrderState, drawn: Price): Price {
  const limited = type === 'limit' || type === 'stop_limit';
  const basis = (limited ? price : type === 'stop' ? stop_price : reference_price) ?? reference_price;
  const worst = limited || action === 'sell' ? basis : mulDiv(basis, 105n, 100n);
  if (action === 'sell') return drawn < worst ? worst : drawn;
  return drawn > worst ? worst : drawn;
}
