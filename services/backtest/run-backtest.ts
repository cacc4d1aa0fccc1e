import { setFlagsFromString } from 'node:v8';
import { emptyBook, evolve as evolveBook, type PaperDraft } from '../../actors/paper-broker/book.ts';
import { decide as decideBook } from '../../actors/paper-broker/decide.ts';
import type { BookCommand } from '../../actors/paper-broker/commands.ts';
import { reportOf } from '../../actors/paper-broker/reports.ts';
import { meetSession } from '../../actors/paper-broker/session.ts';
import type { PaperRules } from '../../actors/paper-broker/rules.ts';
import { withPredictions } from '../../actors/strategy/bars.ts';
import type { Forecast } from '../../actors/strategy/forecast.ts';
import type { Strategy, TargetWeight } from '../../actors/strategy/strategy.ts';
import type { AccountCommand, AccountDraft, Prices, TradingPolicy } from '../../actors/trading/commands.ts';
import { decideExactly } from '../../actors/trading/decide.ts';
import { evolve } from '../../actors/trading/evolve.ts';
import { written, type Decided } from '../../actors/trading/exact-close.ts';
import { fundsOf } from '../../actors/trading/funds.ts';
import { ordersFor, type Unmet } from '../../actors/trading/sizing.ts';
import { viewForStrategy } from '../../actors/trading/strategy-view.ts';
import type { Matching } from '../../actors/trading/lots.ts';
import {
  brokerOrder,
  initialState,
  pendingAmendment,
  type AccountState,
} from '../../actors/trading/state.ts';
import {
  parseRatio,
  priceOf,
  quantityText,
  ratioNumber,
  type Money,
  type Price,
} from '../../events/decimal.ts';
import { isBelegError } from '../../events/errors.ts';
import type { SessionData } from '../../events/messages/market.ts';
import type { StrategyFault } from '../strategies/fault.ts';
import { afterwards, type Soon } from '../strategies/in-turn.ts';
import { OwnStrategies, type Opened } from '../strategies/run-own-strategies.ts';
import type { CashFlow } from './cash-flows.ts';
import { AccountHistory } from './account-history.ts';

// A run keeps its orders and events until its end. V8 learns this and allocates them in its old space, which it
// enlarges during each run and shrinks afterwards. That took up to half of a run's time. Allocated in the young space,
// which exists already, they are moved once.
setFlagsFromString('--no-allocation-site-pretenuring');

export interface BacktestOptions {
  /** A built-in strategy, for `run`. */
  readonly strategy?: Strategy;
  /** Strategies on the port, for `runOwn`. They stay open. */
  readonly strategies?: readonly Opened[];
  /** Called when a strategy fails, which halts it on record. */
  readonly onFault?: (name: string, fault: StrategyFault) => void;
  readonly policy: TradingPolicy;
  readonly rules: PaperRules;
  readonly cash: Money;
  readonly currency: string;
  /** Sessions before this date only warm the strategy up; `null` trades from the first session on. */
  readonly from: string | null;
  /** Cash from outside, in the order of its days. */
  readonly flows?: readonly CashFlow[];
  /** How closing trades are matched with opening ones; by default first in, first out. */
  readonly matching?: Matching;
  /** Whether the history keeps each position at each close. */
  readonly eachHolding?: boolean;
  /** Called with every event of the account, in order. */
  readonly onEvent?: (event: AccountDraft) => void;
}

/**
 * A backtest: the account's decider, the paper broker's book and the strategy over stored sessions, in memory. Orders
 * from a session's close are filled in the next session, as in live trading.
 *
 * @example
 * const backtest = new Backtest(options);
 * for (const session of sessions) backtest.run(session);
 * performanceOf(backtest.history.equity, { perYear: 252 });
 */
export class Backtest {
  /** The history of the account, from which the figures are computed. */
  readonly history: AccountHistory;
  /** The number of traded bars. */
  bars = 0;
  /** Targets of the strategy that the account did not reach, by reason. */
  readonly unmet = new Map<string, { count: number; readonly first: string }>();
  readonly #options: BacktestOptions;
  readonly #book = emptyBook();
  #account: AccountState = initialState();
  #reports = 0;
  /** Events that the broker has not been sent yet. They are held back while its book processes a session. */
  #outbox: Unsent[] = [];
  #orders = 0;
  #started = false;
  /** How many entries of `flows` have been booked. */
  #moved = 0;
  readonly #own: OwnStrategies;

