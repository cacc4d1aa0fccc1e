import type { Columns, Past, TodaysBar } from '../../actors/strategy/port.ts';
import type { SessionLine } from './protocol.ts';

/** The bars of one ticker, adjusted for the splits since. */
interface Series {
  /** The index in these arrays at which the window begins. Earlier bars are no longer in the window. */
  first: number;
  /** The number of the session of each bar. */
  readonly sessions: number[];
  readonly bars: Bar[];
  /** Their closes, for which strategies ask most. */
  readonly closes: number[];
}

type Bar = Pick<TodaysBar, 'open' | 'high' | 'low' | 'close' | 'volume' | 'columns'>;

const PRICES = ['open', 'high', 'low', 'close', 'volume'] as const;

/** Sessions and bars that have left the window are removed when there are this many. */
const REMOVED_AT_ONCE = 256;

const empty = (): Series => ({ first: 0, sessions: [], bars: [], closes: [] });
const NONE: Pick<Series, 'first' | 'closes'> = empty();

/**
 * The last sessions as a strategy sees them. There are always as many as it asked for, so it sees the same on a day,
 * whatever session it began with.
 */
export class Window implements Past {
  readonly #length: number;
  /** The number of the first session in these arrays. */
  #begins = 0;
  #next = 0;
  readonly #dates: string[] = [];
  /** The known values of the series on each of these days. */
  readonly #known: (SessionLine['series'] | undefined)[] = [];
  readonly #series = new Map<string, Series>();
  /** The sorted tickers; `null` once there are new ones. */
  #tickers: readonly string[] | null = null;

  constructor(length: number) {
    this.#length = length;
  }

  push({ date, bars, splits, series: known }: SessionLine): void {
    for (const ticker in splits) adjust(this.#series.get(ticker), splits[ticker]!);
    this.#dates.push(date);
    this.#known.push(known);
    const session = this.#next++;
    const first = this.#first;
    let traded = 0;
    for (const ticker in bars) {
      let series = this.#series.get(ticker);
      if (series === undefined) {
        this.#series.set(ticker, (series = empty()));
        this.#tickers = null;
      }
      const bar = bars[ticker]!;
      series.sessions.push(session);
      series.bars.push(bar);
      series.closes.push(bar.close);
      pass(series, first);
      traded += 1;
    }
    if (traded < this.#series.size) this.#passOthers(first);
    this.#passDates(first);
  }

  /** The number of the first session of the window. */
  get #first(): number {
    return Math.max(0, this.#next - this.#length);
  }

  /** Removes tickers without a bar in the window. A ticker with a bar today has one in the window. */
  #passOthers(session: number): void {
    for (const [ticker, series] of this.#series) {
      pass(series, session);
      if (series.first < series.sessions.length) continue;
      this.#series.delete(ticker);
      this.#tickers = null;
    }
  }

  #passDates(session: number): void {
    const passed = session - this.#begins;
    if (passed < REMOVED_AT_ONCE) return;
    for (const values of [this.#dates, this.#known]) values.splice(0, passed);
    this.#begins = session;
  }

  get dates(): readonly string[] {
    return this.#dates.slice(this.#first - this.#begins);
  }

  get tickers(): readonly string[] {
    return (this.#tickers ??= Object.freeze([...this.#series.keys()].sort()));
  }

  of(ticker: string): Columns {
    const { sessions, bars: all, first } = this.#series.get(ticker) ?? empty();
    const bars = all.slice(first);
    const prices = Object.fromEntries(PRICES.map((name) => [name, bars.map((bar) => bar[name])]));
    const names = new Set(bars.flatMap(({ columns }) => (columns === undefined ? [] : Object.keys(columns))));
    const columns = [...names].map((name) => [name, bars.map((bar) => bar.columns?.[name] ?? Number.NaN)]);
    return {
      dates: sessions.slice(first).map((session) => this.#dates[session - this.#begins]!),
      ...(prices as Record<(typeof PRICES)[number], number[]>),
      columns: Object.fromEntries(columns),
    };
  }

  series(name: string): readonly number[] {
    const known = this.#known.slice(this.#first - this.#begins);
    return known.map((of) => of?.[name]?.value ?? Number.NaN);
  }

  average(ticker: string, count: number): number {
    if (!Number.isInteger(count) || count < 1)
      throw new RangeError(`past.average('${ticker}', ${count}) needs a whole number of closes, 1 or more`);
    this.#require('average', ticker, count);
    const { closes, first } = this.#series.get(ticker) ?? NONE;
    const begin = closes.length - count;
    if (begin < first) return Number.NaN;
    let sum = 0;
    for (let at = begin; at < closes.length; at += 1) sum += closes[at]!;
    return sum / count;
  }

  #require(name: 'closes' | 'average', ticker: string, count: number): void {
    if (count > this.#length)
      throw new RangeError(
        `past.${name}('${ticker}', ${count}) asks for more than the ${this.#length} sessions of history: raise history`,
      );
  }

  closes(ticker: string, count: number = this.#length): readonly number[] {
    this.#require('closes', ticker, count);
    const series = this.#series.get(ticker);
    if (series === undefined || count <= 0) return [];
    const { closes, first } = series;
    return closes.slice(Math.max(first, closes.length - count));
  }
}

/** Moves the beginning of the window to a session. */
function pass(series: Series, session: number): void {
  const { sessions, bars, closes } = series;
  while (series.first < sessions.length && sessions[series.first]! < session) series.first += 1;
  if (series.first < REMOVED_AT_ONCE || series.first === sessions.length) return;
  for (const values of [sessions, bars, closes]) values.splice(0, series.first);
  series.first = 0;
}

function adjust(series: Series | undefined, ratio: number): void {
  if (series === undefined) return;
  const { bars, closes, first } = series;
  for (let at = first; at < bars.length; at += 1) {
    const bar = bars[at]!;
    const close = bar.close / ratio;
    const [open, high, low] = [bar.open / ratio, bar.high / ratio, bar.low / ratio];
    bars[at] = { ...bar, open, high, low, close, volume: bar.volume * ratio };
    closes[at] = close;
  }
}
