import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { amount, percent, ratio } from '../backtest/format.ts';

const Figure = z.number().nullable();

/** The fields of `result.json` that are compared. */
const Result = z.object({
  strategy: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  data: z.string(),
  tickers: z.array(z.string()),
  parameters: z.record(z.string(), z.json()),
  final: z.number(),
  turnover: Figure,
  exposure: z.object({ gross: Figure }),
  costs: z.object({ fees: z.number(), slippage: z.number() }),
  trades: z.object({ closed: z.number(), won: z.number() }),
  performance: z.object({
    totalReturn: Figure,
    annualReturn: Figure,
    annualVolatility: Figure,
    maxDrawdown: Figure,
    sharpe: Figure,
    sortino: Figure,
    calmar: Figure,
  }),
});
type Result = z.output<typeof Result>;

const ROWS: readonly (readonly [name: string, of: (result: Result) => string])[] = [
  ['Strategy', ({ strategy }) => strategy],
  ['First session', ({ from }) => from ?? '–'],
  ['Last session', ({ to }) => to ?? '–'],
  ['Data (SHA-256)', ({ data }) => data.slice(0, 12)],
  ['Final value', ({ final }) => amount(final)],
  ['Total return', ({ performance }) => percent(performance.totalReturn)],
  ['Annual return', ({ performance }) => percent(performance.annualReturn)],
  ['Annual volatility', ({ performance }) => percent(performance.annualVolatility)],
  ['Maximum drawdown', ({ performance }) => percent(performance.maxDrawdown)],
  ['Sharpe', ({ performance }) => ratio(performance.sharpe)],
  ['Sortino', ({ performance }) => ratio(performance.sortino)],
  ['Calmar', ({ performance }) => ratio(performance.calmar)],
  ['Exposure', ({ exposure }) => percent(exposure.gross)],
  ['Turnover a year', ({ turnover }) => percent(turnover)],
  ['Closed trades', ({ trades }) => amount(trades.closed, 0)],
  ['Trades won', ({ trades: { closed, won } }) => percent(closed === 0 ? null : won / closed)],
  ['Fees', ({ costs }) => amount(costs.fees)],
  ['Slippage', ({ costs }) => amount(costs.slippage)],
];

const GAP = 2;

/** `beleg backtest compare A B …`: results that `--out` wrote, side by side, and in what their parameters differ. */
export async function compareBacktests(folders: readonly string[]): Promise<void> {
  const results = await Promise.all(folders.map(readResult));
  const rows = [
    ['', ...folders],
    ...ROWS.map(([name, of]) => [name, ...results.map(of)]),
    ...differences(results),
  ];
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  for (const [name = '', ...cells] of rows) {
    const columns = cells.map((cell, at) => cell.padStart(widths[at + 1]! + GAP));
    console.log(`${name.padEnd(widths[0]!)}${columns.join('')}`);
  }
  if (new Set(results.map(({ data }) => data)).size > 1) {
    console.log('\nThe data differ: figures of different sessions or tables are not like for like.');
  }
}

/** A row for each parameter in which some of them differ. */
function differences(results: readonly Result[]): string[][] {
  const flat = results.map(({ parameters }) => new Map(flattened(parameters, '')));
  const names = [...new Set(flat.flatMap((one) => [...one.keys()]))];
  return names
    .filter((name) => flat.some((one) => !isDeepStrictEqual(one.get(name), flat[0]!.get(name))))
    .map((name) => [name, ...flat.map((one) => JSON.stringify(one.get(name)) ?? '–')]);
}

function* flattened(values: Readonly<Record<string, unknown>>, before: string): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(values)) {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isGroup) yield* flattened(value as Record<string, unknown>, `${before}${name}.`);
    else yield [`${before}${name}`, value];
  }
}

async function readResult(folder: string): Promise<Result> {
  const file = join(resolve(folder), 'result.json');
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const detail = `${file} cannot be read; name folders that \`beleg backtest --out\` wrote`;
    throw new Error(detail, { cause });
  });
  try {
    return Result.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${file} is not a result of this version of beleg; run the backtest again`, { cause });
  }
}