  constructor(options: BacktestOptions) {
    this.#options = options;
    const { currency, cash, matching = 'fifo', eachHolding = false } = options;
    this.history = new AccountHistory({ matching, each: eachHolding });
    this.#tell({ type: 'open', account: 'backtest', currency, cash });
    const account = {
      name: 'backtest',
      read: <T>(look: (state: AccountState) => T): T => look(this.#account),
      submit: (command: AccountCommand) => this.#tell(command),
      settle: () => this.#deliver(),
    };
    const { strategies = [], policy, onFault = () => undefined } = options;
    this.#own = new OwnStrategies({ account, policy, strategies, onFault });
  }

  get account(): AccountState {
    return this.#account;
  }

  /** Runs the next session, later than the one before, with the predictions for the next day by ticker. */
  run(session: SessionData, predictions?: ReadonlyMap<string, Forecast>): void {
    const { from } = this.#options;
    const strategy = this.#options.strategy!;
    for (const ticker in session.splits) {
      strategy.onSplit?.(ticker, 1 / ratioNumber(parseRatio(session.splits[ticker]!)));
    }
    const bars = predictions === undefined ? session.bars : withPredictions(session.bars, predictions);
    if (from !== null && session.date < from) {
      strategy.onSession(bars, null);
      return;
    }
    if (!this.#started) this.#start();
    const active = this.#meet(session);
    const targets = strategy.onSession(
      bars,
      active ? viewForStrategy(this.#account, this.#options.policy) : null,
    );
    if (targets.length > 0 && active) this.#order(targets, session);
  }

  #order(targets: readonly TargetWeight[], session: SessionData): void {
    const tell = ({ ticker, reason, wanted, got }: Unmet): void =>
      this.#noteUnmet(
        reason,
        unmetText(ticker, session.date, wanted === null ? null : [quantityText(got), quantityText(wanted)]),
      );
    for (const order of ordersFor(targets, this.#account, this.#options.policy, new Closes(session), tell)) {
      this.#submit(order);
    }
    this.#deliver();
  }

  /** Like `run`, with own strategies. Fails only for faults that are not theirs, and waits only for those in other processes. */
  runOwn(session: SessionData, predictions?: ReadonlyMap<string, Forecast>): Soon<void> {
    const own = this.#own;
    const { from } = this.#options;
    if (from !== null && session.date < from) return own.pass(session);
    if (this.#started) return this.#runStarted(session, predictions);
    return own.take().then(() => {
      this.#start();
      return this.#runStarted(session, predictions);
    });
  }

  #runStarted(session: SessionData, predictions: ReadonlyMap<string, Forecast> | undefined): Soon<void> {
    const own = this.#own;
    if (!this.#meet(session)) return own.pass(session);
    const decided = own.decide(session, () =>
      predictions === undefined ? null : { forecasts: predictions },
    );
    return afterwards(decided, () => own.submit(session));
  }

  /** Fills orders with the session's bars and values the account; true if trading is active afterwards. */
  #meet(session: SessionData): boolean {
    this.#moveCash(session.date);
    this.#match(session);
    this.#tell({ type: 'close-session', session: session.date, closes: new Closes(session) });
    this.#deliver();
    for (const _ in session.bars) this.bars += 1;
    return this.#account.engine === 'running';
  }

  #start(): void {
    this.#started = true;
    this.#tell({ type: 'start' });
  }

  /** Books cash from outside that is dated up to this session and not booked yet. */
  #moveCash(session: string): void {
    const { flows } = this.#options;
    if (flows === undefined) return;
    for (let flow; (flow = flows[this.#moved]) !== undefined && flow.date <= session; this.#moved++) {
      const { date, amount, reason } = flow;
      try {
        this.#tell({ type: 'move-cash', amount, reason, client_cash_id: null });
      } catch (error) {
        throw isBelegError(error)
          ? new Error(`the cash of ${date}: ${error.message}`, { cause: error })
          : error;
      }
    }
  }

  /**
   * Takes the steps of a live session in the same order. The account receives the fills only after all of them are
   * made.
   */
  #match(session: SessionData): void {
    this.#deliver();
    this.#tell({ type: 'open-session', session });
    // Without an open order no funds are needed.
    const funds = this.#book.open.size === 0 ? null : fundsOf(this.#account, this.#options.policy);
    const drafts = meetSession({ type: 'session', session, funds }, this.#book, this.#options.rules);
    for (const draft of drafts) this.#report(draft);
    this.#deliver();
  }

  /** Sends the broker the commands for recorded events, and records its answers. */
  #deliver(): void {
    while (this.#outbox.length > 0) {
      const told = this.#outbox;
      this.#outbox = [];
      for (const unsent of told) {
        const command = this.#commandFor(unsent);
        if (command !== null) for (const draft of this.#ask(command)) this.#report(draft);
      }
    }
  }

  #noteUnmet(reason: string, first: string): void {
    const known = this.unmet.get(reason);
    if (known === undefined) this.unmet.set(reason, { count: 1, first });
    else known.count += 1;
  }

  #submit(order: ReturnType<typeof ordersFor>[number]): void {
    const order_id = `b-${++this.#orders}`;
    try {
      this.#tell({ type: 'submit', order: { ...order, order_id } });
    } catch (error) {
      // As in live trading, a refused order is not sent, and the next one follows.
      if (!isBelegError(error)) throw error;
      this.#noteUnmet(refused(error.code), unmetText(order.ticker, this.#book.session!, null));
    }
  }

