import type { AccountData, AccountDraft } from '../../actors/trading/commands.ts';
import type { Decided } from '../../actors/trading/exact-close.ts';
import { lotBook, type LotBook, type ClosedTrade, type Matching } from '../../actors/trading/lots.ts';
import { HeldByStrategies } from './held-by-strategies.ts';
import { parseMoney, parsePrice, parseQuantity, parseRatio } from '../../events/decimal.ts';

interface TradeOfTicker extends ClosedTrade {
  readonly ticker: string;
  /** `settlement` and `split` (cash for a fraction of a share) closed it without an order. */
  readonly by: 'fill' | 'settlement' | 'split';
  /** Why it was closed: the strategy's reason, or who ordered it. */
  readonly reason: string;
  /** The own strategy that closed it, or whose shares were settled; `null` if none did. */
  readonly strategy: string | null;
}

type Why = Pick<TradeOfTicker, 'reason' | 'strategy'>;

/** Who ordered, if no strategy gave a reason. */
const ORIGINS: Readonly<Record<AccountData<'OrderSubmitted'>['origin'], Why>> = {
  client: { reason: 'by hand', strategy: null },
  strategy: { reason: 'strategy', strategy: null },
  close: { reason: 'position closed', strategy: null },
};
const UNKNOWN: Why = { reason: 'unknown', strategy: null };
const SETTLED = 'no longer traded';
const SPLIT: Why = { reason: 'fraction after a split', strategy: null };

const whyOf = ({ origin, strategy }: AccountData<'OrderSubmitted'>): Why =>
  strategy === undefined
    ? ORIGINS[origin]
    : { reason: strategy.reason ?? strategy.name, strategy: strategy.name };

interface HaltOfSession extends AccountData<'TradingHalted'> {
  readonly session: string;
  /** The session in which the halt ended; `null` if it never did. */
  resumed: string | null;
}

/** Events that open lots, close them or change their size. */
type Matched = Extract<AccountDraft, { type: 'OrderFilled' | 'PositionSettled' | 'SplitApplied' }>;

/** Fills and settlements, the trades that they closed, and halts of trading, from the events of an account. */
export class TradeJournal {
  readonly fills: AccountData<'OrderFilled'>[] = [];
  readonly halts: HaltOfSession[] = [];
  readonly settlements: AccountData<'PositionSettled'>[] = [];
  readonly marginCalls: AccountData<'MarginCalled'>[] = [];
  readonly dividends: AccountData<'DividendPaid'>[] = [];
  readonly splits: AccountData<'SplitApplied'>[] = [];
  readonly borrowing: AccountData<'BorrowCharged'>[] = [];
  /** Halts of own strategies. */
  readonly strategiesHalted: AccountData<'StrategyHalted'>[] = [];
  readonly decisions: AccountData<'StrategyDecided'>[] = [];
  #session = '';
  /** Why each order was submitted, by its id. */
  readonly #why = new Map<string, Why>();
  readonly #matching: Matching;
  readonly #lots = new Map<string, LotBook>();
  readonly #held = new Map<string, HeldByStrategies>();
  readonly #trades: TradeOfTicker[] = [];
  /** Events that have not been matched with lots yet. */
  #unmatched: Matched[] = [];

  constructor(matching: Matching) {
    this.#matching = matching;
  }

  /** Trades are only matched when they are read, because a backtest that is only measured by its equity needs none. */
  get trades(): readonly TradeOfTicker[] {
    this.#matchAll();
    return this.#trades;
  }

  /** Why the order was submitted: the word of the strategy, or who ordered it. */
  reasonOf(orderId: string): string {
    return (this.#why.get(orderId) ?? UNKNOWN).reason;
  }

  take(event: Decided): void {
    if (event.type === 'SessionOpened') {
      this.#session = event.data.session;
    } else if (event.type === 'OrderSubmitted') {
      this.#why.set(event.data.order_id, whyOf(event.data));
    } else if (event.type === 'TradingHalted') {
      this.halts.push({ session: this.#session, ...event.data, resumed: null });
    } else if (event.type === 'TradingResumed') {
      const last = this.halts.at(-1);
      if (last !== undefined) last.resumed = event.data.session;
    } else if (event.type === 'OrderFilled') {
      this.fills.push(event.data);
      this.#unmatched.push(event);
    } else if (event.type === 'DividendPaid') {
      this.dividends.push(event.data);
    } else if (event.type === 'BorrowCharged') {
      this.borrowing.push(event.data);
    } else if (event.type === 'StrategyHalted') {
      this.strategiesHalted.push(event.data);
    } else if (event.type === 'StrategyDecided') {
      this.decisions.push(event.data);
    } else if (event.type === 'MarginCalled') {
      this.marginCalls.push(event.data);
    } else if (event.type === 'PositionSettled') {
      this.settlements.push(event.data);
      this.#unmatched.push(event);
    } else if (event.type === 'SplitApplied') {
      this.splits.push(event.data);
      this.#unmatched.push(event);
    }
  }

  /** Drops everything until now, except open lots, whose profit is measured later. */
  forget(): void {
    this.#matchAll();
    const lists = [this.fills, this.#trades, this.halts, this.settlements, this.marginCalls];
    for (const list of [
      ...lists,
      this.dividends,
      this.splits,
      this.borrowing,
      this.strategiesHalted,
      this.decisions,
    ])
      list.length = 0;
  }

  #matchAll(): void {
    for (const event of this.#unmatched) this.#match(event);
    this.#unmatched = [];
  }

  #match(event: Matched): void {
    const { ticker, session } = event.data;
    const lots = this.#lotsOf(ticker);
    const held = this.#heldOf(ticker);
    if (event.type === 'OrderFilled') {
      const { order_id, action, quantity, price, fee } = event.data;
      const shares = parseQuantity(quantity);
      const fill = {
        quantity: action === 'buy' ? shares : -shares,
        price: parsePrice(price),
        fee: parseMoney(fee),
        at: session,
      };
      const why = this.#why.get(order_id) ?? UNKNOWN;
      held.fill(why.strategy, fill.quantity);
      this.#close({ ticker, by: 'fill', ...why }, lots.take(fill));
    } else if (event.type === 'PositionSettled') {
      const { quantity, price } = event.data;
      const paid = { price: parsePrice(price), fee: 0n, at: session };
      for (const { strategy, quantity: of } of held.closeAll(parseQuantity(quantity))) {
        const why = { reason: SETTLED, strategy };
        this.#close({ ticker, by: 'settlement', ...why }, lots.take({ ...paid, quantity: -of }));
      }
    } else {
      const { ratio, quantity, cash_in_lieu } = event.data;
      const kept = parseQuantity(quantity);
      const cash = parseMoney(cash_in_lieu);
      const of = parseRatio(ratio);
      held.split(of);
      this.#close({ ticker, by: 'split', ...SPLIT }, lots.split(of, kept, cash, session));
    }
  }

  #close(of: Omit<TradeOfTicker, keyof ClosedTrade>, trades: readonly ClosedTrade[]): void {
    for (const trade of trades) this.#trades.push({ ...of, ...trade });
  }

  #heldOf(ticker: string): HeldByStrategies {
    let held = this.#held.get(ticker);
    if (held === undefined) this.#held.set(ticker, (held = new HeldByStrategies()));
    return held;
  }

  #lotsOf(ticker: string): LotBook {
    let lots = this.#lots.get(ticker);
    if (lots === undefined) this.#lots.set(ticker, (lots = lotBook(this.#matching)));
    return lots;
  }
}
