import { join } from 'node:path';
import { noStrategy } from '../../actors/strategy/strategies.ts';
import type { Strategy } from '../../actors/strategy/strategy.ts';
import { addDays } from '../../events/dates.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { seeded } from '../../events/seeded.ts';
import { readSettings } from '../composition/settings.ts';
import { ownStrategies } from '../strategies/named.ts';
import { closeAll, openAll } from '../strategies/open-all.ts';
import { OwnStrategies } from '../strategies/run-own-strategies.ts';
import { Benchmarks } from './benchmark.ts';
import { renderReport } from './html-report.ts';
import { parametersOf } from './parameters.ts';
import { Backtest } from './run-backtest.ts';
import { pointsOf } from './sessions.ts';
import { summarise } from './summary.ts';

interface Told {
  readonly days: number;
  readonly tickers: readonly string[];
  readonly strategy?: Strategy;
  /** The files of own strategies, with their shares. */
  readonly own?: string;
  /** The change of the price on a day. */
  readonly change?: (day: number, random: () => number) => number;
}

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
export async function reportOf({
  days,
  tickers,
  strategy = noStrategy(),
  own,
  change,
}: Told): Promise<string> {
  const sessions = marketOf(tickers, days, change);
  const { trading } = readSettings({ TD_SHORTING: 'true', TD_FEES: 'per-order:1' });
  const { policy } = trading;
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
    ...(own === undefined
      ? {}
      : {
          ownStrategies: (account) =>
            new OwnStrategies({ account, policy, strategies: opened, onFault: () => undefined }),
        }),
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
  return renderReport(summary, { sessions, made: '2026-01-01' });
}

function marketOf(tickers: readonly string[], days: number, change: Told['change']): SessionData[] {
  const random = seeded(9);
  const prices = new Map(tickers.map((ticker, n) => [ticker, 20 + (n % 90)]));
  const weekdays = Array.from({ length: days * 2 }, (_, n) => addDays('2020-01-01', n)).filter(
    (date) => ![0, 6].includes(new Date(date).getUTCDay()),
  );
  return weekdays.slice(0, days).map((date, day) => ({
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
    onSession: (bars) =>
      targets(
        day++,
        bars.map(({ ticker }) => ticker),
      ).map(([ticker, weight]) => ({ ticker, weight })),
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
