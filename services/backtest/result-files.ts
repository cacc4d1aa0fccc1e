import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { csvTable as csv } from './csv-table.ts';
import type { AccountHistory } from './account-history.ts';
import type { Exposure } from './holdings.ts';
import { summaryJson } from './result-json.ts';
import type { BacktestSummary } from './summary.ts';

type Row = Readonly<Record<string, string | number | null>>;

/**
 * Writes a result for other programs into a folder, which is created: tables as CSV (RFC 4180, UTF-8, ISO dates,
 * decimals with a point and never an exponent) and everything as `result.json`. Existing files are replaced. Returns
 * the file names.
 */
export async function writeResult(
  folder: string,
  { summary, history }: { summary: BacktestSummary; history: AccountHistory },
): Promise<string[]> {
  const { journal, holdings } = history;
  const withReason = <Of extends { readonly order_id: string }>(of: Of) => ({
    ...of,
    reason: journal.reasonOf(of.order_id),
  });
  const files: Readonly<Record<string, string>> = {
    'equity.csv': csv(EQUITY, equityRows(summary, holdings.exposure)),
    'trades.csv': csv(TRADES, summary.trades.list),
    'fills.csv': csv(FILLS, journal.fills.map(withReason)),
    'orders.csv': csv(ORDERS, summary.orders.map(orderRow).map(withReason)),
    'positions.csv': csv(
      POSITIONS,
      Object.entries(summary.positions).map(([ticker, position]) => ({ ticker, ...position })),
    ),
    'weights.csv': csv(WEIGHTS, holdings.rows),
    'dividends.csv': csv(DIVIDENDS, journal.dividends),
    'splits.csv': csv(SPLITS, journal.splits),
    'settlements.csv': csv(SETTLEMENTS, journal.settlements),
    'borrowing.csv': csv(BORROWING, journal.borrowing),
    'result.json': `${JSON.stringify(summaryJson(summary), null, 2)}\n`,
  };
  await mkdir(folder, { recursive: true });
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
  return Object.keys(files);
}

const EQUITY = [
  'session',
  'value',
  'return',
  'exposure_gross',
  'exposure_net',
  'positions',
  'benchmark',
  'flow',
];
const TRADES = [
  'ticker',
  'side',
  'quantity',
  'opened',
  'closed',
  'closed_by',
  'entry',
  'exit',
  'fees',
  'pnl',
  'reason',
  'strategy',
];
const FILLS = ['session', 'order_id', 'ticker', 'action', 'quantity', 'price', 'fee', 'reason'];
const ORDERS = [
  'order_id',
  'client_order_id',
  'timestamp',
  'ticker',
  'action',
  'type',
  'time_in_force',
  'quantity',
  'price',
  'stop_price',
  'status',
  'filled_quantity',
  'average_price',
  'fees',
  'reject_reason',
  'origin',
  'reduce_only',
  'trail_amount',
  'trail_percent',
  'linked_to',
  'exit_of',
  'reason',
];
const POSITIONS = [
  'ticker',
  'side',
  'quantity',
  'average_price',
  'current_price',
  'price_session',
  'market_value',
  'cost_basis',
  'unrealized_pnl',
  'realized_pnl',
  'dividends',
];
const WEIGHTS = ['session', 'ticker', 'quantity', 'price', 'value', 'weight'];
const SPLITS = ['session', 'ticker', 'ratio', 'quantity', 'cash_in_lieu'];
const SETTLEMENTS = ['session', 'ticker', 'last_traded', 'quantity', 'price', 'amount'];
const BORROWING = ['session', 'ticker', 'days', 'quantity', 'value', 'amount'];
const DIVIDENDS = ['session', 'ticker', 'quantity', 'per_share', 'amount'];

/** An order as a row. Its trail becomes two columns, an amount and a percentage, of which one at most is filled. */
function orderRow({ trail, ...order }: BacktestSummary['orders'][number]) {
  return { ...order, trail_amount: trail?.amount ?? null, trail_percent: trail?.percent ?? null };
}

/** One row for each traded session; `benchmark` is the value of the first benchmark, empty if there is none. */
function equityRows({ equity, benchmarks }: BacktestSummary, exposure: readonly Exposure[]): Row[] {
  const other = benchmarks[0]?.equity;
  return equity.slice(1).map(({ session, value, flow = 0 }, at) => ({
    session,
    value,
    flow,
    return: value / (equity[at]!.value + flow) - 1,
    exposure_gross: exposure[at]!.gross,
    exposure_net: exposure[at]!.net,
    positions: exposure[at]!.positions,
    benchmark: other?.[at + 1]?.value ?? null,
  }));
}