  #ask(command: BookCommand): readonly PaperDraft[] {
    const drafts = decideBook(command, this.#book, this.#options.rules);
    for (const draft of drafts) evolveBook(this.#book, draft);
    return drafts;
  }

  #report(draft: PaperDraft): void {
    this.#reports += 1;
    // The end of a session is not a report to the account.
    if (draft.type === 'PaperSessionMatched') return;
    const report = reportOf(draft, String(this.#reports));
    if (report !== null) this.#tell({ type: 'report', report });
  }

  #tell(command: AccountCommand): void {
    const { policy, onEvent } = this.#options;
    for (const decided of decideExactly(command, this.#account, policy)) {
      this.#account = evolve(this.#account, decided);
      this.history.take(decided, this.#account);
      onEvent?.(written(decided));
      this.#note(decided);
    }
  }

  #note(event: Decided): void {
    if (event.type === 'StrategyDecided') {
      const { session, unmet } = event.data;
      for (const { ticker, reason, wanted, got } of unmet) {
        this.#noteUnmet(reason, unmetText(ticker, session, wanted === null ? null : [got, wanted]));
      }
    } else if (event.type === 'StrategyOrderRefused') {
      const { ticker, session, reason } = event.data;
      // The reason begins with the code; the rest has the figures of this order.
      this.#noteUnmet(refused(reason.split(':', 1)[0]!), unmetText(ticker, session, null));
    } else if (
      event.type === 'OrderSubmitted' ||
      event.type === 'OrderCancelRequested' ||
      event.type === 'OrderAmendRequested'
    ) {
      this.#outbox.push({ type: event.type, order_id: event.data.order_id });
    }
  }

  /** The command to the broker for a recorded event, with the order's state at the time of sending. */
  #commandFor({ type, order_id }: Unsent): BookCommand | null {
    const order = this.#account.orders.get(order_id);
    if (order === undefined) return null;
    switch (type) {
      case 'OrderSubmitted':
        return { type: 'submit', order: brokerOrder(order) };
      case 'OrderCancelRequested':
        return { type: 'cancel', order_id };
      case 'OrderAmendRequested':
        if (order.amending === undefined) return null;
        return { type: 'amend', order_id, amendment: pendingAmendment(order), ...order.amending };
    }
  }
}

/** A recorded event that is still to be sent to the broker. */
interface Unsent {
  readonly type: 'OrderSubmitted' | 'OrderCancelRequested' | 'OrderAmendRequested';
  readonly order_id: string;
}

const refused = (code: string): string => `the account refused the order: ${code}`;

const unmetText = (
  ticker: string,
  session: string,
  much: readonly [got: string, wanted: string] | null,
): string => `${ticker} on ${session}${much === null ? '' : `, ${much[0]} of ${much[1]}`}`;

/** The closes of a session, each converted to an exact price when it is read. */
class Closes implements Prices {
  readonly #bars: SessionData['bars'];

  constructor({ bars }: SessionData) {
    this.#bars = bars;
  }

  get(ticker: string): Price | undefined {
    const bar = this.#bars[ticker];
    return bar && priceOf(bar.close);
  }
}
