import { z } from 'zod';
import { SessionDate } from '../catalog/trading.ts';

/** A figure; `null` if it is not defined, for instance a ratio to a risk of zero. Shares are fractions: 0.1 is 10 %. */
const Figure = z.number().nullable();
const Money = z.number();

/** The figures of a series of returns. */
export const ReturnFigures = z.object({
  periods: z.int().describe('Sessions'),
  totalReturn: Figure,
  annualReturn: Figure.describe('Compound growth a year; `null` for fewer than 330 days'),
  annualVolatility: Figure,
  sharpe: Figure,
  downsideRisk: Figure,
  sortino: Figure,
  maxDrawdown: Figure.describe('0 or negative'),
  calmar: Figure,
  winRate: Figure.describe('Share of gains among the sessions with a change'),
  best: Figure.describe('Best return of a session'),
  worst: Figure.describe('Worst return of a session'),
});

export const BenchmarkFigures = z.object({
  name: z.string(),
  notes: z.array(z.string()).describe('What was not held all the time, and when'),
  final: Money,
  performance: ReturnFigures,
  relative: z
    .object({
      beta: Figure,
      alpha: Figure,
      correlation: Figure,
      trackingError: Figure,
      informationRatio: Figure,
    })
    .describe('How the returns of the account move with those of the benchmark'),
});

/** How often the account has a value. */
const RhythmFigures = z.object({
  perYear: z.number().describe('Sessions a year'),
  days: z.number().describe('Days from one to the next, at the most as a rule'),
  name: z.string(),
});

const Quantile = z.object({ low: Figure, high: Figure });

/** The result of an account over some sessions. The same code calculates it for backtests and live accounts. */
export const AccountFigures = z.object({
  currency: z.string(),
  from: SessionDate.nullable().describe('First session'),
  to: SessionDate.nullable().describe('Last session'),
  sessions: z.int(),
  haltedSessions: z
    .int()
    .describe('Sessions after whose close nothing could be opened, because trading was halted or stopped'),
  rhythm: RhythmFigures,
  riskFreePercent: z.number().describe('Risk-free rate a year, which Sharpe, Sortino and alpha are above'),
  initial: Money.describe('Value before the first session'),
  final: Money.describe('Value at the close of the last session'),
  flows: z.object({ deposited: Money, withdrawn: Money }).describe('Cash from outside; no return counts it'),
  moneyWeighted: z
    .object({
      annual: Figure.describe('Internal rate of return by dates (XIRR); `null` for fewer than 330 days'),
      total: Figure.describe('The same over the whole time'),
    })
    .describe('What the money brought, with when it came and left. All other returns are time-weighted'),
  realized: Money.describe('Profit of what was closed, after fees, without dividends'),
  unrealized: Money.describe('Profit of what is held, as it changed over these sessions'),
  dividends: Money,
  costs: z.object({
    fees: Money,
    slippage: Money.describe('What fills of market and stop orders cost more than the price that they met'),
    borrowing: Money,
  }),
  performance: ReturnFigures,
  exposure: z
    .object({ gross: Figure, net: Figure, inMarket: Figure })
    .describe('Means over the closes, as shares of the account value; the share of closes with any position'),
  turnover: Figure.describe(
    'A year: what was bought or what was sold, whichever is less, over the mean value',
  ),
  resampled: z
    .object({
      resamples: z.int(),
      seed: z.int(),
      block: z.number().describe('Mean number of sessions of a block'),
      sharpe: Quantile.describe('The interval that holds 95 % of the resampled Sharpe ratios'),
      maxDrawdown: z.object({ median: Figure, worst: Figure }),
    })
    .nullable()
    .describe('Stationary bootstrap of the returns; `null` for fewer than 60 sessions'),
  benchmarks: z.array(BenchmarkFigures),
  byTicker: z.array(
    z.object({
      ticker: z.string(),
      total: Money,
      realized: Money,
      unrealized: Money,
      dividends: Money,
      borrowing: Money,
      fees: Money,
      trades: z.int(),
      won: z.int(),
    }),
  ),
  byYear: z.array(z.object({ year: z.string(), total: z.number(), benchmarks: z.array(Figure) })),
  byReason: z
    .array(
      z.object({
        kind: z
          .enum(['closed', 'open', 'dividends', 'borrowing'])
          .describe('Trades closed for this reason; what is still open; what was paid on positions'),
        reason: z.string(),
        trades: z.int(),
        won: z.int(),
        total: Money,
      }),
    )
    .describe('What was gained, by the reason for which trades were closed; the sum is the whole gain'),
  byStrategy: z
    .array(
      z.object({
        strategy: z
          .string()
          .nullable()
          .describe('`null`: by hand, by a built-in strategy, and cash for fractions after splits'),
        trades: z.int(),
        won: z.int(),
        total: Money,
      }),
    )
    .describe('What was gained, by who traded; the sum is the whole gain'),
  trades: z.object({
    matching: z.enum(['fifo', 'lifo', 'flat-to-flat']),
    closed: z.int(),
    won: z.int(),
    profitFactor: Figure.describe('Profit of those that won over the loss of those that lost'),
    averagePnl: Figure.describe('Expectancy: the mean profit of a closed trade, after its fees'),
    daysHeld: z.object({ mean: Figure, median: Figure }).describe('Calendar days from opening to close'),
    open: z.int().describe('Positions at the end'),
  }),
});
export type AccountFigures = z.output<typeof AccountFigures>;

/** A closed trade. Profit is after fees. */
export const ClosedTradeView = z.object({
  ticker: z.string(),
  side: z.enum(['long', 'short']),
  quantity: z.number().describe('Shares as they were when it was closed'),
  opened: SessionDate,
  closed: SessionDate,
  closed_by: z
    .enum(['fill', 'settlement', 'split'])
    .describe('A settlement, and the cash that a split pays for a fraction, were nobody’s decision'),
  entry: z.number().describe('Average price on the way in'),
  exit: z.number().describe('Average price on the way out'),
  pnl: z.number(),
  fees: z.number(),
  reason: z.string().describe('Why it was closed: the word of the strategy, or who ordered it'),
  strategy: z
    .string()
    .nullable()
    .describe('The strategy of your own that closed it, or whose shares were settled'),
});
