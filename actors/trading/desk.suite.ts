import type { z } from 'zod';
import { dateOf } from '../../events/dates.ts';
import { moneyNumber, priceOf, quantityNumber } from '../../events/decimal.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { emptyBook, evolve as evolveBook, type Book, type PaperDraft } from '../paper-broker/book.ts';
import { PLAIN } from '../paper-broker/book.suite.ts';
import { decide as decideOnBook } from '../paper-broker/decide.ts';
import type { BookCommand } from '../paper-broker/commands.ts';
import { reportOf } from '../paper-broker/reports.ts';
import type { PaperRules } from '../paper-broker/rules.ts';
import { StrategyAnswer } from '../strategy/answer.ts';
import { Account, type OrderWords } from './account.suite.ts';
import type { AccountCommand, AccountDraft, TradingPolicy } from './commands.ts';
import { fundsOf } from './funds.ts';
import { brokerOrder } from './state.ts';
import { decidedOrder } from './strategy-decision.ts';
import { viewOrder } from './view.ts';

/** The open, high, low and close. */
export type Prices = readonly [open: number, high: number, low: number, close: number];

const optional = (value: number | undefined): bigint | null => (value === undefined ? null : priceOf(value));

interface Day {
  readonly split?: string;
  readonly dividend?: number;
  readonly volume?: number;
  /** Whether it no longer trades. */
  readonly gone?: boolean;
}

/** An account and its paper broker, one ticker, session by session: as a service and a backtest put them together. */
export class Desk {
  readonly account: Account;
  readonly #book: Book = emptyBook();
  readonly #rules: PaperRules;
  #days = 0;
  #reports = 0;
  #last = 100;
  /** Why the strategy placed each order, by its id. */
  readonly reasons = new Map<string, string | null>();
  #said: string[] = [];
  #session: SessionData | null = null;

  constructor(policy: Partial<TradingPolicy> = {}, rules: Partial<PaperRules> = {}, cash = '100000') {
    this.account = new Account(policy, cash);
    this.#rules = { ...PLAIN, ...rules };
  }

  place(id: string, words: OrderWords = {}): void {
    this.account.submit({ id, last: String(this.#last), tif: 'gtc', ...words });
    this.#tell(this.account.drafts.splice(0));
  }

  do(command: AccountCommand): void {
    this.account.do(command);
    this.#tell(this.account.drafts.splice(0));
  }

  amend(id: string, { quantity, price, stop }: { quantity?: number; price?: number; stop?: number }): void {
    this.do({
      type: 'amend',
      order_id: id,
      quantity: optional(quantity),
      price: optional(price),
      stop_price: optional(stop),
      last_price: priceOf(this.#last),
    });
  }

  cancel(id: string): void {
    this.do({ type: 'cancel', order_id: id });
  }

  /** The fills in words. */
  session(prices: Prices, { split, dividend, volume = 1_000_000, gone = false }: Day = {}): string[] {
    const date = dateOf(Date.UTC(2024, 0, 1 + ++this.#days));
    const [open, high, low, close] = prices;
    const session: SessionData = {
      date,
      bars: gone ? {} : { AAA: { open, high, low, close, volume } },
      splits: split === undefined ? {} : { AAA: split },
      dividends: dividend === undefined ? {} : { AAA: dividend },
      ...(gone && { gone: { AAA: '2024-01-01' } }),
    };
    this.#said = [];
    this.#session = session;
    this.do({ type: 'open-session', session });
    const funds = fundsOf(this.account.state, this.account.policy);
    do this.#ask({ type: 'session', session, funds });
    while (this.#book.session !== date);
    if (!gone) this.#last = close;
    const closes = new Map(gone ? [] : [['AAA', priceOf(close)]]);
    this.do({ type: 'close-session', session: date, closes });
    return this.#said;
  }

  /** A strategy's answer after the session, with the resulting cancellations and orders. */
  says(answer: z.input<typeof StrategyAnswer>): void {
    const strategy = 's';
    if (this.account.state.strategies === undefined) {
      const file = { source: 's.ts', hash: 'h', parameters: {}, share: null };
      this.do({ type: 'use-strategy', strategy, ...file });
    }
    const session = this.#session!;
    this.do({ type: 'decide-strategy', strategy, session, answer: StrategyAnswer.parse(answer) });
    const { cancels, orders } = this.account.state.strategies!.get(strategy)!;
    for (const id of cancels) this.cancel(id);
    for (const [at, order] of orders.entries()) {
      const of = { order_id: `${session.date}-${at}`, last_price: priceOf(this.#last) };
      const by = { name: strategy, hash: 'h', parameters: {} };
      this.do({ type: 'submit', order: decidedOrder(order, { ...of, strategy: by }) });
    }
  }

  get held(): number {
    return quantityNumber(this.account.state.positions.get('AAA')?.quantity ?? 0n);
  }

  get cash(): number {
    return moneyNumber(this.account.state.cash);
  }

  order(id: string) {
    return viewOrder(this.account.state.orders.get(id)!);
  }

  /** The open orders in words. */
  get open(): string[] {
    return [...this.account.state.open.keys()].map((id) => {
      const { action, quantity, filled_quantity, type, price } = this.order(id);
      return `${id}: ${action} ${quantity - filled_quantity} ${type} ${price}`;
    });
  }

  #tell(drafts: readonly AccountDraft[]): void {
    const { state } = this.account;
    for (const { type, data } of drafts) {
      if (type === 'OrderFilled')
        this.#said.push(`${data.order_id} ${data.action} ${data.quantity} at ${data.price}`);
      if (type === 'OrderSubmitted') {
        if (data.strategy) this.reasons.set(data.order_id, data.strategy.reason);
        this.#ask({ type: 'submit', order: brokerOrder(state.orders.get(data.order_id)!) });
      }
      if (type === 'OrderCancelRequested') this.#ask({ type: 'cancel', order_id: data.order_id });
      if (type === 'OrderAmendRequested') {
        const { amending, amendments } = state.orders.get(data.order_id)!;
        this.#ask({ type: 'amend', order_id: data.order_id, amendment: amendments!, ...amending! });
      }
    }
  }

  #ask(command: BookCommand): void {
    for (const draft of decideOnBook(command, this.#book, this.#rules)) this.#report(draft);
  }

  #report(draft: PaperDraft): void {
    evolveBook(this.#book, draft);
    const report = reportOf(draft, String(++this.#reports).padStart(9, '0'));
    if (report !== null) this.do({ type: 'report', report });
  }
}
