import { parseRatio } from '../../events/decimal.ts';
import type { Dividend, Fetched, SourceBar, Split } from './sources/source.ts';

/** The scale of prices in orders and fills. */
const VIEW_SCALE = 1e8;
/** The scale of traded prices: hundredths of a cent below a dollar, cents above it. */
const TRADED_SCALE = 1e4;

/**
 * Traded bars converted to the shares of the newest day that `splits` reaches: prices are divided by every later split,
 * volumes multiplied. Prices are rounded to 8 decimals. All lists are ascending.
 *
 * @example splitAdjusted([{ date: '2020-08-28', close: 499.23, … }], [{ date: '2020-08-31', ratio: '4/1' }]) // 124.8075
 */
export function splitAdjusted(bars: readonly SourceBar[], splits: readonly Split[]): SourceBar[] {
  return scale(bars, laterShares(bars, splits), VIEW_SCALE);
}

/**
 * The reverse, for a source in Yahoo's convention: values that such a source cannot give exactly are rounded to 4
 * decimals, as prices are traded (8 if nothing would be left of them).
 */
export function asTraded({ bars, splits, dividends, convention }: Fetched): TradedData {
  const paid = laterShares(dividends, splits);
  return {
    bars:
      convention.bars === 'as-traded'
        ? bars
        : scale(bars, laterShares(bars, splits).map(inverse), TRADED_SCALE),
    splits,
    dividends:
      convention.dividends === 'as-traded'
        ? dividends
        : dividends.map(({ date, amount }, at) => ({
            date,
            amount: rounded(amount * paid[at]!, TRADED_SCALE),
          })),
  };
}

const inverse = (shares: number): number => 1 / shares;

/** Bars as traded, dividends in shares of their day. */
export type TradedData = Pick<Fetched, 'bars' | 'splits' | 'dividends'>;

/**
 * The share of the previous close that a holder keeps when a dividend is paid: `1 - amount / close`, both in the same
 * shares. `null` if there is no previous close, or nothing would be left, so that the dividend cannot be true (as in
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
  bars: readonly SourceBar[],
  splits: readonly Split[],
  dividends: readonly Dividend[],
) {
  const shares = laterShares(bars, splits);
  const paid = laterShares(dividends, splits);
  const closes: number[] = Array.from({ length: bars.length });
  const dropped: Dividend[] = [];
  let kept = 1;
  let next = dividends.length - 1;
  for (let at = bars.length - 1; at >= -1; at--) {
    const close = at < 0 ? null : bars[at]!.close / shares[at]!;
    const date = bars[at]?.date ?? '';
    // This is the last bar before the dividends that are applied here.
    for (; next >= 0 && dividends[next]!.date > date; next--) {
      const ratio = dividendRatio(close, dividends[next]!.amount / paid[next]!);
      if (ratio === null) dropped.unshift(dividends[next]!);
      else kept *= ratio;
    }
    if (close !== null) closes[at] = close * kept;
  }
  /** `closes`: `adj_close` for each bar; `dropped`: dividends that were left out, see `dividendRatio`. */
  return { closes, dropped };
}

/** How many shares one share of each day has become by the end: the product of all later splits. */
function laterShares(days: readonly { readonly date: string }[], splits: readonly Split[]): number[] {
  const shares = Array.from({ length: days.length }, () => 1);
  let numerator = 1n;
  let denominator = 1n;
  let next = splits.length - 1;
  for (let at = days.length - 1; at >= 0; at--) {
    for (; next >= 0 && splits[next]!.date > days[at]!.date; next--) {
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
      volume: Math.min(Math.round(bar.volume * by), Number.MAX_SAFE_INTEGER),
      ...(bar.columns === undefined ? {} : { columns: bar.columns }),
    };
  });
}

function rounded(price: number, decimals: number): number {
  return Math.round(price * decimals) / decimals || Math.round(price * VIEW_SCALE) / VIEW_SCALE;
}
