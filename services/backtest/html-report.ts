import type { SessionData } from '../../events/messages/market.ts';
import {
  percent as percentOnAxis,
  renderDrawdown,
  renderEquity,
  renderPrices,
  renderValues,
  type Curve,
} from './charts.ts';
import { worstDrawdowns, type Drawdown } from './drawdowns.ts';
import { comparedFigures, figuresOf, verdictsOf } from './figures.ts';
import { escapeHtml as escape } from '../foundation/escape-html.ts';
import { amount, percent, ratio } from './format.ts';
import { rolling } from './performance.ts';
import { areDetails, foldNotes, notesOf } from './notes.ts';
import { monthlyReturns, returnsOf, withoutFlows, type YearOfReturns } from './periods.ts';
import { legend, reportPage, table } from './report-page.ts';
import { pricesWithFills, tickersWithFills } from './prices-with-fills.ts';
import { readableSettings } from './readable-settings.ts';
import { isLookAhead } from './shown-notes.ts';
import type { EquityPoint } from './account-history.ts';
import type { BacktestSummary } from './summary.ts';

const WORST = 5;
/** Only the tickers with the most fills have price charts, because each takes two charts in the file. */
const DRAWN_TICKERS = 30;

/**
 * A report for a browser: one file, without scripts, and nothing is loaded from elsewhere.
 *
 * @param made the day on which it is made.
 */
export function renderReport(
  summary: BacktestSummary,
  { sessions, made }: { readonly sessions: readonly SessionData[]; readonly made: string },
): string {
  const { currency } = summary;
  const equity = withoutFlows(summary.equity);
  const title = `Backtest: ${summary.strategy}, ${summary.from ?? '–'} to ${summary.to ?? '–'}`;
  const curves = curvesOf(summary);
  return reportPage(
    title,
    `<h1>Backtest: ${escape(summary.strategy)}, <span class="day">${summary.from ?? '–'}</span> to <span class="day">${summary.to ?? '–'}</span></h1>
<p>${tickersOf(summary)} from ${escape(summary.source)}${
      summary.synthetic ? ' — <strong>synthetic data, no real market</strong>' : ''
    }. Orders of a session's close are filled in the next session.</p>
${lookAheadsOf(summary)}
${verdictsOf(summary)
  .map((sentence) => `<p class="won"><strong>${escape(sentence)}</strong></p>`)
  .join('\n')}
${comparedTable(summary)}
${notesSection(summary)}
<h2>Account value</h2>
${hasFlows(summary) ? '<p>As it would be without the cash that came in and left: what the first value grew to.</p>' : ''}
${equity.length < 2 ? '<p>Too few sessions for a chart.</p>' : `${legend(curves)}${renderEquity(curves, { label: `Account value, ${currency}` })}`}
<h2>Drawdown</h2>
${equity.length < 2 ? '' : renderDrawdown(curves)}
${drawdownTable(worstDrawdowns(equity, WORST))}
<h2>Return of each month, in percent</h2>
${monthTable(monthlyReturns(equity))}
<h2>Return of each year</h2>
${yearTable(summary)}
${rollingSection(summary)}
<h2>Figures</h2>
<dl>${figuresOf(summary)
      .map(([name, value]) => `<div><dt>${escape(name.trim())}</dt><dd>${escape(value)}</dd></div>`)
      .join('')}</dl>
<h2>Result of each ticker, ${escape(currency)}</h2>
${tickerTable(summary)}
<h2>By the reason for which trades were closed, ${escape(currency)}</h2>
${reasonTable(summary)}
${strategyTable(summary)}
${plotsSection(summary)}
${pricesSection(summary, sessions)}
<h2>Closed trades (${escape(summary.trades.matching)})</h2>
${tradeTable(summary)}
<h2>How the figures are made</h2>
<ul>${FORMULAS.map(([name, formula]) => `<li><b>${escape(name)}</b>: ${escape(formula)}</li>`).join('\n')}</ul>
<h2>To repeat it</h2>
<pre>${escape(summary.command)}</pre>
<p>Made on <span class="day">${made}</span> by beleg ${escape(summary.version)}. Data: SHA-256 <code>${summary.data}</code></p>
${summary.ownStrategies
  .map(({ name, source, hash }) => `<p>${escape(name)} (${escape(source)}): SHA-256 <code>${hash}</code></p>`)
  .join('\n')}
<h2>Settings</h2>
${table(
  'Settings',
  '<th>Setting<th>Value',
  readableSettings(summary).map(([name, value]) => `<tr><th scope="row">${escape(name)}<td>${escape(value)}`),
  'settings',
)}`,
  );
}

