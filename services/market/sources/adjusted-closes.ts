import { ratioNumber, parseRatio, plainText } from '../../../events/decimal.ts';
import { countBefore, type BarColumns } from '../bar-columns.ts';
import type { Convention, Dividend, Split } from './source.ts';

/** Common splits: new shares for one old share, and old shares for one new share. */
const SPLITS: readonly { readonly text: string; readonly shares: number }[] = [
  '5/4',
  '4/3',
  '3/2',
  '5/2',
  ...[2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 50].map((count) => `${count}/1`),
  ...[2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 100].map((count) => `1/${count}`),
].map((text) => ({ text, shares: ratioNumber(parseRatio(text)) }));

/** The least of the other splits. A change nearer to 1 would rather be a dividend. */
const LEAST_SPLIT = 1.6;
/** Other splits, as 12 for 5, those of small numbers first: only accepted if they explain the change exactly. */
const OTHER_SPLITS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  .flatMap((old) => Array.from({ length: 199 }, (_, at) => [at + 2, old] as const))
  .filter(([count, old]) => count / old > LEAST_SPLIT)
  .flatMap(([count, old]) => [
    { text: `${count}/${old}`, shares: count / old },
    { text: `${old}/${count}`, shares: old / count },
  ]);

/** The largest dividend on the day of a split, as a share of the price. */
const MAX_WITH_SPLIT = 0.15;
const MAX_DIVIDEND = 0.7;
/** A larger dividend gets a note, because it may be an unusual split. */
const LARGE_DIVIDEND = 0.1;
/** The largest n of a dividend in shares, which gives n + 1 new shares for n old ones, as in 21 for 20. */
const MOST_OLD_SHARES = 50;
/** The least dividend, as a share of the price. No company pays out less. */
const LEAST_DIVIDEND = 0.00002;
/** The largest move of a price on the day of a split, apart from the split itself. */
const MAX_MOVE = 0.4;
/** How far a ratio may be from a split to count as exact. The factors themselves have few digits. */
const EXACT = 0.0002;
/** If rounding is a larger share of the price than this, it hides dividends. */
const TOO_COARSE = 0.003;

type Closes = Pick<BarColumns, 'dates' | 'close'>;

/**
 * Derives splits and dividends from adjusted closes: from one bar to the next, `adj_close / close` changes by the share
 * of the price that was paid, or by the ratio of a split if prices are as traded and moved with it. From split-adjusted
 * prices it derives only the dividends, adjusted to the last day. `adjusted` has a value for each bar, NaN if there is
 * none. The precision of a dividend depends on the digits of both columns.
 */
export function deriveActions({ dates, close: closes }: Closes, adjusted: ArrayLike<number>) {
  const splits: Split[] = [];
  const dividends: Dividend[] = [];
  let coarseUntil: string | null = null;
  const unclear = unclearDays();
  const unit = 10 ** -decimalsOf(adjusted);
  // Closes with fewer decimals than the adjusted closes are exact.
  const closeUnit = decimalsOf(closes) < decimalsOf(adjusted) ? 0 : unit;
  for (let at = 1; at < dates.length; at++) {
    const [date, before, close] = [dates[at]!, closes[at - 1]!, closes[at]!];
    const [from, to] = [adjusted[at - 1]!, adjusted[at]!];
    const kept = ((from / before) * close) / to;
    if (!Number.isFinite(kept) || kept <= 0) continue;
    const error = (unit * (1 / from + 1 / to) + closeUnit * (1 / before + 1 / close)) / 2 + 1e-7;
    if (error > TOO_COARSE) coarseUntil = date;
    if (Math.abs(1 - kept) <= error) continue;
    const split = splitOf(kept, close / before, error);
    if (split !== undefined) splits.push({ date, ratio: split.text });
    const paid = 1 - kept * (split?.shares ?? 1);
    unclear.look({ date, kept, split: split?.text, paid, error });
    if (paid > Math.max(error, split === undefined ? LEAST_DIVIDEND : EXACT) && paid <= MAX_DIVIDEND) {
      const amount = Number(((before / (split?.shares ?? 1)) * paid).toFixed(6));
      if (amount > 0) dividends.push({ date, amount });
    }
  }
  /** `coarseUntil`: the last day on which `adj_close` has too few digits to tell a dividend from rounding. */
  /** `unclear`: notes on changes with more than one explanation. */
  return { splits, dividends, coarseUntil, unclear: unclear.notes() };
}

interface Change {
  readonly date: string;
  readonly kept: number;
  readonly split: string | undefined;
  readonly paid: number;
  readonly error: number;
}

const percent = (share: number): string => `${Number((share * 100).toFixed(2))} %`;

