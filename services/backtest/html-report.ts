import { renderChart } from './chart.ts';
import {
  ANNUALISED_DAYS,
  monthlyReturns,
  worstDrawdowns,
  type Drawdown,
  type YearOfReturns,
} from './periods.ts';
import type { EquityPoint } from './run-backtest.ts';
import type { BacktestSummary } from './summary.ts';

const WORST = 5;

/** A report to be opened in a browser: one file, no script, nothing loaded from elsewhere. */
export function renderReport(summary: BacktestSummary): string {
  const { equity, currency } = summary;
  const trades = summary.trades.list;
  const title = `Backtest: ${summary.strategy}, ${summary.from ?? '–'} to ${summary.to ?? '–'}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${STYLE}</style>
<main>
<h1>${escape(title)}</h1>
<p>${escape(summary.tickers.join(', '))} from ${escape(summary.source)}${
    summary.synthetic ? ' — <strong>synthetic data, no real market</strong>' : ''
  }. Orders of a session's close are filled in the next session.</p>
${notesOf(summary)
  .map((note) => `<p><strong>${escape(note)}</strong></p>`)
  .join('\n')}
<dl>${figuresOf(summary)
    .map(([name, value]) => `<div><dt>${escape(name)}</dt><dd>${escape(value)}</dd></div>`)
    .join('')}</dl>
<details><summary>Parameters</summary><pre>${escape(JSON.stringify(summary.parameters, null, 2))}</pre></details>
<h2>Account value, ${escape(currency)}</h2>
${renderChart(equity, { name: 'Account value', label: (value) => amount(value, 0) })}
<h2>Drawdown</h2>
${renderChart(drawdownOf(equity), { name: 'Drawdown', label: percent })}
${drawdownTable(worstDrawdowns(equity, WORST))}
<h2>Return of each month</h2>
${monthTable(monthlyReturns(equity))}
<h2>Closed trades (${escape(summary.trades.matching)})</h2>
<div class="wide trades" role="region" aria-label="Trades" tabindex="0"><table>
<thead><tr><th>Ticker<th>Side<th>Opened<th>Closed<th>Quantity<th>Entry<th>Exit<th>Fees<th>Profit, net</tr></thead>
<tbody>${trades
    .map(
      (trade) =>
        `<tr><td>${escape(trade.ticker)}<td>${trade.side}<td>${escape(trade.opened)}<td>${escape(trade.closed)}${trade.closed_by === 'fill' ? '' : ` (${trade.closed_by})`}` +
        `<td>${amount(trade.quantity, 4)}<td>${amount(trade.entry, 4)}<td>${amount(trade.exit, 4)}` +
        `<td>${amount(trade.fees)}<td>${amount(trade.pnl)}</tr>`,
    )
    .join('\n')}</tbody>
</table></div>
</main>
</html>
`;
}

/** What has to be known before the figures are believed. */
export function notesOf(summary: BacktestSummary): string[] {
  return [
    ...modelNotes(summary),
    ...haltNotes(summary),
    ...marginNotes(summary),
    ...unpaidNotes(summary),
    ...unmetNotes(summary),
    ...staleNotes(summary),
    ...summary.benchmarks.flatMap(({ notes }) => notes),
    ...summary.notes,
  ];
}

/** What `beleg backtest --json` prints: what has to be known first, the long lists last, a point of a curve each session. */
export function summaryJson(summary: BacktestSummary) {
  const { positions, orders, fills, trades, benchmarks, equity, ...first } = summary;
  return {
    ...first,
    notes: notesOf(summary),
    positions,
    trades,
    orders,
    fills,
    benchmarks: benchmarks.map((one) => ({ ...one, equity: one.equity.slice(1) })),
    // The first point is `initial`, on the day of the first session.
    equity: equity.slice(1),
  };
}

/** Halts that are named one by one. */
const NAMED_HALTS = 10;

function haltNotes({ halts, haltedSessions, sessions }: BacktestSummary): string[] {
  if (halts.length === 0) return [];
  const times = halts.length === 1 ? 'once' : `${amount(halts.length, 0)} times`;
  const named = halts.slice(0, NAMED_HALTS).map(({ session, reason, detail, resumed }) => {
    const until = resumed === null ? 'never resumed' : `until ${resumed}`;
    return `  ${session}, ${until}: ${reason.replaceAll('_', ' ')} (${detail})`;
  });
  const more = halts.length - named.length;
  return [
    `HALTED ${times}: in ${amount(haltedSessions, 0)} of ${amount(sessions, 0)} sessions no position could be opened. ` +
      'The figures below include these sessions.',
    ...named,
    ...(more > 0 ? [`  and ${amount(more, 0)} more, until ${halts.at(-1)!.session}.`] : []),
  ];
}

