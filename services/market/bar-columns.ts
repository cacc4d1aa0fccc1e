import type { SourceBar } from './sources/source.ts';

/** The columns of prices. */
export const PRICES = ['open', 'high', 'low', 'close'] as const;

/**
 * The bars of a ticker, ascending, with a column for each figure. Columns take a third of the memory of objects, and
 * are equal on disk and in memory.
 */
export interface BarColumns extends Readonly<Record<(typeof PRICES)[number] | 'volume', Float64Array>> {
  readonly dates: readonly string[];
  /** Further columns of the table by name, in the table's order; NaN for a day without a value. */
  readonly further: ReadonlyMap<string, Float64Array>;
}

/** `further` names the further columns, in the order of the table. */
export function columnsOf(bars: readonly SourceBar[], further: readonly string[] = []): BarColumns {
  const column = (value: (bar: SourceBar) => number) => Float64Array.from(bars, value);
  return {
    dates: bars.map(({ date }) => date),
    open: column(({ open }) => open),
    high: column(({ high }) => high),
    low: column(({ low }) => low),
    close: column(({ close }) => close),
    volume: column(({ volume }) => volume),
    further: new Map(
      further.map((name) => [name, column(({ columns }) => columns?.[name] ?? Number.NaN)] as const),
    ),
  };
}

/** The bars from a place on, as objects. */
export const barsFrom = (columns: BarColumns, from = 0): SourceBar[] =>
  columns.dates.slice(from).map((date, at) => ({ date, ...barAt(columns, from + at) }));

/** The bar at a place, without its date. */
export function barAt({ open, high, low, close, volume, further }: BarColumns, at: number) {
  const bar = {
    open: open[at]!,
    high: high[at]!,
    low: low[at]!,
    close: close[at]!,
    volume: volume[at]!,
  };
  return further.size === 0 ? bar : { ...bar, ...furtherAt(further, at) };
}

function furtherAt(further: BarColumns['further'], at: number): Pick<SourceBar, 'columns'> {
  const values = [...further].flatMap(([name, column]) =>
    Number.isNaN(column[at]) ? [] : [[name, column[at]!] as const],
  );
  return values.length === 0 ? {} : { columns: Object.fromEntries(values) };
}

/** How many of the ascending dates are before another one. */
export function countBefore(dates: readonly string[], date: string): number {
  let [from, to] = [0, dates.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (dates[middle]! < date) from = middle + 1;
    else to = middle;
  }
  return from;
}
