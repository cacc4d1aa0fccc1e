import { expect } from 'vitest';
import { parseMoney, parsePrice, parseQuantity } from '../../events/decimal.ts';
import type { ErrorCode } from '../../events/error-codes.ts';
import { BelegError } from '../../events/errors.ts';
import type { BrokerReport } from './broker.ts';
import type { AccountCommand, SubmitOrder, TradingPolicy, AccountDraft } from './commands.ts';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import { bracketOf } from './trail.ts';
import { initialState, type AccountState } from './state.ts';

export const POLICY: TradingPolicy = {
  shorting: false,
  lot: parseQuantity('1'),
  collarBps: 500n,
  settlementSessions: 0,
  maxOrderValue: null,
  maxPositionBps: null,
  maxDailyLossBps: null,
  maintenanceBps: 3_000n,
  borrowBps: 0n,
};

/** An order of one share of AAA at the market, good for a day, unless it says otherwise; numbers as decimal text. */
export interface OrderWords {
  id?: string;
  ticker?: string;
  action?: SubmitOrder['action'];
  type?: SubmitOrder['type'];
  quantity?: string;
  price?: string | null;
  stop?: string | null;
  tif?: SubmitOrder['time_in_force'];
  client?: string | null;
  timestamp?: string | null;
  last?: string | null;
  reduceOnly?: boolean;
  origin?: SubmitOrder['origin'];
  linkedTo?: string;
  trail?: SubmitOrder['trail'];
  bracket?: Parameters<typeof bracketOf>[0];
  /** The operator's own strategy that decided on it. */
  strategy?: string;
}

const optional = (text: string | null): bigint | null => (text === null ? null : parsePrice(text));

export function order(words: OrderWords = {}): SubmitOrder {
  return {
    order_id: words.id ?? 'o1',
    ticker: words.ticker ?? 'AAA',
    action: words.action ?? 'buy',
    type: words.type ?? 'market',
    quantity: parseQuantity(words.quantity ?? '1'),
    price: optional(words.price ?? null),
    stop_price: optional(words.stop ?? null),
    time_in_force: words.tif ?? 'day',
    reduce_only: words.reduceOnly ?? false,
    client_order_id: words.client ?? null,
    origin: words.origin ?? 'client',
    client_timestamp: words.timestamp ?? null,
    last_price: optional(words.last === undefined ? '100' : words.last),
    linked_to: words.linkedTo,
    trail: words.trail,
    ...(words.bracket && { bracket: bracketOf(words.bracket) }),
    ...(words.strategy && {
      strategy: { name: words.strategy, hash: 'h', parameters: {}, reason: null },
    }),
  };
}

const numbers = (texts: Record<string, string> = {}): Record<string, number> =>
  Object.fromEntries(Object.entries(texts).map(([ticker, text]) => [ticker, Number(text)]));

export function opening(
  date: string,
  words: {
    splits?: Record<string, string>;
    dividends?: Record<string, string>;
    opens?: Record<string, string>;
    /** With the last trading day of tickers that are gone. */
    gone?: Record<string, string>;
  } = {},
): Extract<AccountCommand, { type: 'open-session' }> {
  const { splits = {}, dividends, opens, gone = {} } = words;
  const bars = Object.entries(numbers(opens)).map(([ticker, price]) => {
    const bar = { open: price, high: price, low: price, close: price, volume: 1 };
    return [ticker, bar] as const;
  });
  const session = { date, bars: Object.fromEntries(bars), splits, dividends: numbers(dividends), gone };
  return { type: 'open-session', session };
}

type Said<Type extends BrokerReport['type']> = Extract<BrokerReport, { type: Type }>;

/** An account that commands are put to one after the other. It is opened with 10,000, and running. */
export class Account {
  state: AccountState = initialState();
  readonly policy: TradingPolicy;
  /** All recorded events, in order. */
  readonly drafts: AccountDraft[] = [];
  #reports = 0;

  constructor(policy: Partial<TradingPolicy> = {}, cash: string = '10000') {
    this.policy = { ...POLICY, ...policy };
    this.do({ type: 'open', account: 'main', currency: 'USD', cash: parseMoney(cash) });
    this.do({ type: 'start' });
  }

  do(command: AccountCommand): readonly AccountDraft[] {
    const drafts = decide(command, this.state, this.policy);
    for (const draft of drafts) this.state = evolve(this.state, draft);
    this.drafts.push(...drafts);
    return drafts;
  }

  /** The types of the resulting events. */
  does(command: AccountCommand): string[] {
    return this.do(command).map(({ type }) => type);
  }

  refuses(command: AccountCommand, code: ErrorCode): void {
    expect(() => decide(command, this.state, this.policy)).toThrow(
      expect.objectContaining({ name: BelegError.name, code }),
    );
  }

  submit(words: OrderWords = {}): readonly AccountDraft[] {
    return this.do({ type: 'submit', order: order(words) });
  }

  refusesOrder(words: OrderWords, code: ErrorCode): void {
    this.refuses({ type: 'submit', order: order(words) }, code);
  }

  report(type: Exclude<BrokerReport['type'], 'trade' | 'amended'>, order_id = 'o1'): string[] {
    const cursor = this.cursor();
    const report: Exclude<BrokerReport, Said<'trade' | 'amended'>> = type === 'rejected' ||
    type === 'cancelled'
      ? { type, order_id, cursor, reason: 'because' }
      : { type, order_id, cursor };
    return this.does({ type: 'report', report });
  }

  trade(
    quantity: string,
    price: string,
    words: { id?: string; trade?: string; fee?: string; session?: string } = {},
  ): string[] {
    const cursor = this.cursor();
    return this.does({
      type: 'report',
      report: {
        type: 'trade',
        order_id: words.id ?? 'o1',
        cursor,
        trade_id: words.trade ?? `t${cursor}`,
        quantity: parseQuantity(quantity),
        price: parsePrice(price),
        fee: parseMoney(words.fee ?? '0'),
        session: words.session ?? '2024-01-02',
      },
    });
  }

  /** Bought or sold and filled in one go, for accounts that have to hold something. */
  holds(
    quantity: string,
    price: string,
    ticker = 'AAA',
    fee = '0',
    origin: SubmitOrder['origin'] = 'client',
  ): this {
    const id = `h${this.cursor()}`;
    const short = quantity.startsWith('-');
    const size = quantity.replace('-', '');
    this.submit({ id, ticker, action: short ? 'sell' : 'buy', quantity: size, last: price, origin });
    this.trade(size, price, { id, fee });
    return this;
  }

  /** The strategy gets a position. */
  strategyHolds(quantity: string, price: string, ticker = 'AAA'): this {
    return this.holds(quantity, price, ticker, '0', 'strategy');
  }

  cursor(): string {
    this.#reports += 1;
    return String(this.#reports).padStart(9, '0');
  }
}