const marginNotes = ({ marginCalls }: BacktestSummary): string[] =>
  marginCalls.map(
    ({ session, value, required }) =>
      `MARGIN CALL on ${session}: the account was worth ${amount(value)}, but short positions required ${amount(required)}; they were bought back.`,
  );

/** Orders that were cut or rejected because they cost more than there was. */
function unpaidNotes({ orders }: BacktestSummary): string[] {
  const unpaid = orders.filter(
    ({ reject_reason }) => reject_reason?.startsWith('INSUFFICIENT_FUNDS') === true,
  );
  const [first] = unpaid;
  if (first === undefined) return [];
  return [
    `NOT PAID: ${amount(unpaid.length, 0)} of ${amount(orders.length, 0)} orders were cut or rejected when they were to be filled, ` +
      `because they cost more than there was; the first is of ${first.timestamp.slice(0, 10)}: ${first.action} ` +
      `${amount(first.quantity, 4)} ${first.ticker}, ${amount(first.filled_quantity, 4)} filled (${first.reject_reason}).`,
  ];
}

const unmetNotes = ({ unmet }: BacktestSummary): string[] =>
  unmet.map(
    ({ reason, count, first }) =>
      `NOT GOT: ${amount(count, 0)} ${count === 1 ? 'target' : 'targets'} of the strategy not met in full (${reason}); the first is ${first}.`,
  );

function staleNotes({ settlements, positions, to }: BacktestSummary): string[] {
  const settled = settlements.map(
    ({ ticker, session, quantity, price, last_traded }) =>
      `SETTLED on ${session}: ${ticker} no longer trades. ${quantity} closed at its last price ${price} (${last_traded}). ` +
      'The data does not say what holders really received.',
  );
  const stale = Object.entries(positions).filter(([, position]) => position.stale);
  return [
    ...settled,
    ...stale.map(
      ([ticker, { quantity, current_price, price_session }]) =>
        `STALE at the end, ${to}: ${amount(quantity, 4)} ${ticker} valued at its last price ${amount(current_price, 4)} (${price_session}).`,
    ),
  ];
}

/** What has to be known of the model; nothing where none was used. */
function modelNotes({ model, sessions }: Pick<BacktestSummary, 'model' | 'sessions'>): string[] {
  if (model === null) return [];
  const weights = `Weights ${model.weights.slice(0, 12)}`;
  if (model.trainedUntil === null) return [`${weights}, never trained: their predictions mean nothing.`];
  if (model.inSample === 0) return [`${weights}, trained until ${model.trainedUntil}: out of sample.`];
  return [
    `${weights}, trained until ${model.trainedUntil}.`,
    `IN SAMPLE: training has seen ${amount(model.inSample, 0)} of the ${amount(sessions, 0)} sessions; ` +
      'profit in those sessions is no evidence of future profit.',
  ];
}

/** Name and value of what a reader looks at first; the same on the terminal. */
export function figuresOf(summary: BacktestSummary): [name: string, value: string][] {
  const { performance, trades, currency } = summary;
  return [
    ['Final value', `${amount(summary.final)} ${currency} (of ${amount(summary.initial)})`],
    ['Total return', percent(performance.totalReturn)],
    ['Annual return', annualReturn(summary)],
    ['Annual volatility', percent(performance.annualVolatility)],
    ['Maximum drawdown', percent(performance.maxDrawdown)],
    ['Sharpe', ratio(performance.sharpe)],
    ['Sortino', ratio(performance.sortino)],
    ['Calmar', ratio(performance.calmar)],
    ['Sessions a year', `${summary.rhythm.perYear} (${summary.rhythm.name})`],
    ['Sessions, bars', `${amount(summary.sessions, 0)}, ${amount(summary.bars, 0)}`],
    ['Orders, fills', `${amount(summary.orders.length, 0)}, ${amount(summary.fills.length, 0)}`],
    [
      'Closed trades',
      `${amount(trades.closed, 0)}, ${percent(trades.closed === 0 ? null : trades.won / trades.closed)} won`,
    ],
    ['Profit factor', ratio(trades.profitFactor)],
    ['Realized, net of fees', `${amount(summary.realized)} ${currency}`],
    ['Unrealized', `${amount(summary.unrealized)} ${currency}`],
    ['Dividends', `${amount(summary.dividends)} ${currency}`],
    ...(summary.borrowing === 0
      ? []
      : ([['Borrowing costs', `${amount(summary.borrowing)} ${currency}`]] satisfies [string, string][])),
    ['Fees', `${amount(summary.fees)} ${currency}`],
    ['Open positions', amount(trades.open, 0)],
    ...summary.benchmarks.map(({ name, performance: of }): [string, string] => [
      name,
      `${percent(of.totalReturn)}, ${of.annualReturn === null ? '' : `${percent(of.annualReturn)} a year, `}drawdown ${percent(of.maxDrawdown)}, Sharpe ${ratio(of.sharpe)}`,
    ]),
  ];
}

