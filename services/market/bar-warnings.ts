import { adjustedCloses } from './adjust-prices.ts';
import type { BarColumns } from './bar-columns.ts';
import type { TickerColumns } from './bars-in-memory.ts';
import { weekdaysBetween } from './calendar.ts';
import { rhythmOf } from './rhythm.ts';
import type { Dividend, Split } from './sources/source.ts';
import { firstFew } from '../../events/first-few.ts';

/** Suspicious data that may be right. */
export interface Warning {
  readonly date: string;
  readonly kind: (typeof WARNINGS)[number];
  readonly detail: string;
}

/** The kinds of warnings. */
export const WARNINGS = ['gap', 'zero-volume', 'high-low', 'range', 'jump', 'dividend', 'adjusted'] as const;

/** The longest closure of an exchange in a century was four weekdays, in September 2001. */
const MAX_WEEKDAYS_WITHOUT_A_BAR = 5;
/** The largest logarithm of a price change without a warning: a rise of 65 % or a fall of 39 %. */
const MAX_MOVE = 0.5;

/**
 * Suspicious data in the bars of a ticker (as traded, ascending), in the order of dates:
 *
 * - `gap`: more than five weekdays without a bar before this one; for weekly or monthly bars, more than usually lie
 * between two.
 * - `zero-volume`: nobody traded, so nobody paid these prices.
 * - `high-low`: the high is below the low, or the open or close lies outside of both.
 * - `range`: the high is more than e^0.5 times the low, as with a stray trade.
 * - `jump`: |log return| of adjusted closes above 0.5: a split that is missing or wrong, another company, or a crash.
 * - `dividend`: it is not less than the close before it, or there is no such close; adjusted closes leave it out.
 */
export function findWarnings(
  bars: BarColumns,
  splits: readonly Split[],
  dividends: readonly Dividend[],
): Warning[] {
  const { closes, dropped } = adjustedCloses(bars, splits, dividends);
  const warnings: Warning[] = dropped.map(({ date, amount }) => ({
    date,
    kind: 'dividend',
    detail: `${amount} per share is not less than the previous close, or there is no previous close`,
  }));
  const { days } = rhythmOf(bars.dates);
  const usual = Math.max(MAX_WEEKDAYS_WITHOUT_A_BAR, Math.ceil((days * 5) / 7));
  for (const [at, date] of bars.dates.entries()) {
    const warn = (kind: Warning['kind'], detail: string) => warnings.push({ date, kind, detail });
    const [open, high, low, close] = [bars.open[at]!, bars.high[at]!, bars.low[at]!, bars.close[at]!];
    const previous = bars.dates[at - 1];
    if (previous !== undefined) {
      const missing = weekdaysBetween(previous, date);
      if (missing > usual) warn('gap', `${missing} weekdays since ${previous}`);
      const move = Math.log(closes[at]! / closes[at - 1]!);
      if (Math.abs(move) > MAX_MOVE) warn('jump', `log return ${move.toFixed(3)} since ${previous}`);
    }
    if (bars.volume[at] === 0) warn('zero-volume', 'no shares were traded');
    if (high < low) warn('high-low', `high ${high} below low ${low}`);
    else if (Math.max(open, close) > high || Math.min(open, close) < low) {
      warn('high-low', `open ${open} or close ${close} outside ${low} to ${high}`);
    } else if (Math.log(high / low) > MAX_MOVE) {
      warn('range', `from ${low} to ${high} on one day`);
    }
  }
  return warnings.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** The warnings of all data of a ticker. */
export const warningsOf = ({ bars, splits, dividends }: TickerColumns): Warning[] =>
  findWarnings(bars, splits, dividends);

/** How many warnings of a kind are named one by one. The others are counted. */
const NAMED = 3;

/**
 * The warnings of a ticker in words, one line for each kind: first what the source itself reports, then what looks
 * wrong in the data.
 */
export function warningNotes(
  ticker: string,
  warnings: readonly (Omit<Warning, 'kind'> & { readonly kind: string })[],
): string[] {
  const kinds = Map.groupBy(warnings, ({ kind }) => kind);
  const told = kinds.get('adjusted')?.map(({ detail }) => detail) ?? [];
  kinds.delete('adjusted');
  const wrong = [...kinds].map(([kind, found]) => {
    const each = found.map(({ date, detail }) => `${date} (${detail})`);
    return `${ticker}: ${WORDS[kind] ?? kind}: ${firstFew(each, NAMED)}`;
  });
  return [...told, ...wrong];
}

const WORDS: Readonly<Record<string, string>> = {
  gap: 'several days in a row without bars',
  'zero-volume': 'days without volume, on which no order is filled unless TD_VOLUME_LIMIT is 0',
  'high-low': 'impossible prices',
  range: 'very large range on one day',
  jump: 'jump between two closes',
  dividend: 'dividends ignored in adjusted closes',
};
