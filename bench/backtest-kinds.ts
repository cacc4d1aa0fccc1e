import { DataFrame } from 'data-forge';
import { backtest, type IStrategy } from 'grademark';
import { crossover } from '../actors/strategy/crossover.ts';
import { RollingMean } from '../actors/strategy/rolling-mean.ts';
import crossoverOnPort from '../examples/strategies/crossover.ts';
import type { SessionData } from '../events/messages/market.ts';
import { loadSessions } from '../services/backtest/sessions.ts';
import { readSettings } from '../services/composition/settings.ts';
import { runHere } from '../services/strategies/run-here.ts';

const TICKER = 'DEMO-OAK';

/** Each loads its tables, and gives what runs once over them. */
export const KINDS = {
  'grademark 0.3, 1 ticker, no account': over([TICKER], () => runGrademark),
  'beleg, 1 ticker': over([TICKER], builtIn),
  'beleg, 12 tickers': over([], builtIn),
  'beleg, 1 ticker, on the port': over([TICKER], onPort),
  'beleg, 12 tickers, on the port': over([], onPort),
};
export type Kind = keyof typeof KINDS;

export interface Counts {
  readonly bars: number;
  readonly trades: number;
}

type Runs = (sessions: readonly SessionData[]) => Counts | Promise<Counts>;

/** `tickers`: none of them named means all. */
function over(tickers: readonly string[], prepare: () => Runs | Promise<Runs>) {
  return async () => {
    const sessions = await sessionsOf(tickers);
    const run = await prepare();
    return () => run(sessions);
  };
}

async function sessionsOf(tickers: readonly string[]): Promise<readonly SessionData[]> {
  const { market } = readSettings(tickers.length === 0 ? {} : { TD_TICKERS: tickers.join(',') });
  return (await loadSessions(market, { to: null, now: () => new Date(), onTicker: () => undefined }))
    .sessions;
}

/** Read once, as a process does. */
const { trading } = readSettings({});

/** Ours alone: it sets a flag of V8, without which grademark is to run. */
const loaded = async () => (await import('../services/backtest/run-backtest.ts')).Backtest;

async function builtIn(): Promise<Runs> {
  const Backtest = await loaded();
  return (sessions) => {
    const running = new Backtest({ ...trading, strategy: crossover(), from: null });
    for (const session of sessions) running.run(session);
    return { bars: running.bars, trades: running.history.journal.fills.length };
  };
}

async function onPort(): Promise<Runs> {
  const Backtest = await loaded();
  const named = { name: 'crossover', source: 'crossover.ts', share: null };
  const source = { ...named, runs: { kind: 'shipped' as const } };
  const { strategy: _, ...settings } = trading;
  return async (sessions) => {
    const strategy = runHere({ ...named, hash: '', strategy: crossoverOnPort });
    const running = new Backtest({ ...settings, strategies: [{ source, strategy }], from: null });
    for (const session of sessions) {
      const run = running.runOwn(session);
      if (run instanceof Promise) await run;
    }
    return { bars: running.bars, trades: running.history.journal.fills.length };
  };
}

interface Bar {
  readonly time: Date;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** Fast average less slow. */
  readonly difference: number;
}

function runGrademark(sessions: readonly SessionData[]) {
  const fast = new RollingMean(10);
  const slow = new RollingMean(30);
  const bars = sessions.map(({ date, bars }): Bar => {
    const { open, high, low, close, volume } = bars[TICKER]!;
    const difference = fast.push(close) - slow.push(close);
    return { time: new Date(date), open, high, low, close, volume, difference };
  });
  const strategy: IStrategy<Bar, Bar, object> = {
    entryRule: (enter, { bar }) => {
      if (bar.difference > 0) enter({ direction: 'long' as never });
    },
    exitRule: (exit, { bar }) => {
      if (bar.difference <= 0) exit();
    },
  };
  const trades = backtest(strategy, new DataFrame<number, Bar>(bars));
  return { bars: bars.length, trades: trades.length };
}
