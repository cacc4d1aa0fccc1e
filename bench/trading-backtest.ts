import { DataFrame } from 'data-forge';
import { backtest, type IStrategy } from 'grademark';
import { crossover } from '../actors/strategy/crossover.ts';
import { RollingMean } from '../actors/strategy/rolling-mean.ts';
import crossoverOnPort from '../examples/strategies/crossover.ts';
import type { SessionData } from '../events/messages/market.ts';
import { Backtest } from '../services/backtest/run-backtest.ts';
import { loadSessions } from '../services/backtest/sessions.ts';
import { readSettings } from '../services/composition/settings.ts';
import { runHere } from '../services/strategies/run-here.ts';
import { median } from '../testing/quantile.ts';

export interface BacktestRate {
  readonly what: string;
  readonly bars: number;
  /** Of CPU time, which other work on the machine disturbs less; median over the runs. */
  readonly barsPerCpuSecond: number;
  readonly trades: number;
}

const TICKER = 'DEMO-OAK';
const WARM_UP = 15;
const RUNS = 25;

/**
 * A moving-average crossover over the same ten years: one ticker in grademark and here, and all tickers here; built in,
 * and as a strategy on the port in this process.
 */
export async function measureBacktest(): Promise<BacktestRate[]> {
  const all = await sessionsOf([]);
  const one = await sessionsOf([TICKER]);
  return [
    await rate('grademark 0.3, 1 ticker, no account', () => runGrademark(one)),
    await rate('beleg, 1 ticker', () => runBeleg(one)),
    await rate('beleg, 12 tickers', () => runBeleg(all)),
    await rate('beleg, 1 ticker, on the port', () => runOnPort(one)),
    await rate('beleg, 12 tickers, on the port', () => runOnPort(all)),
  ];
}

async function sessionsOf(tickers: readonly string[]): Promise<readonly SessionData[]> {
  const { market } = readSettings(tickers.length === 0 ? {} : { TD_TICKERS: tickers.join(',') });
  return (await loadSessions(market, { to: null, now: () => new Date(), onTicker: () => undefined }))
    .sessions;
}

interface Counts {
  bars: number;
  trades: number;
}

/** Runs taken in turn would warm each other's code up; each gets the same warm-up of its own instead. */
async function rate(what: string, run: () => Counts | Promise<Counts>): Promise<BacktestRate> {
  for (let n = 0; n < WARM_UP; n++) await run();
  const rates: number[] = [];
  let last = { bars: 0, trades: 0 };
  for (let n = 0; n < RUNS; n++) {
    const before = process.cpuUsage();
    last = await run();
    const { user, system } = process.cpuUsage(before);
    rates.push((last.bars / (user + system)) * 1_000_000);
  }
  return { what, ...last, barsPerCpuSecond: median(rates) };
}

function runBeleg(sessions: readonly SessionData[]) {
  const { trading } = readSettings({});
  const running = new Backtest({ ...trading, strategy: crossover(), from: null });
  for (const session of sessions) running.run(session);
  return { bars: running.bars, trades: running.history.journal.fills.length };
}

async function runOnPort(sessions: readonly SessionData[]) {
  const { trading } = readSettings({});
  const named = { name: 'crossover', source: 'crossover.ts', share: null };
  const opened = {
    source: { ...named, runs: { kind: 'shipped' as const } },
    strategy: runHere({ ...named, hash: '', strategy: crossoverOnPort }),
  };
  const { strategy: _, ...settings } = trading;
  const running = new Backtest({ ...settings, strategies: [opened], from: null });
  for (const session of sessions) {
    const run = running.runOwn(session);
    if (run instanceof Promise) await run;
  }
  return { bars: running.bars, trades: running.history.journal.fills.length };
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
