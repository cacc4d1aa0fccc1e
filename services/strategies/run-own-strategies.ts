import { randomUUID } from 'node:crypto';
import type { StrategyAnswer } from '../../actors/strategy/answer.ts';
import type { Forecast } from '../../actors/strategy/forecast.ts';
import {
  type AccountCommand,
  type AccountData,
  type CommandOf,
  type SubmitOrder,
  type TradingPolicy,
  strategyCall,
  strategyOrderId,
} from '../../actors/trading/commands.ts';
import type { AccountState, StrategyState } from '../../actors/trading/state.ts';
import { accountShown } from '../../actors/trading/strategy-account.ts';
import { decidedOrder } from '../../actors/trading/strategy-decision.ts';
import { parseOptionalPrice, parseQuantity, priceOf, type Price } from '../../events/decimal.ts';
import { isBelegError, isRefusal } from '../../events/errors.ts';
import { GONE_AFTER } from '../../events/messages/gone-after.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { StrategyFault } from './fault.ts';
import type { HostedStrategy, Question } from './hosted.ts';
import { afterwards, attempt, inTurn, type Soon } from './in-turn.ts';
import type { StrategySource } from './named.ts';

/** The account of a service or of a backtest. */
interface StrategiesAccount {
  readonly name: string;
  read<T>(look: (state: AccountState) => T): Soon<T>;
  /** Records a command. A repeated `call` is recorded once. */
  submit(command: AccountCommand, call: string): Soon<void>;
  /** Resolves when the broker has received everything that is on record, and its answers are on record too. */
  settle(): Soon<void>;
}

/** A strategy's source after it was opened: the strategy, or the fault for which it could not be loaded. */
export type Opened = { readonly source: StrategySource } & (
  | { readonly strategy: HostedStrategy }
  | { readonly fault: StrategyFault }
);

interface RunOptions {
  readonly account: StrategiesAccount;
  readonly policy: TradingPolicy;
  readonly strategies: readonly Opened[];
  readonly onFault: (name: string, fault: StrategyFault) => void;
}

/** Sessions that are no longer needed are removed when there are this many. */
const REMOVED_AT_ONCE = 256;

interface Run {
  readonly strategy: HostedStrategy;
  /** The last session that it has seen since it was opened, and its answer. */
  seen: string | null;
  answer: Answer | null;
}

type Answer = StrategyAnswer | StrategyFault;

/** What a strategy has decided for a session, as commands to the account. */
interface ToSubmit {
  readonly cancels: readonly string[];
  readonly amends: readonly { readonly ticker: string; readonly command: CommandOf<'amend'> }[];
  readonly orders: readonly SubmitOrder[];
  /** The indices of orders, and the ids of orders with amendments, that were refused already. */
  readonly refused: ReadonlySet<string | number>;
}

/** The model's predictions for the day after a session, and the SHA-256 of its weights. */
interface Predicted {
  readonly forecasts: ReadonlyMap<string, Forecast>;
  readonly weights?: string | undefined;
}

/**
 * Runs own strategies on an account, session by session, in live trading and backtests alike: asks each strategy, lets
 * the account decide about its answer, and submits the orders. Decisions, orders and reasons are recorded. A strategy
 * that fails is halted on record; the others go on.
 */
