import { amount, percent, ratio } from './format.ts';
import { ANNUALISED_DAYS } from './periods.ts';
import type { Performance } from './performance.ts';
import type { BacktestSummary } from './summary.ts';

/** A figure of the strategy beside that of each benchmark. */
interface ComparedFigure {
  readonly name: string;
  readonly strategy: string;
  readonly benchmarks: readonly { readonly value: string; readonly difference: string }[];
}

/** The compared figures. The difference is in percentage points or absolute. */
const COMPARED: readonly {
  readonly name: string;
  readonly of: (performance: Performance) => number | null;
  readonly format: (value: number | null) => string;
}[] = [
  { name: 'Total return', of: ({ totalReturn }) => totalReturn, format: percent },
  { name: 'Annual return', of: ({ annualReturn }) => annualReturn, format: percent },
  { name: 'Annual volatility', of: ({ annualVolatility }) => annualVolatility, format: percent },
  { name: 'Maximum drawdown', of: ({ maxDrawdown }) => maxDrawdown, format: percent },
  { name: 'Sharpe', of: ({ sharpe }) => sharpe, format: ratio },
  { name: 'Sortino', of: ({ sortino }) => sortino, format: ratio },
  { name: 'Calmar', of: ({ calmar }) => calmar, format: ratio },
];

/** The figures of the strategy, those of holding the tickers or the index, and the difference. */
export function comparedFigures({ performance, benchmarks }: BacktestSummary): ComparedFigure[] {
  return COMPARED.map(({ name, of, format }) => {
    const own = of(performance);
    return {
      name,
      strategy: format(own),
      benchmarks: benchmarks.map((benchmark) => {
        const other = of(benchmark.performance);
        const difference = own === null || other === null ? null : own - other;
        return { value: format(other), difference: signed(difference, format) };
      }),
    };
  });
}

function signed(difference: number | null, format: (value: number | null) => string): string {
  return `${difference !== null && difference > 0 ? '+' : ''}${format(difference)}`;
}

/** For each benchmark a sentence that says which gained more; if a strategy was halted, that nobody has won. */
export function verdictsOf({
  strategy,
  performance,
  benchmarks,
  strategiesHalted,
}: BacktestSummary): string[] {
  // An account that nobody trades any more neither wins nor loses.
  if (strategiesHalted.length > 0) {
    return strategiesHalted.map(
      ({ strategy: name, session }) =>
        `${name} was halted${session === null ? '' : ` on ${session}`}: the figures are not those of the strategy.`,
    );
  }
  return benchmarks.flatMap(({ name, performance: { totalReturn } }) => {
    if (totalReturn === null || performance.totalReturn === null) return [];
    const [own, other] = [percent(performance.totalReturn), percent(totalReturn)];
    if (own === other) return [`${strategy} and “${name}” came to the same: ${own}.`];
    return performance.totalReturn > totalReturn
      ? [`${strategy} beat “${name}”: ${own} against ${other}.`]
      : [`“${name}” beat ${strategy}: ${other} against ${own}.`];
  });
}

type Figure = readonly [name: string, value: string];

/** Figures that are not compared, for the terminal and the report. */
export function figuresOf(summary: BacktestSummary): Figure[] {
  const { trades, currency, exposure, costs, resampled } = summary;
  const money = (value: number): string => `${amount(value)} ${currency}`;
  return [
    ['Final value', `${money(summary.final)} (of ${amount(summary.initial)})`],
    ...haltedFigure(summary),
    ...flowFigures(summary),
    ['Sessions a year', `${summary.rhythm.perYear} (${summary.rhythm.name})`],
    ['Sessions, bars', `${amount(summary.sessions, 0)}, ${amount(summary.bars, 0)}`],
    ...(summary.riskFreePercent === 0
      ? []
      : [['Risk-free rate', `${amount(summary.riskFreePercent)} % a year`] as const]),
    ['Orders, fills', `${amount(summary.orders.length, 0)}, ${amount(summary.fills.length, 0)}`],
    [
      'Closed trades',
      `${amount(trades.closed, 0)}, ${percent(trades.closed === 0 ? null : trades.won / trades.closed)} won`,
    ],
    ['Profit factor', ratio(trades.profitFactor)],
    ['Profit of a trade, mean', trades.averagePnl === null ? '–' : money(trades.averagePnl)],
    ['Days held, mean and median', `${days(trades.daysHeld.mean)}, ${days(trades.daysHeld.median)}`],
    ['Exposure, mean', `${percent(exposure.gross)} gross, ${percent(exposure.net)} net`],
    ['Sessions with a position', percent(exposure.inMarket)],
    ['Turnover a year', percent(summary.turnover)],
    ['Realized, net of fees', money(summary.realized)],
    ['Unrealized', money(summary.unrealized)],
    ['Dividends', money(summary.dividends)],
    ['Fees', money(costs.fees)],
    ['Slippage', money(costs.slippage)],
    ...(costs.borrowing === 0 ? [] : [['Borrowing costs', money(costs.borrowing)] as const]),
    ['Open positions', amount(trades.open, 0)],
    ...summary.benchmarks.flatMap(({ name, relative }): Figure[] => [
      [
        name,
        `alpha ${percent(relative.alpha)} a year, beta ${ratio(relative.beta)}, ` +
          `information ratio ${ratio(relative.informationRatio)}, correlation ${ratio(relative.correlation)}`,
      ],
    ]),
    ...(resampled === null
      ? []
      : ([
          ['Sharpe, 95 % interval', `${ratio(resampled.sharpe.low)} to ${ratio(resampled.sharpe.high)}`],
          [
            'Maximum drawdown, resampled',
            `${percent(resampled.maxDrawdown.median)} in the middle, ${percent(resampled.maxDrawdown.worst)} in the worst 5 %`,
          ],
        ] satisfies Figure[])),
  ];
}

/** Returns exclude cash from outside, so the money-weighted return stands beside them. */
function flowFigures({ flows, moneyWeighted, currency }: BacktestSummary): Figure[] {
  if (flows.deposited === 0 && flows.withdrawn === 0) return [];
  return [
    ['Cash in, out', `${amount(flows.deposited)} ${currency}, ${amount(flows.withdrawn)}`],
    [
      'Money-weighted return',
      `${percent(moneyWeighted.total)}, ${percent(moneyWeighted.annual)} a year (all others: time-weighted)`,
    ],
  ];
}

const days = (value: number | null): string => (value === null ? '–' : amount(value, 1));

/** Says what limits yearly figures: too few days, or sessions in which trading was halted. */
function haltedFigure({ performance, haltedSessions, sessions }: BacktestSummary): Figure[] {
  const { annualReturn, totalReturn } = performance;
  return [
    ...(annualReturn === null && totalReturn !== null
      ? [['Annual return', `fewer than ${ANNUALISED_DAYS} days are not annualised`] as const]
      : []),
    ...(haltedSessions === 0
      ? []
      : [['Halted', `in ${amount(haltedSessions, 0)} of ${amount(sessions, 0)} sessions`] as const]),
  ];
}