function annualReturn({ performance, haltedSessions, sessions }: BacktestSummary): string {
  const { annualReturn, totalReturn } = performance;
  const figure =
    annualReturn === null && totalReturn !== null
      ? `– (fewer than ${ANNUALISED_DAYS} days are not annualised)`
      : percent(annualReturn);
  if (haltedSessions === 0) return figure;
  return `${figure}, over ${amount(sessions, 0)} sessions, halted in ${amount(haltedSessions, 0)} of them`;
}

/** How far each value is below the highest before it: 0 or negative. */
function drawdownOf(equity: readonly EquityPoint[]): EquityPoint[] {
  let high = Number.NEGATIVE_INFINITY;
  return equity.map(({ session, value }) => {
    high = Math.max(high, value);
    return { session, value: high > 0 ? value / high - 1 : 0 };
  });
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (c) => ENTITIES[c]!);

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; --soft: light-dark(#5a6472, #a3abb8);
  --line: light-dark(#dcdfe4, #39404b); --accent: light-dark(#24507a, #8fbdea); --gain: #1f9d6b; --loss: #d84a3f; }
main { max-width: 62rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .75rem 1.5rem; }
dt { color: var(--soft); font-size: .85rem; } dd { margin: 0; }
dd, table, .levels, .dates { font-variant-numeric: tabular-nums; }
.chart { display: grid; grid-template-columns: minmax(0, 1fr) max-content; gap: .4rem .6rem; margin: 1rem 0; }
svg { width: 100%; height: 16rem; overflow: visible; }
.grid { fill: none; stroke: var(--line); vector-effect: non-scaling-stroke; }
polyline { fill: none; stroke: var(--accent); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.levels, .dates { display: flex; justify-content: space-between; color: var(--soft); font-size: .8rem; }
.levels { flex-direction: column; text-align: right; } .levels span { height: 0; line-height: 0; }
.dates span { display: flex; justify-content: center; width: 0; white-space: nowrap; }
.dates span:first-child { justify-content: start; } .dates span:last-child { justify-content: end; }
.wide { overflow: auto; } .trades { max-height: 36rem; border-bottom: 1px solid var(--line); }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .25rem .75rem .25rem 0; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
thead th { position: sticky; top: 0; background: Canvas; color: var(--soft); font-size: .85rem; font-weight: 400; }
th:nth-child(-n+4), td:nth-child(-n+4) { text-align: left; }
.months :is(th, td) { padding: .25rem .5rem; text-align: right; } .months th:first-child { text-align: left; }
@media (max-width: 40rem) { .dates span:nth-child(even) { visibility: hidden; } }
`;

/** The deepest ways down. */
function drawdownTable(drawdowns: readonly Drawdown[]): string {
  if (drawdowns.length === 0) return '<p>It never fell below an earlier close.</p>';
  const rows = drawdowns.map(
    ({ from, lowest, recovered, depth, sessions }) =>
      `<tr><td>${from}<td>${lowest}<td>${recovered ?? 'not yet'}<td>${percent(depth)}<td>${amount(sessions, 0)}</tr>`,
  );
  return `<div class="wide" role="region" aria-label="Drawdowns" tabindex="0"><table>
<thead><tr><th>High of<th>Lowest<th>Recovered<th>Depth<th>Sessions</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** A month of this return, or more, has the full colour. */
const FULL_COLOUR = 0.08;

/** In percent; what rounds to nothing has no sign. */
const tenths = (value: number): string => (Math.round(value * 1_000) / 10 || 0).toFixed(1);

/** A row each year, its colours by how much a month brought. */
function monthTable(years: readonly YearOfReturns[]): string {
  const rows = years.map(
    ({ year, months, total }) =>
      `<tr><th scope="row">${year}${months.map(monthCell).join('')}<td><b>${tenths(total)}</b></tr>`,
  );
  return `<div class="wide" role="region" aria-label="Returns by month" tabindex="0"><table class="months">
<thead><tr><th>%${MONTHS.map((month) => `<th>${month}`).join('')}<th>Year</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}

function monthCell(value: number | null): string {
  if (value === null) return '<td>';
  const strength = Math.round(Math.min(1, Math.abs(value) / FULL_COLOUR) * 50);
  const colour = value < 0 ? 'loss' : 'gain';
  return `<td style="background:color-mix(in srgb, var(--${colour}) ${strength}%, transparent)">${tenths(value)}`;
}

/** Figures as a reader of a backtest sees them, on the terminal and in its report. */
const amount = (value: number, decimals = 2): string =>
  value.toLocaleString('en-US', {
    minimumFractionDigits: decimals === 2 ? 2 : 0,
    maximumFractionDigits: decimals,
  });
const percent = (value: number | null): string => (value === null ? '–' : `${(value * 100).toFixed(2)} %`);
const ratio = (value: number | null): string => (value === null ? '–' : value.toFixed(2));
