import { parseRatio } from '../../events/decimal.ts';
import type { BarColumns } from './bar-columns.ts';
import type { TickerColumns } from './bars-in-memory.ts';
import type { Dividend, Fetched, FetchedColumns, SourceBar, Split } from './sources/source.ts';

/** Prices of orders and fills have at most 8 decimals. */
const VIEW_SCALE = 1e8;
/** Traded prices are rounded to 4 decimals: exchanges use hundredths of a cent below a dollar, cents above it. */
const TRADED_SCALE = 1e4;

/**
 * Traded bars converted to the shares of the newest day that `splits` reaches: prices are divided by every later split,
 * volumes multiplied. Prices are rounded to 8 decimals. All lists are ascending.
 *
 * @example splitAdjusted([{ date: '2020-08-28', close: 499.23, … }], [{ date: '2020-08-31', ratio: '4/1' }]) // 124.8075
 */
export function splitAdjusted(bars: readonly SourceBar[], splits: readonly Split[]): SourceBar[] {
  return scale(bars, laterShares(datesOf(bars), splits), VIEW_SCALE);
}

/**
 * Converts split-adjusted data to data as traded, for a source in Yahoo's convention. The results are not exact, so
 * they are rounded to 4 decimals, as prices are traded (8 if nothing would be left of them).
 */
export function asTraded(fetched: Fetched): TradedData {
  const { bars, splits, convention } = fetched;
  return {
    bars:
      convention.bars === 'as-traded'
        ? bars
        : scale(bars, laterShares(datesOf(bars), splits).map(inverse), TRADED_SCALE),
    splits,
    dividends: paidAsTraded(fetched),
  };
}

/** Converts split-adjusted bars in columns to bars as traded. */
export function columnsAsTraded(fetched: Omit<FetchedColumns, 'warnings'>): TickerColumns {
  const { bars, splits, convention } = fetched;
  const dividends = paidAsTraded(fetched);
  if (convention.bars === 'as-traded') return { bars, splits, dividends };
  const divisors = laterShares(bars.dates, splits).map(inverse);
  const prices = (column: Float64Array) =>
    column.map((price, at) => rounded(price / divisors[at]!, TRADED_SCALE));
  return {
    bars: {
      dates: bars.dates,
      open: prices(bars.open),
      high: prices(bars.high),
      low: prices(bars.low),
      close: prices(bars.close),
      volume: bars.volume.map((volume, at) => scaledVolume(volume, divisors[at]!)),
      further: bars.further,
    },
    splits,
    dividends,
  };
}

/** Converts dividends to shares of their day. */
function paidAsTraded({
  splits,
  dividends,
  convention,
}: Pick<Fetched, 'splits' | 'dividends' | 'convention'>): readonly Dividend[] {
  if (convention.dividends === 'as-traded') return dividends;
  const paid = laterShares(datesOf(dividends), splits);
  return dividends.map(({ date, amount }, at) => ({
    date,
    amount: rounded(amount * paid[at]!, TRADED_SCALE),
  }));
}

const datesOf = (days: readonly { readonly date: string }[]): string[] => days.map(({ date }) => date);

const inverse = (shares: number): number => 1 / shares;

/** Bars as they were traded. A dividend is an amount per share as it traded on its day. */
export type TradedData = Pick<Fetched, 'bars' | 'splits' | 'dividends'>;

/**
 * The share of the previous close that a holder keeps when a dividend is paid: `1 - amount / close`, both in the same
 * shares. `null` if there is no previous close, or if nothing would be left: such a dividend cannot be true (as in
 * Zipline's `calc_dividend_ratios`).
 */
export function dividendRatio(previousClose: number | null, amount: number): number | null {
  if (previousClose === null) return null;
  const ratio = 1 - amount / previousClose;
  return ratio > 0 ? ratio : null;
}

/**
 * Closes multiplied by the factors of all later splits and dividends, by the method of Yahoo and CRSP
 * (https://help.yahoo.com/kb/SLN28256.html): the newest close stays unchanged. Bars are as traded, dividends in shares
 * of their day.
 */
export function adjustedCloses(
  { dates, close: traded }: Pick<BarColumns, 'dates' | 'close'>,
  splits: readonly Split[],
  dividends: readonly Dividend[],
) {
  const shares = laterShares(dates, splits);
  const paid = laterShares(datesOf(dividends), splits);
  const closes = Array.from<number>({ length: dates.length }).fill(0);
  const dropped: Dividend[] = [];
  let kept = 1;
  let next = dividends.length - 1;
  for (let at = dates.length - 1; at >= -1; at--) {
    const close = at < 0 ? null : traded[at]! / shares[at]!;
    const date = dates[at] ?? '';
    // This is the last bar before the dividends that are applied here.
    for (; next >= 0 && dividends[next]!.date > date; next--) {
      const ratio = dividendRatio(close, dividends[next]!.amount / paid[next]!);
      if (ratio === null) dropped.unshift(dividends[next]!);
      else kept *= ratio;
    }
    if (close !== null) closes[at] = close * kept;
  }
  /**
   * `closes` has an `adj_close` for each bar; `dropped` has the dividends that cannot be true (see `dividendRatio`).
   */
  return { closes, dropped };
}

/** How many shares one share of each day has become by the end: the product of all later splits. */
function laterShares(dates: readonly string[], splits: readonly Split[]): number[] {
  const shares = Array.from<number>({ length: dates.length }).fill(1);
  let numerator = 1n;
  let denominator = 1n;
  let next = splits.length - 1;
  if (splits.length === 0) return shares;
  for (let at = dates.length - 1; at >= 0; at--) {
    for (; next >= 0 && splits[next]!.date > dates[at]!; next--) {
      const ratio = parseRatio(splits[next]!.ratio);
      numerator *= ratio.numerator;
      denominator *= ratio.denominator;
    }
    shares[at] = Number(numerator) / Number(denominator);
  }
  return shares;
}

function scale(bars: readonly SourceBar[], divisors: readonly number[], decimals: number): SourceBar[] {
  return bars.map((bar, at) => {
    const by = divisors[at]!;
    return {
      date: bar.date,
      open: rounded(bar.open / by, decimals),
      high: rounded(bar.high / by, decimals),
      low: rounded(bar.low / by, decimals),
      close: rounded(bar.close / by, decimals),
      volume: scaledVolume(bar.volume, by),
      ...(bar.columns === undefined ? {} : { columns: bar.columns }),
    };
  });
}

const scaledVolume = (volume: number, by: number): number =>
  Math.min(Math.round(volume * by), Number.MAX_SAFE_INTEGER);

function rounded(price: number, decimals: number): number {
  return Math.round(price * decimals) / decimals || Math.round(price * VIEW_SCALE) / VIEW_SCALE;
}
