import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import type { AccountDraft } from '../../actors/trading/commands.ts';
import { evolve } from '../../actors/trading/evolve.ts';
import { initialState } from '../../actors/trading/state.ts';
import { accountStream } from '../../events/catalog/trading.ts';
import { BelegError } from '../../events/errors.ts';
import type { SessionData } from '../../events/messages/market.ts';
import type { AccountPerformance, AccountTrades } from '../../events/messages/trading.ts';
import { accountFigures, tradeNumbers } from '../backtest/account-figures.ts';
import { AccountHistory } from '../backtest/account-history.ts';
import { Benchmarks, type Benchmark } from '../backtest/benchmark.ts';
import { percentOf } from '../backtest/parameters.ts';
import { rhythmOfPoints, type Rhythm } from '../market/rhythm.ts';
import { askMarket } from './ask-market.ts';
import type { TradingServiceOptions } from './held-account.ts';

type PerformanceParts = Pick<TradingServiceOptions, 'bus' | 'store' | 'codec' | 'settings'>;

type Query = z.output<(typeof AccountPerformance)['request']>;
type TradesQuery = z.output<(typeof AccountTrades)['request']>;
type Range = Pick<Query, 'lots'> & Partial<Pick<Query, 'from' | 'to'>>;

/** The number of events and sessions after which others get a turn, because the account goes on trading meanwhile. */
const TURN = 200;

/**
 * The result of an account, calculated from its record by the code that measures backtests. One request at a time,
 * because each takes long for a long record.
 */
export function accountPerformance({ bus, store, codec, settings }: PerformanceParts) {
  const { account, policy, rules, currency, riskFreePercent } = settings;
  const market = askMarket(bus);
  let before: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = before.then(work);
    before = result.catch(() => undefined);
    return result;
  }

  /** Reads the record up to the last close before the end of `to`; a session that is open is left out. */
  async function readHistory({ lots, from = null, to = null }: Range): Promise<AccountHistory> {
    const history = new AccountHistory({ matching: lots, from });
    let state = initialState();
    let read = 0;
    for await (const recorded of store.readStream(accountStream(account))) {
      const event = (await codec.decode(recorded)) as AccountDraft | undefined;
      if (event === undefined) continue;
      if (to !== null && event.type === 'SessionOpened' && event.data.session > to) break;
      history.take(event, (state = evolve(state, event)));
      if (++read % TURN === 0) await nextTurn();
    }
    history.end();
    return history;
  }

  /** Buying and holding over the same sessions, by the same code as in a backtest. */
  async function benchmarksOf(
    history: AccountHistory,
    rhythm: Rhythm,
    benchmark: Query['benchmark'],
  ): Promise<{ benchmarks: readonly Benchmark[]; notes: string[] }> {
    const [first, ...others] = history.equity.slice(1);
    if (benchmark === 'none' || first === undefined || history.opening <= 0n) return NOTHING;
    const { tickers, index } = await market.listed();
    if (benchmark !== null && benchmark !== index && !tickers.includes(benchmark)) {
      throw new BelegError('UNKNOWN_TICKER');
    }
    const read = async (ticker?: string): Promise<SessionData[]> => {
      const pages = market.sessionsFrom(first.session, others.length + 1, ticker);
      return (await Array.fromAsync(pages)).flat();
    };
    const sessions = await read(benchmark ?? undefined);
    const isSame = history.equity.slice(1).every(({ session }, at) => sessions[at]?.date === session);
    if (!isSame) return { benchmarks: [], notes: [OTHER_SESSIONS] };
    const held = [...new Set(sessions.flatMap(({ bars }) => Object.keys(bars)))].sort();
    if (benchmark !== null && held.length === 0) {
      throw new BelegError('MARKET_DATA_MISSING', {
        detail: `${benchmark} could not be held in these sessions: it has no bar in them, or is no fund`,
      });
    }
    const indexed =
      benchmark === null && index !== '' ? await read(index) : sessions.map((one) => ({ ...one, bars: {} }));
    const compared = { tickers: held, index: benchmark ?? index, rhythm, sessions, indexSessions: indexed };
    const options = { policy, rules, currency, riskFreePercent, cash: history.opening, from: null };
    const running = new Benchmarks(options, compared);
    for (const [at, session] of sessions.entries()) {
      running.run(session, indexed[at] ?? { ...session, bars: {} });
      if (at % TURN === 0) await nextTurn();
    }
    return { benchmarks: running.results, notes: running.results.flatMap(({ notes }) => notes) };
  }

  return {
    performance: ({ benchmark, ...range }: Query) =>
      inTurn(async () => {
        const history = await readHistory(range);
        const dates = history.equity.slice(1).map(({ session }) => session);
        const rhythm = rhythmOfPoints(dates, null);
        const { benchmarks, notes } = await benchmarksOf(history, rhythm, benchmark);
        const slippagePercent = percentOf(rules.slippage);
        return {
          ...accountFigures(history, { rhythm, benchmarks, slippagePercent, riskFreePercent }),
          notes,
        };
      }),

    trades: ({ limit, before: number, lots }: TradesQuery) =>
      inTurn(async () => {
        const { journal } = await readHistory({ lots });
        const trades = journal.trades.map((trade, at) => ({ number: at + 1, ...tradeNumbers(trade) }));
        return {
          trades: trades.slice(0, number === null ? undefined : Math.max(0, number - 1)).slice(-limit),
        };
      }),
  };
}

const NOTHING = { benchmarks: [], notes: [] };
const OTHER_SESSIONS =
  'The market data no longer has the sessions that the account went by, so nothing is compared with it.';
