import { Ticker } from '../../../events/messages/ticker.ts';
import { isMissing } from './csv-numbers.ts';
import { datesOf, lineFault, readRecords } from './csv-records.ts';
import { quoted } from './quoted.ts';
import type { Membership } from './source.ts';

const UNIVERSE = /^universe\.csv$/iu;
const TICKER = ['ticker', 'symbol'];
const FROM = ['from', 'start', 'added', 'von'];
const TO = ['to', 'end', 'removed', 'bis'];

/** Whether a file is the universe and not the table of a ticker. */
export const isUniverse = (file: string): boolean => UNIVERSE.test(file);

/**
 * Reads `universe.csv` with the columns `ticker`, `from` and `to`, the first and last day on which a ticker may be
 * bought. Without `to` it may still be bought. A ticker that comes back has another row.
 *
 * @throws {Error} with the fault and its line.
 */
export function readUniverse(text: string): Membership[] {
  const { columnOf, rows } = readRecords(text);
  const [ticker, from, to] = [columnOf(TICKER), columnOf(FROM), columnOf(TO)];
  for (const [name, column] of Object.entries({ ticker, from, to })) {
    if (column < 0) throw new Error(`line 1: there is no column ${name}; it must have ticker,from,to`);
  }
  if (rows.length === 0) throw new Error('it names no ticker: remove it if everything may be bought');
  const [begins, ends] = [
    datesOf(rows, from),
    datesOf(
      rows.filter(({ record }) => !isStill(record[to])),
      to,
    ),
  ];
  const known = new Map<
    string,
    { readonly line: number; readonly from: string; readonly to: string | null }[]
  >();
  return rows.map((row) => {
    const { record, line } = row;
    const named = record[ticker]?.trim().toUpperCase() ?? '';
    const { data: name } = Ticker.safeParse(named);
    if (name === undefined) lineFault(line, `${quoted(named)} is no ticker`);
    if (isStill(record[from])) lineFault(line, `it does not say from when on ${name} may be bought`);
    const span = { line, from: begins(row), to: isStill(record[to]) ? null : ends(row) };
    if (span.to !== null && span.to < span.from)
      lineFault(line, `${name} ends on ${span.to}, before ${span.from}`);
    const others = known.get(name) ?? [];
    const same = others.find((other) => meet(span, other));
    if (same !== undefined) lineFault(line, `${name} may be bought then by line ${same.line} already`);
    known.set(name, [...others, span]);
    return { ticker: name, from: span.from, to: span.to };
  });
}

const isStill = (text: string | undefined): boolean => text === undefined || isMissing(text);

type Span = Omit<Membership, 'ticker'>;
const meet = (one: Span, other: Span): boolean =>
  (other.to === null || one.from <= other.to) && (one.to === null || other.from <= one.to);
