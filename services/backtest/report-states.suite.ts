import { join } from 'node:path';
import { noStrategy } from '../../actors/strategy/strategies.ts';
import type { Strategy } from '../../actors/strategy/strategy.ts';
import { addDays } from '../../events/dates.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { seeded } from '../../events/seeded.ts';
import { readSettings } from '../composition/settings.ts';
import { ownStrategies } from '../strategies/named.ts';
import { closeAll, openAll } from '../strategies/open-all.ts';
import { Benchmarks } from './benchmark.ts';
import { renderComparison } from './compare-page.ts';
import { comparedOf } from './compare-results.ts';
import { renderReport } from './html-report.ts';
import { parametersOf } from './parameters.ts';
import { readableSettings } from './readable-settings.ts';
import { summaryJson } from './result-json.ts';
import { BacktestResult } from './result-schema.ts';
import { Backtest } from './run-backtest.ts';
import { pointsOf } from './sessions.ts';
import { summarise } from './summary.ts';
import { gridOf, parseAxis } from './sweep/parameter-space.ts';
import { renderSweep } from './sweep/sweep-report.ts';
import { summariseSweep, type FailedTrial } from './sweep/sweep-summary.ts';
import { foldsOf, splitAt, type Fold } from './sweep/walk-forward.ts';

interface Told {
  readonly days: number;
  readonly tickers: readonly string[];
  readonly strategy?: Strategy;
  /** The files of own strategies, with their shares. */
  readonly own?: string;
  /** The change of the price on a day. */
  readonly change?: (day: number, random: () => number) => number;
}

const weekdays = (days: number): string[] =>
  Array.from({ length: days * 2 }, (_, n) => addDays('2020-01-01', n))
    .filter((date) => ![0, 6].includes(new Date(date).getUTCDay()))
    .slice(0, days);

/** The days of the sweeps. */
const SWEPT = weekdays(500);

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples', 'strategies');

/** The states in which a report looks different. */
export const REPORT_STATES: Readonly<Record<string, Told>> = {
  'one trade': { days: 300, tickers: ['ACME'], strategy: inAndOut() },
  'no trade': { days: 300, tickers: ['ACME', 'OTHER'], strategy: noStrategy() },
  ruin: {
    days: 120,
    tickers: ['ACME'],
    strategy: short(),
    change: (day, random) => (day === 41 ? 1.6 : 0.02 * (random() - 0.5)),
  },
  '500 tickers': {
    days: 150,
    tickers: Array.from({ length: 500 }, (_, n) => `TICK${String(n + 1).padStart(3, '0')}`),
    strategy: rotation(),
  },
  'three strategies': {
    days: 700,
    tickers: ['ALPHA', 'BETA', 'GAMMA', 'DELTA', 'EPSILON'],
    own: ['momentum.ts=40%', 'mean-reversion.ts=30%', 'buy-and-hold.ts=20%']
      .map((file) => join(EXAMPLES, file))
      .join(','),
  },
};

/** The report page in one of these states. */
export async function reportOf(told: Told): Promise<string> {
  const { summary, sessions } = await testedAs(told);
  return renderReport(summary, { sessions, made: '2026-01-01' });
}

/** Results with these numbers of days of the same strategies, side by side. */
export async function comparisonOf(days: readonly number[]): Promise<string> {
  const results = await Promise.all(
    days.map(async (length) => {
      const { summary } = await testedAs({ ...REPORT_STATES['three strategies']!, days: length });
      return BacktestResult.parse(JSON.parse(JSON.stringify(summaryJson(summary))));
    }),
  );
  return renderComparison({
    names: days.map((length) => `result-of-${length}-sessions`),
    results,
    ...comparedOf(results),
  });
}

/** The pages of sweeps that look different. */
export const SWEEP_STATES = {
  'a sweep': { axes: ['lookback=20..200:20', 'held=2,3'], folds: [splitAt(SWEPT, '2021-01-04')!] },
  'a sweep over hundreds of combinations, some of which fail': {
    axes: ['lookback=20..119:1', 'held=1,2,3'],
    folds: [splitAt(SWEPT, '2021-01-04')!],
    failed: [
      {
        parameters: { lookback: 120, held: 1 },
        failure:
          '/home/somebody/strategies/momentum.ts:14: Cannot read properties of undefined, on 2020-02-03',
      },
    ],
  },
  'a walk-forward': {
    axes: ['lookback=20..200:20', 'held=2,3', 'wait=1,5,10'],
    folds: foldsOf(SWEPT, { trainMonths: 6, testMonths: 2, anchored: false }),
  },
} as const;