export class OwnStrategies {
  readonly #options: RunOptions;
  #runs: readonly Run[];
  /** The last sessions, at least as many as the longest history needs. */
  #past: SessionData[] = [];
  /** The number of sessions at which old ones are removed next. */
  #tidyAt = 0;
  #weights: string | undefined;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#runs = options.strategies.flatMap((opened) =>
      'strategy' in opened ? [runOf(opened.strategy)] : [],
    );
  }

  /** The number of sessions that have to be kept: for the longest history, and to find the last price of a ticker. */
  get history(): number {
    return Math.max(GONE_AFTER, ...this.#runs.map(({ strategy }) => strategy.history));
  }

  get usesPredictions(): boolean {
    return this.#runs.some(usesPredictions);
  }

  /** Records which strategies are in use. */
  async take(): Promise<void> {
    for (const opened of this.#options.strategies) {
      const { account } = this.#options;
      const { name, source, share } = opened.source;
      const { hash = '', parameters = {} } = 'strategy' in opened ? opened.strategy : {};
      const command = { type: 'use-strategy', strategy: name, source, hash, parameters, share } as const;
      await account.submit(command, `strategy/${name}/taken/${randomUUID()}`);
      if ('fault' in opened) await this.halt(name, null, opened.fault);
      else if (!(await account.read((state) => isRunning(state, name)))) await this.rest(name);
    }
  }

  /**
   * Ends the process of a strategy that is stopped or halted on record, until it is started again with its file as it
   * is then.
   */
  async rest(name: string): Promise<void> {
    const resting = this.#runs.filter(({ strategy }) => strategy.name === name);
    this.#runs = this.#runs.filter((run) => !resting.includes(run));
    await Promise.all(resting.map(({ strategy }) => strategy.close()));
  }

  /**
   * Starts a stopped strategy, newly opened, from the next session on. `past` is the market up to the last session, as
   * far back as the strategy's history.
   */
  async start(strategy: HostedStrategy, past: readonly SessionData[]): Promise<void> {
    const { name, source, hash, parameters, share } = strategy;
    const before = this.#runs.find((run) => run.strategy.name === name);
    const order = this.#options.strategies.map(({ source }) => source.name);
    this.#runs = [...this.#runs.filter((run) => run !== before), runOf(strategy)].sort(
      (one, other) => order.indexOf(one.strategy.name) - order.indexOf(other.strategy.name),
    );
    const first = this.#past[0]?.date;
    this.#past.unshift(...past.filter(({ date }) => first === undefined || date < first));
    await before?.strategy.close();
    const command = { type: 'start-strategy', strategy: name, source, hash, parameters, share } as const;
    await this.#options.account.submit(command, `strategy/${name}/started/${randomUUID()}`);
  }

  /** Shows the market up to a day, oldest session first. */
  begin(past: readonly SessionData[]): void {
    this.#past = past.slice(-this.history);
    for (const run of this.#runs) run.seen = null;
  }

  /** Adds a session without asking for a decision. */
  pass(session: SessionData): void {
    this.#past.push(session);
    if (this.#past.length < this.#tidyAt) return;
    const { history } = this;
    this.#past = this.#past.slice(-history);
    this.#tidyAt = history + REMOVED_AT_ONCE;
  }

  /**
   * Records the answers of all strategies after a closed session. `predict` is called if one of them uses predictions.
   * A repeated session is not decided again. Fails if the account can no longer be written.
   */
  decide(session: SessionData, predict: () => Soon<Predicted | null>): Soon<void> {
    const due = this.#options.account.read((state) =>
      this.#runs.filter(({ strategy }) => isDue(state, strategy.name, session.date)),
    );
    return afterwards(due, (runs) => {
      if (!runs.some(usesPredictions)) return this.#decideAll(runs, session, null);
      return afterwards(predict(), (predicted) => this.#decideAll(runs, session, predicted));
    });
  }

  #decideAll(runs: readonly Run[], session: SessionData, predicted: Predicted | null): Soon<void> {
    this.#weights = predicted?.weights;
    const decided = inTurn(runs, (run) =>
      afterwards(this.#ask(run, session, predicted?.forecasts), (answer) =>
        this.#record(run, session, answer),
      ),
    );
    return afterwards(decided, () => {
      if (this.#past.at(-1)?.date !== session.date) this.pass(session);
    });
  }

  #record(run: Run, session: SessionData, answer: Answer): Soon<void> {
    // It was stopped and started again meanwhile: the new process is asked about the next session.
    if (!this.#runs.includes(run)) return;
    const { name } = run.strategy;
    if (answer instanceof StrategyFault) return this.halt(name, session.date, answer);
    const command = { type: 'decide-strategy', strategy: name, session, answer } as const;
    return this.#options.account.submit(command, `strategy/${name}/${session.date}/decided`);
  }

  /** Asks a strategy about a session once. A strategy that has not seen the previous session is begun anew. */
  #ask(run: Run, session: SessionData, predictions: Predicted['forecasts'] | undefined): Soon<Answer> {
    const { date } = session;
    if (run.seen === date && run.answer !== null) return run.answer;
    const previous = this.#dayBefore(date);
    const of = { session, previous, predictions };
    const asked = attempt(
      () =>
        run.seen !== null && run.seen === previous
          ? this.#answerOf(run, of)
          : afterwards(run.strategy.begin(this.#before(date)), () => this.#answerOf(run, of)),
      faultOf,
    );
    return afterwards(asked, (answer) => {
      run.answer = answer;
      run.seen = date;
      return answer;
    });
  }

  #dayBefore(date: string): string | null {
    const last = this.#past.at(-1)?.date ?? null;
    if (last === null || last < date) return last;
    return this.#past.findLast((one) => one.date < date)?.date ?? null;
  }

  #answerOf(
    { strategy }: Run,
    { session, previous, predictions }: Pick<Question, 'session' | 'previous' | 'predictions'>,
  ): Soon<StrategyAnswer> {
    const { account, policy } = this.#options;
    // The strategy is asked while the account is being read, because what it is shown is calculated when it reads it.
    const asked = account.read((state) => {
      const { state: memory, session: decided } = state.strategies!.get(strategy.name)!;
      const shown = accountShown(state, strategy.name, policy);
      return strategy.decide({ session, previous, decided, account: shown, state: memory, predictions });
    });
    return afterwards(asked, (answer) => answer);
  }

  /** The sessions before a day, as many as `history`. */
  #before(date: string): readonly SessionData[] {
    return this.#past.slice(-this.history).filter((one) => one.date < date);
  }

  /** Submits the orders and cancellations that were decided for a session. Repeated ones are the same orders. */
  submit(session: SessionData): Soon<void> {
    const submitted = inTurn(this.#runs, ({ strategy: { name } }) =>
      afterwards(
        this.#options.account.read((state) => this.#toSubmit(name, state, session)),
        (decided) => (decided === null ? undefined : this.#submitOne(name, session, decided)),
      ),
    );
    return afterwards(submitted, () => this.#options.account.settle());
  }

  /** What a strategy has decided for a session; `null` if nothing is to be submitted. */
  #toSubmit(name: string, state: AccountState, { date, bars }: SessionData): ToSubmit | null {
    const found = state.strategies?.get(name);
    if (found === undefined || found.session !== date || found.status !== 'running') return null;
    if (found.cancels.length + found.orders.length + (found.amends?.length ?? 0) === 0) return null;
    const lastPrice = (ticker: string): Price | null => {
      const bar = bars[ticker];
      return bar === undefined
        ? (state.marks.get(ticker) ?? lastCloseOf(this.#before(date), ticker))
        : priceOf(bar.close);
    };
    return {
      cancels: found.cancels,
      // An order that was refused before a crash stays refused, even if the account has changed since.
      refused: found.refused === undefined ? NONE_REFUSED : new Set(found.refused),
      amends: found.amends === undefined ? [] : found.amends.map((one) => amendIn(one, state, lastPrice)),
      orders: ordersOf(found, name, this.#options.account.name, lastPrice),
    };
  }

  #submitOne(name: string, { date }: SessionData, decided: ToSubmit): Soon<void> {
    const { account } = this.#options;
    const { cancels, amends, orders, refused } = decided;
    const ordered = (): Soon<void> =>
      inTurn(orders, (order, at) => {
        if (refused.has(at)) return undefined;
        const weighted = this.#weights === undefined ? order : { ...order, weights: this.#weights };
        const of = { strategy: name, session: date, order: at, ticker: order.ticker };
        return this.#submitOrRefuse({ type: 'submit', order: weighted }, strategyCall(name, date, at), of);
      });
    if (cancels.length + amends.length === 0) return ordered();
    const cancelled = inTurn(cancels, (order_id) => {
      const call = `strategy/${name}/${date}/${order_id}`;
      return afterwards(
        refusable(() => account.submit({ type: 'cancel', order_id }, call)),
        () => undefined,
      );
    });
    // Cancelled orders must be final first, so that their reserve is free for new orders.
    const settled = afterwards(cancelled, () => (cancels.length > 0 ? account.settle() : undefined));
    const amended = afterwards(settled, () =>
      inTurn(amends, ({ ticker, command }) => {
        const { order_id } = command;
        if (refused.has(order_id)) return undefined;
        const call = `strategy/${name}/${date}/${order_id}/amended`;
        const of = { strategy: name, session: date, order: null, order_id, ticker };
        return this.#submitOrRefuse(command, call, of);
      }),
    );
    const settledAgain = afterwards(amended, () => (amends.length > 0 ? account.settle() : undefined));
    return afterwards(settledAgain, ordered);
  }

  /** Submits a command, or records why the account refused it. */
  #submitOrRefuse(
    command: AccountCommand,
    call: string,
    of: Omit<AccountData<'StrategyOrderRefused'>, 'reason'>,
  ): Soon<void> {
    const { account } = this.#options;
    return afterwards(
      refusable(() => account.submit(command, call)),
      (reason): Soon<void> => {
        if (reason === null) return;
        const data = { ...of, reason };
        const refusal = refusable(() =>
          account.submit({ type: 'refuse-strategy-order', data }, `${call}/refused`),
        );
        return afterwards(refusal, () => undefined);
      },
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#runs.map(({ strategy }) => strategy.close()));
  }

  /** Halts a strategy on record; one that is halted gets the new reason. */
  async halt(name: string, session: string | null, fault: StrategyFault): Promise<void> {
    const { account, onFault } = this.#options;
    onFault(name, fault);
    const data = { strategy: name, session, detail: fault.message, file: fault.file, line: fault.line };
    await account.submit({ type: 'halt-strategy', data }, `strategy/${name}/halted/${randomUUID()}`);
    await this.rest(name);
  }
}

const NONE_REFUSED: ToSubmit['refused'] = new Set();

const runOf = (strategy: HostedStrategy): Run => ({ strategy, seen: null, answer: null });

const usesPredictions = ({ strategy }: Run): boolean => strategy.usesPredictions;

const isRunning = (state: AccountState, name: string): boolean =>
  state.strategies?.get(name)?.status === 'running';

function isDue(state: AccountState, name: string, date: string): boolean {
  const found = state.strategies?.get(name);
  return (
    state.engine === 'running' &&
    found?.status === 'running' &&
    (found.session === null || found.session < date)
  );
}

/**
 * The last close of a ticker that does not have a bar in every session; `null` if it has split since, because its price
 * is unknown then.
 */
function lastCloseOf(sessions: readonly SessionData[], ticker: string): Price | null {
  for (const { bars, splits } of sessions.toReversed()) {
    const bar = bars[ticker];
    if (bar !== undefined) return priceOf(bar.close);
    if (splits[ticker] !== undefined) return null;
  }
  return null;
}

function ordersOf(
  { orders, hash, parameters, session }: StrategyState,
  name: string,
  account: string,
  lastPrice: (ticker: string) => Price | null,
): readonly SubmitOrder[] {
  return orders.map((order, at) =>
    decidedOrder(order, {
      order_id: strategyOrderId(account, name, session!, at),
      last_price: lastPrice(order.ticker),
      strategy: { name, hash, parameters },
    }),
  );
}

function amendIn(
  { order_id, quantity, price, stop_price }: NonNullable<StrategyState['amends']>[number],
  state: AccountState,
  lastPrice: (ticker: string) => Price | null,
): { readonly ticker: string; readonly command: CommandOf<'amend'> } {
  const ticker = state.orders.get(order_id)?.ticker ?? '';
  return {
    ticker,
    command: {
      type: 'amend',
      order_id,
      quantity: quantity === null ? null : parseQuantity(quantity),
      price: parseOptionalPrice(price),
      stop_price: parseOptionalPrice(stop_price),
      last_price: lastPrice(ticker),
    },
  };
}

function faultOf(error: unknown): StrategyFault {
  if (error instanceof StrategyFault) return error;
  throw error;
}

/**
 * The reason of the account's refusal; `null` if the command was accepted. An order that was recorded long ago was not
 * refused.
 */
function refusable(submit: () => Soon<void>): Soon<string | null> {
  return attempt(() => afterwards(submit(), accepted), refusalIn);
}

const accepted = (): null => null;

function refusalIn(error: unknown): string | null {
  if (isBelegError(error, 'WRONG_EXPECTED_REVISION')) return null;
  if (!isBelegError(error) || !isRefusal(error)) throw error;
  return `${error.code}: ${error.detail ?? error.message}`;
}