/** The kind of a change that is assumed although another kind is possible; `null` if the change is clear. */
function kindOf({ kept, split, paid, error }: Change): [kind: string, taken: string] | null {
  if (split !== undefined) {
    const least = Math.max(error, EXACT);
    if (Math.abs(paid) <= least) return null;
    return ['a split and a dividend', `a split of ${split} and a dividend of ${percent(paid)}`];
  }
  if (paid < -EXACT - error || paid > MAX_DIVIDEND)
    return ['nothing', `no split and no dividend (factor ${kept.toFixed(6)})`];
  if (paid > LARGE_DIVIDEND) return ['a large dividend', `a dividend of ${percent(paid)}`];
  const old = Math.round(1 / paid) - 1;
  const isShares = old >= 4 && old <= MOST_OLD_SHARES && Math.abs(kept - old / (old + 1)) <= EXACT / 10;
  return isShares
    ? ['a dividend or shares', `a dividend of ${percent(paid)}, not for ${old + 1} shares for ${old}`]
    : null;
}

/** Collects changes that closes alone do not explain, by kind, with the number of each. */
function unclearDays() {
  const kinds = new Map<string, { first: string; count: number }>();
  return {
    look(change: Change): void {
      const found = kindOf(change);
      if (found === null) return;
      const [kind, taken] = found;
      const known = kinds.get(kind);
      if (known === undefined) kinds.set(kind, { first: `${change.date} was taken for ${taken}`, count: 1 });
      else known.count += 1;
    },
    notes: (): string[] =>
      [...kinds.values()].map(({ first, count }) => {
        const more = count === 1 ? '' : `, and so on ${count - 1} more ${count === 2 ? 'day' : 'days'}`;
        return `the change of its adjusted closes on ${first}${more}: where that is wrong, state it in actions.json`;
      }),
  };
}

/** Whether the share is far from all of these splits, as on most days. */
const isFarFromSplits = (kept: number): boolean => kept > 1 / LEAST_SPLIT && kept < LEAST_SPLIT;

/**
 * The split after which this share of the previous price is left. It has to explain the share exactly, as far as its
 * digits go. If the price moved with the split, the rest may be a dividend of the same day.
 */
function splitOf(kept: number, moved: number, error: number) {
  let best: (typeof SPLITS)[number] | undefined;
  let least = MAX_WITH_SPLIT;
  const exact = isFarFromSplits(kept)
    ? undefined
    : OTHER_SPLITS.find(({ shares }) => {
        if (Math.abs(1 - kept * shares) > EXACT) return false;
        const left = Math.abs(Math.log(moved * shares));
        return left < MAX_MOVE && left < Math.abs(Math.log(moved));
      });
  if (exact !== undefined) return exact;
  for (const split of SPLITS) {
    const left = Math.abs(Math.log(moved * split.shares));
    if (left >= MAX_MOVE) continue;
    const paid = 1 - kept * split.shares;
    if (Math.abs(paid) <= EXACT && error < EXACT) return split;
    const movedWithIt = left < Math.abs(Math.log(moved));
    if (movedWithIt && paid >= -EXACT && paid < least) [best, least] = [split, paid];
  }
  return best;
}

/**
 * The convention of prices, from the days of known splits: prices as traded fall with each split, split-adjusted prices
 * do not. If no split lies between two bars, prices count as traded.
 */
export function recogniseConvention({ dates, close }: Closes, splits: readonly Split[]): Convention {
  let votes = 0;
  for (const { date, ratio } of splits) {
    const at = countBefore(dates, date);
    if (at === 0 || at === dates.length) continue;
    const moved = Math.log(close[at]! / close[at - 1]!);
    const shares = Math.log(ratioNumber(parseRatio(ratio)));
    votes += Math.abs(moved + shares) < Math.abs(moved) ? 1 : -1;
  }
  return votes < 0 ? 'split-adjusted' : 'as-traded';
}

/** This many prices that no exchange allows are no accident. */
const ODD_PRICES = 10;

const isOdd = (price: number): boolean =>
  price >= 1 && [100, 64].every((parts) => Math.abs(price * parts - Math.round(price * parts)) > 0.02);

/**
 * Whether prices look split-adjusted: prices from 1 on that are neither whole cents nor fractions of exchanges before
 * 2001 (sixty-fourths at the finest) usually are.
 */
export function looksSplitAdjusted({ close }: Pick<BarColumns, 'close'>): boolean {
  let odd = 0;
  for (const price of close) if (isOdd(price)) odd += 1;
  return odd >= ODD_PRICES && odd > close.length / 50;
}

/** The decimal places of a column: the most of any of its numbers. */
function decimalsOf(numbers: ArrayLike<number>): number {
  let most = 0;
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at]!;
    if (Number.isFinite(number) && !hasDecimals(number, most)) most = decimals(number);
  }
  return most;
}

const decimals = (number: number): number => (plainText(number).split('.')[1] ?? '').length;

/** Whether a number has at most this many decimals. It is calculated, because making its text takes long. */
function hasDecimals(number: number, most: number): boolean {
  const scaled = Math.round(number * 10 ** most);
  return Math.abs(scaled) < Number.MAX_SAFE_INTEGER
    ? scaled / 10 ** most === number
    : decimals(number) <= most;
}
