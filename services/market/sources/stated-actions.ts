import { parseRatio, ratioText } from '../../../events/decimal.ts';
import { countBefore, type BarColumns } from '../bar-columns.ts';
import { ACTIONS_FILE } from './actions-file.ts';
import { deriveActions, recogniseConvention } from './adjusted-closes.ts';
import type { Table } from './csv-table.ts';
import { quoted } from './quoted.ts';
import { SourceFaults, type Convention, type Fetched, type Split } from './source.ts';

/** Splits and dividends of a table, and the convention of its prices. */
export type Understood = Pick<Fetched, 'splits' | 'dividends' | 'convention'> & {
  readonly notes: readonly string[];
};

/**
 * Reads splits and dividends from columns like `Dividends` and `Stock Splits`; if one of the two columns is missing,
 * its values are derived from adjusted closes. The prices around each split show their convention; dividends have the
 * same convention.
 */
export function stated(name: string, table: Table, prices: Convention | null): Understood {
  const { bars, adjusted } = table;
  const derived = deriveActions(bars, adjusted ?? []);
  const splits = table.splits?.map(({ date, text }) => splitOf(name, date, text)) ?? derived.splits;
  const convention = prices ?? (table.splits === null ? 'as-traded' : recogniseConvention(bars, splits));
  const known = table.dividends ?? derived.dividends;
  const isIncluded = table.dividends !== null && adjusted === null && includesDividends(bars, known);
  const dividends = isIncluded ? [] : known;
  const count = `${known.length} dividends and ${splits.length} splits`;
  const notes = [`${count} are stated in its columns; its prices are ${convention}`];
  if (isIncluded) {
    notes.push(
      'its dividends are in its prices already (yfinance adjusts them unless auto_adjust=False) and are not paid again; export it ' +
        `with auto_adjust=False to have them paid`,
    );
  } else if (table.dividends !== null && adjusted === null && known.length > 0) {
    notes.push(
      'its dividends are paid as stated; where its prices were adjusted for them already, they count twice: ' +
        `export it with auto_adjust=False, or list the ticker in ${ACTIONS_FILE}`,
    );
  }
  return { splits, dividends, convention: { bars: convention, dividends: convention }, notes };
}

/**
 * Parses `4`, `4:1`, `0.125`. A decimal that was cut off is taken for the reciprocal of a whole number: `0.0333` is 1
 * for 30.
 */
function splitOf(name: string, date: string, text: string): Split {
  try {
    const plain = text.trim().replace(/^(\d+),(\d+)$/u, '$1.$2');
    const value = Number(plain);
    const whole = Math.round(1 / value);
    const step = 10 ** -(plain.split('.')[1]?.length ?? 0);
    const isReverse = value > 0 && value < 1 && Math.abs(1 / whole - value) < step;
    return { date, ratio: ratioText(parseRatio(isReverse ? `1/${whole}` : plain)) };
  } catch {
    throw new SourceFaults([`${name}: the split ${quoted(text)} of ${date} is not a ratio like 4 or 4:1`]);
  }
}

/**
 * Whether a price was calculated and not quoted. Quoted prices have few decimals; single-precision numbers are
 * recognised and do not count.
 */
const isComputed = (price: number): boolean =>
  Math.fround(price) !== price && (String(price).split('.')[1] ?? '').length > 6;

/** Whether most prices before the last dividend look calculated, as if dividends had been subtracted from them. */
function includesDividends(
  { dates, open, high }: BarColumns,
  dividends: readonly { readonly date: string }[],
): boolean {
  const last = dividends.at(-1)?.date;
  if (last === undefined) return false;
  const before = countBefore(dates, last);
  let computed = 0;
  for (let at = 0; at < before; at++) if (isComputed(open[at]!) || isComputed(high[at]!)) computed += 1;
  return computed > before / 2;
}
