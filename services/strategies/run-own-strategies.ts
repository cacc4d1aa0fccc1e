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
import { GONE_AFTER } from '../../events/messages/gone-tickers.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { StrategyFault } from './fault.ts';
import type { HostedStrategy } from './hosted.ts';
import type { StrategySource } from './named.ts';

/** The account of a service or of a backtest. */
export interface StrategiesAccount {
  readonly name: string;
  read<T>(look: (state: AccountState) => T): Promise<T> | T;
  /** A repeated `call` is recorded once. */
  submit(command: AccountCommand, call: string): Promise<unknown> | void;
  /** The broker has received everything that is on record, and its answers are on record too. */
  settle(): Promise<void> | void;
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

interface Run {
  readonly strategy: HostedStrategy;
  /** The last session that it has seen since it was opened, and its answer. */
  seen: string | null;
  answer: Answer | null;
}

type Answer = StrategyAnswer | StrategyFault;

/** The model's predictions for the day after a session, and the SHA-256 of its weights. */
interface Predicted {
  readonly forecasts: ReadonlyMap<string, Forecast>;
  readonly weights?: string | undefined;
}

/**
 * Runs own strategies on an account, session by session, in live trading and backtests alike: asks each strategy, lets
 * the account decide about its answer, and submits the orders. The answers, the results and the reasons are on record.
 * A strategy that fails is halted on record, by name; the others go on.
 */
export class OwnStrategies {
  readonly #options: RunOptions;
  #runs: readonly Run[];
  /** The last sessions, as many as the longest history needs. */
  #past: SessionData[] = [];
  #weights: string | undefined;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#runs = options.strategies.flatMap((opened) =>
      'strategy' in opened ? [runOf(opened.strategy)] : [],
    );
  }

  /** The number of sessions that are needed: for the longest history, and to find the last price of a ticker. */
  get history(): number {
    return Math.max(GONE_AFTER, ...this.#runs.map(({ strategy }) => strategy.history));
  }

  get usesPredictions(): boolean {
    return this.#runs.some(({ strategy }) => strategy.usesPredictions);
  }

  /** Records which strategies are in use. */
  async take(): Promise<void> {
    for (const opened of this.#options.strategies) {
      const { account } = this.#options;
      const { name, source, share } = opened.source;
      const { hash = '', parameters = {} } = 'strategy' in opened ? opened.strategy : {};
      const command = { type: 'take-strategy', strategy: name, source, hash, parameters, share } as const;
      await account.submit(command, `strategy/${name}/taken/${randomUUID()}`);
      if ('fault' in opened) await this.#halt(name, null, opened.fault);
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
   * far back as its history.
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

  /** The market up to a day, oldest first. */
  begin(past: readonly SessionData[]): void {
    this.#past = past.slice(-this.history);
    for (const run of this.#runs) run.seen = null;
  }

  /** Takes in a session without a decision. */
  pass(session: SessionData): void {
    const { history } = this;
    this.#past.push(session);
    while (this.#past.length > history) this.#past.shift();
  }

  /**
   * Records the answers of all strategies after a closed session. `predict` is called if one of them uses predictions.
   * A repeated session is not decided again. Rejects if the account can no longer be written.
   */
  async decide(session: SessionData, predict: () => Promise<Predicted | null>): Promise<void> {
    const { account } = this.#options;
    const { date } = session;
    const asked = await account.read((state) =>
      this.#runs.filter(({ strategy }) => isDue(state, strategy.name, date)),
    );
    const predicted = asked.some(({ strategy }) => strategy.usesPredictions) ? await predict() : null;
    this.#weights = predicted?.weights;
    for (const run of asked) {
      const { name } = run.strategy;
      const answer = await this.#ask(run, session, predicted?.forecasts);
      // It was stopped and started again meanwhile: the new process is asked about the next session.
      if (!this.#runs.includes(run)) continue;
      if (answer instanceof StrategyFault) await this.#halt(name, date, answer);
      else {
        const command = { type: 'decide-strategy', strategy: name, session, answer } as const;
        await account.submit(command, `strategy/${name}/${date}/decided`);
      }
    }
    if (this.#past.at(-1)?.date !== date) this.pass(session);
  }

  /** Asks once for each session. A strategy that has not seen the previous session is begun anew. */
  async #ask(
    run: Run,
    session: SessionData,
    predictions: Predicted['forecasts'] | undefined,
  ): Promise<Answer> {
    const { account, policy } = this.#options;
    const { strategy } = run;
    const { date } = session;
    if (run.seen === date && run.answer !== null) return run.answer;
    const past = this.#before(date);
    const previous = past.at(-1)?.date ?? null;
    try {
      if (run.seen === null || run.seen !== previous) await strategy.begin(past);
      // The strategy is asked within the reading, because what it is shown of the account is worked out as it reads it.
      run.answer = await account.read((state) => {
        const { state: memory, session: decided } = state.strategies!.get(strategy.name)!;
        const shown = accountShown(state, strategy.name, policy);
        return strategy.decide({ session, previous, decided, account: shown, state: memory, predictions });
      });
    } catch (error) {
      if (!(error instanceof StrategyFault)) throw error;
      run.answer = error;
    }
    run.seen = date;
    return run.answer;
  }

  /** The sessions that are kept from before a day. */
  #before(date: string): readonly SessionData[] {
    const last = this.#past.at(-1);
    return last === undefined || last.date < date ? this.#past : this.#past.filter((one) => one.date < date);
  }

  /** Submits the orders and cancellations that were decided for a session. Repeated ones are the same orders. */
  async submit({ date, bars }: SessionData): Promise<void> {
    const { account } = this.#options;
    const lastPrice = (state: AccountState, ticker: string): Price | null => {
      const bar = bars[ticker];
      return bar === undefined
        ? (state.marks.get(ticker) ?? lastCloseOf(this.#before(date), ticker))
        : priceOf(bar.close);
    };
    for (const { strategy } of this.#runs) {
      const { name } = strategy;
      const decided = await account.read((state) => {
        const found = state.strategies?.get(name);
        if (found === undefined || found.session !== date || found.status !== 'running') return null;
        if (found.cancels.length + found.orders.length + (found.amends?.length ?? 0) === 0) return null;
        return {
          cancels: found.cancels,
          // What was refused before a crash stays refused, even if the account has changed since.
          refused: new Set(found.refused),
          amends: (found.amends ?? []).map((amendment) => amendIn(amendment, state, lastPrice)),
          orders: ordersOf(found, name, account.name, (ticker) => lastPrice(state, ticker)),
        };
      });
      if (decided === null) continue;
      for (const order_id of decided.cancels) {
        await refusable(() =>
          account.submit({ type: 'cancel', order_id }, `strategy/${name}/${date}/${order_id}`),
        );
      }
      // Cancelled orders must be final first, so that their reserve is free for new orders.
      if (decided.cancels.length > 0) await account.settle();
      for (const { ticker, command } of decided.amends) {
        const { order_id } = command;
        if (decided.refused.has(order_id)) continue;
        const call = `strategy/${name}/${date}/${order_id}/amended`;
        const reason = await refusable(() => account.submit(command, call));
        await this.#refuse({ strategy: name, session: date, order: null, order_id, ticker, reason }, call);
      }
      if (decided.amends.length > 0) await account.settle();
      for (const [at, order] of decided.orders.entries()) {
        if (decided.refused.has(at)) continue;
        const weighted = this.#weights === undefined ? order : { ...order, weights: this.#weights };
        const call = strategyCall(name, date, at);
        const reason = await refusable(() => account.submit({ type: 'submit', order: weighted }, call));
        await this.#refuse({ strategy: name, session: date, order: at, ticker: order.ticker, reason }, call);
      }
    }
    await account.settle();
  }

  /** Records what the account refused; nothing if `reason` is `null`. */
  async #refuse(
    {
      reason,
      ...of
    }: Omit<AccountData<'StrategyOrderRefused'>, 'reason'> & { readonly reason: string | null },
    call: string,
  ): Promise<void> {
    if (reason === null) return;
    const data = { ...of, reason };
    await refusable(() =>
      this.#options.account.submit({ type: 'refuse-strategy-order', data }, `${call}/refused`),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#runs.map(({ strategy }) => strategy.close()));
  }

  async #halt(name: string, session: string | null, fault: StrategyFault): Promise<void> {
    const { account, onFault } = this.#options;
    onFault(name, fault);
    const data = { strategy: name, session, detail: fault.message, file: fault.file, line: fault.line };
    await account.submit({ type: 'halt-strategy', data }, `strategy/${name}/halted/${randomUUID()}`);
    await this.rest(name);
  }
}

const runOf = (strategy: HostedStrategy): Run => ({ strategy, seen: null, answer: null });

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
  lastPrice: (state: AccountState, ticker: string) => Price | null,
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
      last_price: lastPrice(state, ticker),
    },
  };
}

/** The reason of the account's refusal, else `null`. If the order was recorded long ago it was not refused. */
async function refusable(submit: () => Promise<unknown> | void): Promise<string | null> {
  try {
    await submit();
    return null;
  } catch (error) {
    if (isBelegError(error, 'WRONG_EXPECTED_REVISION')) return null;
    if (!isBelegError(error) || !isRefusal(error)) throw error;
    return `${error.code}: ${error.detail ?? error.message}`;
  }
}
