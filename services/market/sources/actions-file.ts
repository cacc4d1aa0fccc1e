import { z } from 'zod';
import { parseRatio, plainText, ratioText } from '../../../events/decimal.ts';
import { parseDate } from './csv-dates.ts';
import { quoted } from './quoted.ts';
import { SourceFaults, type Dividend, type Split } from './source.ts';

/** The file beside the tables of a folder that states splits, dividends and the convention of prices. */
export const ACTIONS_FILE = 'actions.json';

const ByDate = z.record(z.string(), z.unknown()).default({});

const ActionsFile = z.object({
  prices: z
    .enum(['as-traded', 'split-adjusted'], 'must be as-traded or split-adjusted')
    .nullable()
    .default(null),
  tickers: z.record(z.string(), z.object({ splits: ByDate, dividends: ByDate })),
});

export type FolderActions = ReturnType<typeof parseActions>;

/** What is known of a folder without `actions.json`. */
export const NO_ACTIONS: FolderActions = {
  prices: null,
  of: () => null,
};

/**
 * Reads `actions.json`: `{"prices": "as-traded" | "split-adjusted", "tickers": {"AAPL": {"splits": {"2014-06-09": 7},
 * "dividends": {"2014-08-07": 0.47}}}}`. `prices` is the convention of the tables; without it the prices around each
 * split decide. A split is new shares per old share, a number or `"3:2"`. A dividend is cash per share as of its day,
 * even if prices are adjusted.
 *
 * @throws {SourceFaults} if the file does not have this form: then no table of the folder can be understood.
 */
export function parseActions(text: string) {
  const { prices, tickers } = readFile(text);
  return {
    /** The convention of the tables' prices; `null` if the file does not state it. */
    prices,
    of(ticker: string): { splits: Split[]; dividends: Dividend[] } | null {
      const actions = tickers[ticker];
      if (actions === undefined) return null;
      const faults: string[] = [];
      const splits = entries(actions.splits, `${ticker} splits`, splitRatio, faults);
      const dividends = entries(actions.dividends, `${ticker} dividends`, dividendAmount, faults);
      if (faults.length > 0) throw new SourceFaults(faults);
      return {
        splits: splits.map(({ date, value }) => ({ date, ratio: value })),
        dividends: dividends.map(({ date, value }) => ({ date, amount: value })),
      };
    },
  };
}

function readFile(text: string): z.output<typeof ActionsFile> {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch {
    throw new SourceFaults([`${ACTIONS_FILE}: is not valid JSON`]);
  }
  const file = ActionsFile.safeParse(json);
  if (file.success) return file.data;
  const faults = file.error.issues.map(
    ({ path, message }) => `${ACTIONS_FILE}: ${path.join(' ')}: ${message}`,
  );
  throw new SourceFaults(faults.slice(0, 100));
}

function entries<T>(
  byDate: Readonly<Record<string, unknown>>,
  place: string,
  read: (value: unknown) => T,
  faults: string[],
): { date: string; value: T }[] {
  const found: { date: string; value: T }[] = [];
  for (const [key, raw] of Object.entries(byDate)) {
    const date = parseDate(key);
    if ('fault' in date) faults.push(`${ACTIONS_FILE}: ${place}: ${date.fault}`);
    else {
      try {
        found.push({ date: date.value, value: read(raw) });
      } catch {
        faults.push(
          `${ACTIONS_FILE}: ${place} ${date.value}: ${quoted(JSON.stringify(raw))} is not greater than 0`,
        );
      }
    }
  }
  return found.sort((a, b) => (a.date < b.date ? -1 : 1));
}

/**
 * The ratio of a split as text.
 *
 * @throws {RangeError} for a value that is no ratio.
 */
const splitRatio = (raw: unknown): string =>
  ratioText(parseRatio(typeof raw === 'number' ? plainText(raw) : String(raw)));

/**
 * The amount of a dividend.
 *
 * @throws {RangeError} for a value that is no amount.
 */
function dividendAmount(raw: unknown): number {
  if (typeof raw !== 'number' || !(raw > 0 && raw < 1e12)) throw new RangeError('no amount');
  return raw;
}