const hasFlows = ({ equity }: BacktestSummary): boolean => equity.some(({ flow }) => flow !== undefined);

const curvesOf = ({ strategy, equity, benchmarks }: BacktestSummary): Curve[] => [
  { name: strategy, points: withoutFlows(equity) },
  ...benchmarks.map(({ name, equity: points }) => ({ name, points })),
];

/** The most tickers that the report names. */
const NAMED_TICKERS = 20;

function tickersOf({ tickers }: BacktestSummary): string {
  if (tickers.length <= NAMED_TICKERS) return escape(tickers.join(', '));
  return `${tickers.length} tickers`;
}

function comparedTable(summary: BacktestSummary): string {
  const heads = summary.benchmarks.map(({ name }) => `<th>${escape(name)}<th>Difference`);
  const rows = comparedFigures(summary).map(
    ({ name, strategy, benchmarks }) =>
      `<tr><th scope="row">${escape(name)}<td><b>${escape(strategy)}</b>` +
      benchmarks.map(({ value, difference }) => `<td>${escape(value)}<td>${escape(difference)}`).join(''),
  );
  return table('Compared', `<th>Figure<th>${escape(summary.strategy)}${heads.join('')}`, rows, 'compared');
}

/** A warning above the verdicts if a strategy has seen the future, because the verdicts mean nothing then. */
const lookAheadsOf = (summary: BacktestSummary): string =>
  notesOf(summary)
    .filter(isLookAhead)
    .map((note) => `<p><strong>${escape(note)}</strong></p>`)
    .join('\n');

function notesSection(summary: BacktestSummary): string {
  const others = notesOf(summary).filter((note) => !isLookAhead(note));
  const [now, earlier] = [others, summary.earlierNotes].map((notes) => notesList(notes, summary));
  return [
    now === '' ? '' : `<h2>To be known before the figures are believed</h2>${now}`,
    earlier === ''
      ? ''
      : `<details><summary>Notes on data that concern only days before the test</summary>${earlier}</details>`,
  ].join('\n');
}

function notesList(all: readonly string[], { tickers }: BacktestSummary): string {
  const notes = foldNotes(all, tickers);
  if (notes.length === 0) return '';
  const lines = notes.map((of) => {
    const { first, more } = of;
    if (more.length === 0) return `<li>${escape(first)}`;
    const told = areDetails(of) ? 'Details.' : `And ${more.length} more like it.`;
    const list = more.map((note) => `<li>${escape(note.trim())}`).join('\n');
    return `<li><details><summary>${escape(first)} <b>${told}</b></summary><ul>${list}</ul></details>`;
  });
  return `<ul class="notes">${lines.join('\n')}</ul>`;
}

function yearTable({ strategy, byYear, benchmarks, from, to }: BacktestSummary): string {
  const rows = byYear.map(
    ({ year, total, benchmarks: others }) =>
      `<tr><th scope="row">${partOf(year, from ?? '', to ?? '')}<td>${percent(total)}${others.map((other) => `<td>${percent(other)}`).join('')}`,
  );
  const heads = benchmarks.map(({ name }) => `<th>${escape(name)}`).join('');
  return table('Years', `<th>Year<th>${escape(strategy)}${heads}`, rows, 'years');
}

/**
 * The days of a year if the test has only a part of it. Days around New Year without a session do not count as missing.
 */
function partOf(year: string | number, from: string, to: string): string {
  const since = from > `${year}-01-07` ? ` from ${from}` : '';
  const until = to < `${year}-12-24` ? ` to ${to}` : '';
  return `${year}${since}${until}`;
}

/** The length of a rolling window: half a year, but at least twelve periods, so that its figures mean something. */
const windowOf = (perYear: number): number => Math.max(12, Math.round(perYear / 2));

function rollingSection({ strategy, equity, riskFreePercent, rhythm: { perYear } }: BacktestSummary): string {
  const window = windowOf(perYear);
  const values = rolling(returnsOf(equity), { window, perYear, riskFreePercent });
  if (values.length < 2) return '';
  const points = (of: (value: (typeof values)[number]) => number): EquityPoint[] =>
    values.map((value) => ({ session: equity[value.at + 1]!.session, value: of(value) }));
  const sharpe = [{ name: strategy, points: points((value) => value.sharpe ?? 0) }];
  const volatility = [{ name: strategy, points: points((value) => value.volatility) }];
  return `<h2>Sharpe ratio and volatility of ${window} sessions up to each day</h2>
${renderValues(sharpe, { label: 'Sharpe', format: (value) => ratio(value), rule: 0 })}
${renderValues(volatility, { label: 'Volatility a year', format: percentOnAxis, rule: 0 })}`;
}

