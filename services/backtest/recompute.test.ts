import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crossover } from '../../actors/strategy/crossover.ts';
import type { Strategy } from '../../actors/strategy/strategy.ts';
import { addDays } from '../../events/dates.ts';
import { parseMoney } from '../../events/decimal.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { seeded } from '../../events/seeded.ts';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { readSettings } from '../composition/settings.ts';
import { Benchmarks } from './benchmark.ts';
import { parametersOf } from './parameters.ts';
import { writeResult } from './result-files.ts';
import { Backtest } from './run-backtest.ts';
import { pointsOf } from './sessions.ts';
import { summarise } from './summary.ts';

const SCRIPT = join(import.meta.dirname, '..', '..', 'testing', 'recompute-backtest.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** The same settings as in the test. */
const SETTINGS = ['--cash', '100000', '--slippage-percent', '0.07', '--risk-free-percent', '2.5'];

const TICKERS = Array.from({ length: 14 }, (_, n) => `T${String(n + 1).padStart(2, '0')}`);
const DAYS = 500;
/** The last day of a ticker that then stops trading. */
const ENDS = { ticker: TICKERS[13]!, day: 300 };
const SPLITS: Readonly<Record<number, Record<string, string>>> = {
  90: { T01: '2/1', T02: '1/3' },
  210: { T03: '3/2', T04: '1/7' },
  400: { T01: '7/3' },
};

function market(): SessionData[] {
  const random = seeded(3);
  const prices = new Map(TICKERS.map((ticker, n) => [ticker, 20 + 15 * n]));
  return Array.from({ length: DAYS }, (_, n): SessionData => {
    const splits = SPLITS[n] ?? {};
    for (const [ticker, ratio] of Object.entries(splits)) {
      const [news, olds] = ratio.split('/').map(Number);
      prices.set(ticker, (prices.get(ticker)! * olds!) / news!);
    }
    const trading = TICKERS.filter((ticker) => ticker !== ENDS.ticker || n <= ENDS.day);
    const bars = trading.map((ticker) => {
      const open = Math.round(prices.get(ticker)! * 1e4) / 1e4;
      const close = Math.round(open * (1 + 0.04 * (random() - 0.49)) * 1e4) / 1e4;
      prices.set(ticker, close);
      const [high, low] = [Math.max(open, close) * 1.005, Math.min(open, close) * 0.995];
      return [ticker, { open, high, low, close, volume: 50_000 }] as const;
    });
    const ended = n > ENDS.day + 20 ? { gone: { [ENDS.ticker]: addDays('2020-01-01', ENDS.day) } } : {};
    return {
      date: addDays('2020-01-01', n),
      bars: Object.fromEntries(bars),
      splits,
      dividends: n % 50 === 49 ? { T05: 0.31, T01: 0.1234 } : {},
      ...ended,
    };
  });
}

/** A weight for each ticker from its last closes; negative ones are short. */
const own = (name: string, days: number, weightOf: (rise: number, n: number) => number): Strategy => {
  const closes = new Map<string, number[]>();
  return {
    name,
    parameters: { days },
    warmUp: 0,
    usesPredictions: false,
    onSplit(ticker, factor) {
      const known = closes.get(ticker) ?? [];
      closes.set(
        ticker,
        known.map((close) => close * factor),
      );
    },
    onSession(bars, view) {
      return Object.entries(bars).flatMap(([ticker, { close }]) => {
        const known = closes.get(ticker) ?? [];
        known.push(close);
        closes.set(ticker, known);
        if (view === null || known.length <= days || known.length % 7 !== 0) return [];
        return [{ ticker, weight: weightOf(close / known.at(-1 - days)! - 1, known.length) }];
      });
    },
  };
};

const STRATEGIES: readonly (() => Strategy)[] = [
  crossover,
  () => own('swing', 5, (rise) => (rise > 0 ? -0.03 : 0.06)),
  () => own('rotation', 20, (rise, n) => (n % 14 === 0 ? 0 : Math.max(-0.04, Math.min(0.1, rise)))),
];

test.skipIf(!hasPython)(
  'a script that shares no code comes to the same from the CSV alone (skipped where there is no python3)',
  async () => {
    const sessions = market();
    const { trading } = readSettings({
      TD_SHORTING: 'true',
      TD_SLIPPAGE_BPS: '7',
      TD_VOLUME_LIMIT: '2',
      TD_RISK_FREE_PERCENT: '2.5',
    });
    const { rhythm } = pointsOf(sessions, null);
    const flows = [
      { date: '2020-03-01', amount: parseMoney('40000'), reason: 'deposit' },
      { date: '2020-09-14', amount: parseMoney('-7000.25'), reason: 'rent' },
    ];
    const met = { splits: 0, settlements: 0, borrowing: 0 };
    for (const create of STRATEGIES) {
      const strategy = create();
      const backtest = new Backtest({ ...trading, strategy, from: null, flows, eachHolding: true });
      const indexSessions = sessions.map((session) => ({ ...session, bars: {} }));
      const compared = { tickers: TICKERS, index: '', rhythm, sessions, indexSessions };
      const benchmarks = new Benchmarks({ ...trading, from: null }, compared);
      for (const [at, session] of sessions.entries()) {
        backtest.run(session);
        benchmarks.run(session, indexSessions[at]!);
      }
      const summary = summarise(backtest, {
        strategy: strategy.name,
        parameters: parametersOf({ ...trading, strategy }),
        source: 'test',
        synthetic: true,
        tickers: TICKERS,
        notes: [],
        earlierNotes: [],
        benchmarks: benchmarks.results,
        rhythm,
        model: null,
        data: '',
        command: '',
      });
      const folder = temporaryFolder();
      await writeResult(folder, { summary, history: backtest.history });
      const run = spawnSync('python3', [SCRIPT, folder, '--per-year', `${rhythm.perYear}`, ...SETTINGS], {
        encoding: 'utf8',
      });
      expect(run.stderr).toBe('');
      const { matching: _, open: __, list: ___, ...trades } = summary.trades;
      const { periods: ____, ...performance } = summary.performance;
      const told = {
        equity: summary.equity.slice(1).map(({ value }) => value),
        performance,
        relative: summary.benchmarks[0]!.relative,
        exposure: summary.exposure,
        turnover: summary.turnover,
        costs: summary.costs,
        dividends: summary.dividends,
        trades,
      };
      expect(differencesOf(JSON.parse(run.stdout), told, strategy.name)).toEqual([]);
      expect(summary.trades.closed).toBeGreaterThan(50);
      met.splits += backtest.history.journal.splits.length;
      met.settlements += summary.settlements.length;
      met.borrowing += summary.costs.borrowing;
    }
    expect(Object.values(met).every((value) => value > 1)).toBe(true);
  },
);

/** Numbers may differ by a billionth, because both sides add thousands of doubles in a different order. */
function differencesOf(actual: unknown, expected: unknown, path: string): string[] {
  if (typeof expected === 'object' && expected !== null) {
    const found = (actual ?? {}) as Record<string, unknown>;
    return Object.entries(expected).flatMap(([name, value]) =>
      differencesOf(found[name], value, `${path}.${name}`),
    );
  }
  const isSame =
    typeof expected === 'number'
      ? Math.abs(Number(actual) - expected) <= 1e-9 * Math.max(1, Math.abs(expected))
      : actual === expected;
  return isSame ? [] : [`${path}: ${String(actual)} and not ${String(expected)}`];
}
