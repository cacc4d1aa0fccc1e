import { isDeepStrictEqual } from 'node:util';
import type { ComparedResults } from './compare-page.ts';
import { amount, percent, ratio } from './format.ts';
import type { BacktestResult } from './result-schema.ts';

type Row = readonly string[];

const ROWS: readonly (readonly [name: string, of: (result: BacktestResult) => string])[] = [
  ['Strategy', ({ strategy }) => strategy.replaceAll(',', ', ')],
  ['First session', ({ from }) => from ?? '–'],
  ['Last session', ({ to }) => to ?? '–'],
  ['Data (SHA-256)', ({ data }) => data.slice(0, 12)],
  ['First value', ({ initial }) => amount(initial)],
  ['Cash in', ({ flows }) => amount(flows.deposited)],
  ['Cash out', ({ flows }) => amount(flows.withdrawn)],
  ['Final value', ({ final }) => amount(final)],
  ['Total return', ({ performance }) => percent(performance.totalReturn)],
  ['Annual return', ({ performance }) => percent(performance.annualReturn)],
  ['Annual volatility', ({ performance }) => percent(performance.annualVolatility)],
  ['Maximum drawdown', ({ performance }) => percent(performance.maxDrawdown)],
  ['Sharpe', ({ performance }) => ratio(performance.sharpe)],
  ['Sortino', ({ performance }) => ratio(performance.sortino)],
  ['Calmar', ({ performance }) => ratio(performance.calmar)],
  ['Money-weighted return, in all', ({ moneyWeighted }) => percent(moneyWeighted.total)],
  ['Exposure', ({ exposure }) => percent(exposure.gross)],
  ['Turnover a year', ({ turnover }) => percent(turnover)],
  ['Closed trades', ({ trades }) => amount(trades.closed, 0)],
  ['Trades won', ({ trades: { closed, won } }) => percent(closed === 0 ? null : won / closed)],
  ['Fees', ({ costs }) => amount(costs.fees)],
  ['Slippage', ({ costs }) => amount(costs.slippage)],
];

/** Compares results: the figures of each, their differences, and why they may not be comparable. */
export const comparedOf = (
  results: readonly BacktestResult[],
): Pick<ComparedResults, 'figures' | 'parameters' | 'notes'> => ({
  figures: ROWS.map(([name, of]) => [name, ...results.map(of)]),
  parameters: differences(results),
  notes: notesOn(results),
});

/** Reasons why the figures may not be comparable. */
function notesOn(results: readonly BacktestResult[]): string[] {
  const differs = (of: (result: BacktestResult) => unknown): boolean =>
    results.some((result) => !isDeepStrictEqual(of(result), of(results[0]!)));
  return [
    ...(differs(({ data }) => data)
      ? ['The data differ: figures of different sessions or tables are not like for like.']
      : []),
    ...(differs(({ tickers }) => tickers)
      ? [`The tickers differ: ${results.map(({ tickers }) => tickers.length).join(', ')}.`]
      : []),
    ...(differs(({ from, to }) => [from, to]) ? ['The first or the last session differs.'] : []),
  ];
}

/**
 * One row for each difference: in parameters, in the files of own strategies, and in how trades are matched with lots.
 */
function differences(results: readonly BacktestResult[]): Row[] {
  const flat = results.map(({ parameters, trades, ownStrategies }) => {
    const files = ownStrategies.map(({ name, hash }) => [`${name} (SHA-256)`, hash.slice(0, 12)] as const);
    return new Map<string, unknown>([...flattened(parameters, ''), ['lots', trades.matching], ...files]);
  });
  const names = [...new Set(flat.flatMap((one) => [...one.keys()]))];
  return names
    .filter((name) => flat.some((one) => !isDeepStrictEqual(one.get(name), flat[0]!.get(name))))
    .map((name) => [name, ...flat.map((one) => textOf(one.get(name)))]);
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '–');

function* flattened(values: Readonly<Record<string, unknown>>, before: string): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(values)) {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isGroup) yield* flattened(value as Record<string, unknown>, `${before}${name}.`);
    else yield [`${before}${name}`, value];
  }
}