function tickerTable({ byTicker }: BacktestSummary): string {
  const rows = byTicker.map(
    (one) =>
      `<tr><th scope="row">${escape(one.ticker)}<td>${amount(one.total)}<td>${amount(one.realized)}<td>${amount(one.unrealized)}` +
      `<td>${amount(one.dividends)}<td>${amount(one.fees)}<td>${amount(one.trades, 0)}<td>${amount(one.won, 0)}`,
  );
  const heads = '<th>Ticker<th>Total<th>Realized<th>Unrealized<th>Dividends<th>Fees<th>Trades<th>Won';
  return table('Tickers', heads, rows, 'tickers');
}

function reasonTable({ byReason }: BacktestSummary): string {
  if (byReason.length === 0) return '<p>Nothing was traded.</p>';
  const sum = byReason.reduce((total, one) => total + one.total, 0);
  const rows = byReason.map(
    ({ kind, reason, trades, won, total }) =>
      `<tr><th scope="row">${escape(reason)}<td>${amount(total)}${kind === 'closed' ? `<td>${amount(trades, 0)}<td>${amount(won, 0)}` : '<td><td>'}`,
  );
  const all = `<tr><th scope="row"><b>All</b><td><b>${amount(sum)}</b><td><td>`;
  return table('Reasons', '<th>Reason<th>Total<th>Trades<th>Won', [...rows, all], 'reasons');
}

function strategyTable({ byStrategy, currency }: BacktestSummary): string {
  if (!byStrategy.some(({ strategy }) => strategy !== null)) return '';
  const rows = byStrategy.map(
    ({ strategy, trades, won, total }) =>
      `<tr><th scope="row">${escape(strategy ?? 'others')}<td>${amount(total)}<td>${amount(trades, 0)}<td>${amount(won, 0)}`,
  );
  return `<h2>Result of each strategy, ${escape(currency)}</h2>
${table('Strategies', '<th>Strategy<th>Total<th>Trades<th>Won', rows, 'strategies')}`;
}

/** The most figures of a strategy that are drawn, in the order of their names. */
const DRAWN_PLOTS = 12;

/** The charts of the strategies' own figures. */
function plotsSection({ decisions }: BacktestSummary): string {
  const points = new Map<string, EquityPoint[]>();
  for (const { strategy, session, plot } of decisions) {
    for (const [name, value] of Object.entries(plot)) {
      const title = `${strategy}: ${name}`;
      const known = points.get(title);
      if (known === undefined) points.set(title, [{ session, value }]);
      else known.push({ session, value });
    }
  }
  const all = [...points].filter(([, values]) => values.length > 1).sort(([a], [b]) => (a < b ? -1 : 1));
  if (all.length === 0) return '';
  const charts = all.slice(0, DRAWN_PLOTS).map(([title, values]) => {
    const label = title.slice(title.indexOf(': ') + 2);
    const chart = renderValues([{ name: title, points: values }], { label, format: plotted, rule: null });
    return `<h3>${escape(title)}</h3>\n${chart}`;
  });
  const more =
    all.length > charts.length
      ? `<p>${all.length - charts.length} more are not drawn; result.json has all of them.</p>`
      : '';
  return `<h2>What the strategy plots</h2>\n${charts.join('\n')}${more}`;
}

const plotted = (value: number): string => value.toLocaleString('en-US', { maximumSignificantDigits: 4 });

function pricesSection({ fills, from }: BacktestSummary, sessions: readonly SessionData[]): string {
  const tested = sessions.filter(({ date }) => from === null || date >= from);
  const all = tickersWithFills(tested, fills);
  if (all.length === 0) return '';
  const drawn = all.slice(0, DRAWN_TICKERS);
  const more =
    all.length > drawn.length
      ? `<p>${all.length - drawn.length} tickers with fewer fills are not drawn; --out writes the fills of all.</p>`
      : '';
  const charts = pricesWithFills(tested, drawn).map(
    ({ ticker, closes, markers }) =>
      `<details><summary>${escape(ticker)}, ${markers.length} fills</summary>${renderPrices(ticker, closes, markers)}</details>`,
  );
  return `<h2>Prices and fills</h2>
<p>In shares of the last day: prices before a split are divided by it. A triangle that points up is a purchase.</p>
${charts.join('\n')}${more}`;
}

