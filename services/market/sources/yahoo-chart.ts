import type { ChartResultArray } from 'yahoo-finance2/modules/chart';
import { parseRatio, plainText, ratioText } from '../../../events/decimal.ts';
import { SourceFaults, type Fetched, type SourceBar, type Split } from './source.ts';

/** A day counts as complete only this long after its end, because an exchange publishes late trades and corrections. */
const SETTLING_MS = 30 * 60_000;

/**
 * Converts Yahoo's chart of a ticker: from `since` on (all for `null`), only days that are completed at `now`. A split
 * of today is included, because Yahoo's prices, volumes and dividends are adjusted to it already. `adjclose`, which is
 * also adjusted to dividends, is ignored.
 *
 * @throws {SourceFaults} for a split that is no ratio, or an exchange in an unknown time zone.
 */
export function fetchedOf(chart: ChartResultArray, since: string | null, now: Date): Fetched {
  const dayOf = dayIn(chart.meta.exchangeTimezoneName);
  const today = openDay(chart, now, dayOf);
  const bars = chart.quotes.flatMap((quote) => barOf(quote, dayOf(quote.date)));
  const splits = (chart.events?.splits ?? []).map((split) => splitOf(split, dayOf(split.date)));
  const dividends = (chart.events?.dividends ?? []).map(({ date, amount }) => ({
    date: dayOf(date),
    amount: shortest(amount),
  }));
  const asked = ({ date }: { date: string }): boolean => since === null || date >= since;
  const over = (entry: { date: string }): boolean => asked(entry) && entry.date < today;
  return {
    bars: inOrder(bars).filter(over),
    splits: inOrder(splits).filter(asked),
    dividends: inOrder(dividends).filter(over),
    convention: { bars: 'split-adjusted', dividends: 'split-adjusted' },
    currency: chart.meta.currency,
  };
}

/** A function that gives the day of an instant in the exchange's time zone. Yahoo's times are those of the opening. */
function dayIn(timeZone: string): (time: Date) => string {
  try {
    // The Swedish format of dates is that of ISO 8601.
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone });
    return (time) => format.format(time);
  } catch {
    throw new SourceFaults([`Yahoo sent an unknown time zone: ${timeZone}`]);
  }
}

/** The first day that is not completed. */
function openDay({ meta }: ChartResultArray, now: Date, dayOf: (time: Date) => string): string {
  const { end } = meta.currentTradingPeriod.regular;
  const today = dayOf(now);
  const over = dayOf(end) === today && now.getTime() >= end.getTime() + SETTLING_MS;
  return over ? dayOf(new Date(now.getTime() + 24 * 3_600_000)) : today;
}

/** The bar of a day; Yahoo has nulls on a day without a trade. */
function barOf(
  { open, high, low, close, volume }: ChartResultArray['quotes'][number],
  date: string,
): SourceBar[] {
  if (!isPrice(open) || !isPrice(high) || !isPrice(low) || !isPrice(close)) return [];
  const bar = {
    date,
    open: shortest(open),
    high: shortest(high),
    low: shortest(low),
    close: shortest(close),
  };
  return [{ ...bar, volume: Math.max(0, Math.round(volume ?? 0)) }];
}

const isPrice = (price: number | null): price is number =>
  price !== null && Number.isFinite(price) && price > 0;

function splitOf(
  { numerator, denominator }: { numerator: number; denominator: number },
  date: string,
): Split {
  try {
    return { date, ratio: ratioText(parseRatio(`${plainText(numerator)}/${plainText(denominator)}`)) };
  } catch {
    throw new SourceFaults([`${date}: a split of ${numerator} for ${denominator} is not a valid ratio`]);
  }
}

/**
 * The shortest decimal with the same single-precision value, because Yahoo sends most prices in single precision
 * (129.0399932861328 is 129.04). A number with more precision stays.
 */
function shortest(price: number): number {
  if (Math.fround(price) !== price) return price;
  for (let digits = 1; digits < 9; digits += 1) {
    const rounded = Number(price.toPrecision(digits));
    if (Math.fround(rounded) === price) return rounded;
  }
  return price;
}

/** Sorts ascending; of two entries with one date the later one is kept, which is the correction. */
function inOrder<T extends { readonly date: string }>(entries: readonly T[]): T[] {
  const byDate = new Map(entries.map((entry) => [entry.date, entry]));
  return [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}