/** The page of a sweep over made-up returns. */
export function sweepOf({
  axes: texts,
  ...told
}: {
  readonly axes: readonly string[];
  readonly folds: readonly Fold[];
  readonly failed?: readonly FailedTrial[];
}): string {
  const axes = texts.map(parseAxis);
  const random = seeded(7);
  const trials = gridOf(axes).map((parameters, at) => ({
    parameters,
    trades: at,
    returns: Float64Array.from(SWEPT, () => 0.02 * (random() - 0.49)),
  }));
  let value = 1;
  const equity = ['2019-12-31', ...SWEPT].map((session) => ({
    session,
    value: (value *= 1 + 0.02 * (random() - 0.48)),
  }));
  const benchmarks = [
    { name: 'Hold all equally, 90 % invested', equity },
    {
      name: 'Hold SPY, 90 % invested',
      equity: equity.map((point) => ({ ...point, value: point.value ** 2 })),
    },
  ];
  const summary = summariseSweep({ axes, trials, dates: SWEPT, perYear: 252, benchmarks, ...told });
  const { trading } = readSettings({});
  return renderSweep(summary, {
    strategy: 'momentum',
    hash: 'cd'.repeat(32),
    command:
      "TD_SOURCE=csv:/home/somebody/tables TD_FEES='per-share:0.005,min=1,max=1%' npx beleg sweep --strategy ./momentum.ts --param lookback=20..200:20",
    data: 'ab'.repeat(32),
    made: '2026-01-01',
    settings: readableSettings({
      parameters: parametersOf({ ...trading, strategy: { parameters: {} } }),
      currency: 'USD',
    }),
  });
}

async function testedAs({ days, tickers, strategy = noStrategy(), own, change }: Told) {
  const sessions = marketOf(tickers, days, change);
  const { trading } = readSettings({ TD_SHORTING: 'true', TD_FEES: 'per-order:1' });
  const opened =
    own === undefined
      ? []
      : await openAll(ownStrategies(own), {
          parameters: {},
          hasTicker: (ticker) => tickers.includes(ticker),
          onPrinted: () => undefined,
        });
  const { rhythm } = pointsOf(sessions, null);
  const backtest = new Backtest({
    ...trading,
    strategy,
    from: null,
    strategies: opened,
  });
  const compared = { tickers, index: tickers[0]!, rhythm, sessions, indexSessions: sessions };
  const benchmarks = new Benchmarks({ ...trading, from: null }, compared);
  for (const session of sessions) {
    if (own === undefined) backtest.run(session);
    else await backtest.runOwn(session);
    benchmarks.run(session, session);
  }
  await closeAll(opened);
  const summary = summarise(backtest, {
    strategy: own === undefined ? strategy.name : 'momentum,mean-reversion,buy-and-hold',
    parameters: parametersOf({ ...trading, strategy }),
    source: 'test',
    synthetic: true,
    tickers,
    notes: tickers
      .slice(0, 40)
      .map((ticker) => `${ticker}.csv has no volume on 3 days, the first on 2020-01-06`),
    earlierNotes: ['ACME.csv: 3 dividends were derived, the first on 2019-01-07'],
    benchmarks: benchmarks.results,
    rhythm,
    model: null,
    data: 'ab'.repeat(32),
    command: 'npx beleg backtest --from 2020-01-01 --report report.html',
  });
  return { summary, sessions };
}

function marketOf(tickers: readonly string[], days: number, change: Told['change']): SessionData[] {
  const random = seeded(9);
  const prices = new Map(tickers.map((ticker, n) => [ticker, 20 + (n % 90)]));
  return weekdays(days).map((date, day) => ({
    date,
    bars: Object.fromEntries(
      tickers.map((ticker) => {
        const open = prices.get(ticker)!;
        const close = open * (1 + (change?.(day, random) ?? 0.03 * (random() - 0.49)));
        prices.set(ticker, close);
        const [high, low] = [Math.max(open, close), Math.min(open, close)];
        return [ticker, { open, high, low, close, volume: 1e7 }];
      }),
    ),
    splits: {},
    dividends: day % 60 === 59 ? { [tickers[0]!]: 0.4 } : {},
  }));
}

function scripted(name: string, targets: (day: number, tickers: string[]) => [string, number][]): Strategy {
  let day = 0;
  return {
    name,
    parameters: {},
    warmUp: 0,
    usesPredictions: false,
    onSession: (bars) => targets(day++, Object.keys(bars)).map(([ticker, weight]) => ({ ticker, weight })),
  };
}

function inAndOut(): Strategy {
  return scripted('in-and-out', (day) => (day === 20 ? [['ACME', 0.9]] : day === 200 ? [['ACME', 0]] : []));
}

function short(): Strategy {
  return scripted('short', (day) => (day === 10 ? [['ACME', -0.9]] : []));
}

function rotation(): Strategy {
  return scripted('rotation', (day, tickers) =>
    day % 20 === 0 ? tickers.map((ticker, n) => [ticker, (n + day / 20) % 2 === 0 ? 0.003 : 0]) : [],
  );
}