function tradeTable({ trades }: BacktestSummary): string {
  const rows = trades.list.map(
    (trade) =>
      `<tr><td>${escape(trade.ticker)}<td>${trade.side}<td>${escape(trade.opened)}<td>${escape(trade.closed)}${trade.closed_by === 'fill' ? '' : ` (${trade.closed_by})`}` +
      `<td>${amount(trade.quantity, 4)}<td>${amount(trade.entry, 4)}<td>${amount(trade.exit, 4)}` +
      `<td>${amount(trade.fees)}<td>${amount(trade.pnl)}`,
  );
  const heads = '<th>Ticker<th>Side<th>Opened<th>Closed<th>Quantity<th>Entry<th>Exit<th>Fees<th>Profit, net';
  return table('Trades', heads, rows, 'trades');
}

const FORMULAS = [
  ['Annual return', 'compound growth, by dates; not for fewer than 330 days.'],
  [
    'Volatility, Sharpe, Sortino',
    'of the returns from close to close above the risk-free rate, by the definitions of empyrical, times the root of the sessions a year.',
  ],
  ['Calmar', 'annual return over the size of the maximum drawdown.'],
  [
    'Alpha, beta, correlation',
    'of the returns against those of the benchmark over the same sessions, both above the risk-free rate (empyrical, alpha_beta_aligned).',
  ],
  [
    'Information ratio',
    'mean difference of the returns over its standard deviation, times the root of the sessions a year.',
  ],
  [
    'Time-weighted, money-weighted',
    'cash from outside counts as there since the close before it, so that it changes no return; the money-weighted return is the internal rate by dates (XIRR).',
  ],
  [
    'Risk-free rate',
    'TD_RISK_FREE_PERCENT a year; of a session (1 + rate) to the power of 1 / sessions a year, less 1.',
  ],
  ['Exposure', 'value of the positions over the value of the account at each close, the mean of all closes.'],
  [
    'Turnover',
    'what was bought or what was sold, whichever is less, over the mean value of the account and the years (SEC, Form N-1A, item 13).',
  ],
  [
    'Slippage',
    'what fills of market and stop orders cost more than the price that they met: the open, or the stop price.',
  ],
  [
    'Fees of a closed trade',
    'the fee of an entry is in the first trade that closes a part of it, that of an exit in the first of the trades that it closes.',
  ],
  [
    'Resampled',
    'stationary bootstrap (Politis and Romano, 1994) of the returns: 1,000 series, blocks with a mean of the cube root of the length, seed 1.',
  ],
] as const;

/** The deepest falls. */
function drawdownTable(drawdowns: readonly Drawdown[]): string {
  if (drawdowns.length === 0) return '<p>It never fell below an earlier close.</p>';
  const rows = drawdowns.map(
    ({ from, lowest, recovered, depth, sessions }) =>
      `<tr><td>${from}<td>${lowest}<td>${recovered ?? 'not yet'}<td>${percent(depth)}<td>${amount(sessions, 0)}`,
  );
  return table('Drawdowns', '<th>High of<th>Lowest<th>Recovered<th>Depth<th>Sessions', rows, 'drawdowns');
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** The monthly return from which on the colour is full. */
const FULL_COLOUR = 0.08;

/** A percentage with one decimal. A value that rounds to 0 has no sign. */
const tenths = (value: number): string => (Math.round(value * 1_000) / 10 || 0).toFixed(1);

/** One row for each year; a month's colour shows its return. */
function monthTable(years: readonly YearOfReturns[]): string {
  const rows = years.map(
    ({ year, months, total }) =>
      `<tr><th scope="row">${year}${months.map(monthCell).join('')}<td><b>${tenths(total)}</b>`,
  );
  return table(
    'Returns by month',
    `<th>%${MONTHS.map((month) => `<th>${month}`).join('')}<th>Year`,
    rows,
    'months',
  );
}

function monthCell(value: number | null): string {
  if (value === null) return '<td>';
  const strength = Math.round(Math.min(1, Math.abs(value) / FULL_COLOUR) * 50);
  const colour = value < 0 ? 'loss' : 'gain';
  return `<td style="background:color-mix(in srgb, var(--${colour}) ${strength}%, transparent)">${tenths(value)}`;
}
