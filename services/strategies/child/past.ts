import type { Columns, Past } from '../../../actors/strategy/port.ts';
import type { SessionLine } from '../protocol.ts';

interface Series {
  readonly dates: string[];
  readonly open: number[];
  readonly high: number[];
  readonly low: number[];
  readonly close: number[];
  readonly volume: number[];
  /** Further columns, each as long as the others. */
  readonly columns: Map<string, number[]>;
}

const PRICES = ['open', 'high', 'low', 'close'] as const;
const COLUMNS = ['dates', ...PRICES, 'volume'] as const;

const empty = (): Series => ({
  dates: [],
  open: [],
  high: [],
  low: [],
  close: [],
  volume: [],
  columns: new Map(),
});

/**
 * The last sessions as a strategy sees them: always as many as it asked for, so that it sees the same on a day wherever
 * it began.
 */
export class Window implements Past {
  readonly #length: number;
  readonly #dates: string[] = [];
  /** The known values of the series on each of these days. */
  readonly #known: ReadonlyMap<string, number>[] = [];
  readonly #series = new Map<string, Series>();

  constructor(length: number) {
    this.#length = length;
  }

  push({ date, bars, splits, series: known }: SessionLine): void {
    for (const [ticker, ratio] of Object.entries(splits)) adjust(this.#series.get(ticker), ratio);
    this.#dates.push(date);
    this.#known.push(new Map(Object.entries(known ?? {}).map(([name, { value }]) => [name, value])));
    if (this.#dates.length > this.#length) {
      this.#dates.shift();
      this.#known.shift();
    }
    for (const [ticker, bar] of Object.entries(bars)) {
      let series = this.#series.get(ticker);
      if (series === undefined) this.#series.set(ticker, (series = empty()));
      series.dates.push(date);
      for (const name of PRICES) series[name].push(bar[name]);
      series.volume.push(bar.volume);
      pushColumns(series, bar.columns ?? {});
    }
    const first = this.#dates[0]!;
    for (const [ticker, series] of this.#series) {
      let passed = 0;
      while (passed < series.dates.length && series.dates[passed]! < first) passed += 1;
      if (passed === series.dates.length) this.#series.delete(ticker);
      else if (passed > 0) dropFirst(series, passed);
    }
  }

  get dates(): readonly string[] {
    return [...this.#dates];
  }

  get tickers(): readonly string[] {
    return [...this.#series.keys()].sort();
  }

  of(ticker: string): Columns {
    const series = this.#series.get(ticker) ?? empty();
    return {
      ...(Object.fromEntries(COLUMNS.map((name) => [name, series[name].slice()])) as unknown as Columns),
      columns: Object.fromEntries([...series.columns].map(([name, values]) => [name, values.slice()])),
    };
  }

  series(name: string): readonly number[] {
    return this.#known.map((known) => known.get(name) ?? Number.NaN);
  }

  closes(ticker: string, count: number = this.#length): readonly number[] {
    if (count > this.#length)
      throw new RangeError(
        `past.closes('${ticker}', ${count}) asks for more than the ${this.#length} sessions of history: raise history`,
      );
    const close = this.#series.get(ticker)?.close ?? [];
    return count <= 0 ? [] : close.slice(-count);
  }
}

function pushColumns({ dates, columns }: Series, values: Readonly<Record<string, number>>): void {
  for (const name of Object.keys(values)) {
    if (!columns.has(name))
      columns.set(
        name,
        Array.from({ length: dates.length - 1 }, () => Number.NaN),
      );
  }
  for (const [name, column] of columns) column.push(values[name] ?? Number.NaN);
}

/**
 * A column without values in the remaining sessions is removed, because a process that begins there would not have it.
 */
function dropFirst(series: Series, count: number): void {
  for (const name of COLUMNS) series[name].splice(0, count);
  for (const [name, column] of series.columns) {
    column.splice(0, count);
    if (column.every(Number.isNaN)) series.columns.delete(name);
  }
}

function adjust(series: Series | undefined, ratio: number): void {
  if (series === undefined) return;
  for (const name of PRICES) for (let at = 0; at < series[name].length; at += 1) series[name][at]! /= ratio;
  for (let at = 0; at < series.volume.length; at += 1) series.volume[at]! *= ratio;
}
