import { monthNumber } from '../months.ts';
import type { Span } from './figure.ts';

/** The names of months and their abbreviations, in lower case. */
export const MONTH_NAMES =
  'jan(?:uar|uary|\\.)?|j[aä]nner|feb(?:ruar|ruary|\\.)?|m[aä]rz|maerz|mrz\\.?|mär\\.?|march|mar\\.?|apr(?:il|\\.)?|mai|may|jun[ie]?\\.?|jul[iy]?\\.?|aug(?:ust|\\.)?|sep(?:tember|t\\.?|\\.)?|o[kc]t(?:ober|\\.)?|nov(?:ember|\\.)?|de[zc](?:ember|\\.)?';
const YEAR = "(?:19|20)\\d{2}|[’']\\d{2}|\\d{2}(?![\\d.,])";
const FULL_YEAR = '(?:19|20)\\d{2}';
const TO = '\\s*(?:-|–|—|/|\\.\\.|bis(?:\\s+(?:zum|einschl(?:\\.|ießlich)))?|to|until)\\s*';
const MONTH = '0?[1-9]|1[0-2]';

type Groups = Readonly<Record<string, string | undefined>>;
type Reader = readonly [pattern: RegExp, read: (groups: Groups) => Span | null];

const monthAt = (year: string | undefined, month: number): string | null => {
  if (year === undefined || month < 1 || month > 12) return null;
  const digits = year.replaceAll(/\D/gu, '');
  return `${digits.length === 2 ? `20${digits}` : digits}-${String(month).padStart(2, '0')}`;
};
const spanOf = (from: string | null, to: string | null = from): Span | null =>
  from === null || to === null || to < from ? null : { from, to };
const single = ({ y, m = '' }: Groups): Span | null => spanOf(monthAt(y, monthNumber(m)));
/** A span of months. The first year may be left out. */
const several = ({ y, m = '', z, n = '' }: Groups): Span | null =>
  spanOf(monthAt(y ?? z, monthNumber(m)), monthAt(z, monthNumber(n)));

const pattern = (source: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\d.,])(?:${source})(?![\\p{L}\\d])`, 'gu');

/**
 * Patterns for spans of days, then of months, then for single months; the first one that matches a part of the text
 * counts.
 */
const SPANS: readonly Reader[] = [
  [
    pattern(
      `\\d{1,2}\\.\\s?(?<m>\\d{1,2})\\.\\s?(?<y>\\d{4}|\\d{2})?${TO}\\d{1,2}\\.\\s?(?<n>\\d{1,2})\\.\\s?(?<z>\\d{4}|\\d{2})`,
    ),
    several,
  ],
  [pattern(`(?<y>\\d{4})-(?<m>\\d{2})-\\d{2}${TO}(?<z>\\d{4})-(?<n>\\d{2})-\\d{2}`), several],
  [pattern(`\\d{1,2}\\.${TO}\\d{1,2}\\.\\s?(?<m>${MONTH}|${MONTH_NAMES})\\.?\\s?(?<y>${FULL_YEAR})`), single],
  [
    pattern(`(?<m>${MONTH_NAMES})(?:\\s+(?<y>${FULL_YEAR}))?${TO}(?<n>${MONTH_NAMES})\\s+(?<z>${FULL_YEAR})`),
    several,
  ],
  [pattern(`(?<m>${MONTH})[./](?<y>${FULL_YEAR})${TO}(?<n>${MONTH})[./](?<z>${FULL_YEAR})`), several],
  [
    pattern(
      `(?<q>[1-4])\\.?\\s?(?:quartal|q|vierteljahr)\\s*(?<y>${FULL_YEAR})|q(?<r>[1-4])[\\s/-]*(?<z>${FULL_YEAR})|(?<w>${FULL_YEAR})[\\s/-]*q(?<s>[1-4])`,
    ),
    ({ q, r, s, y, z, w }) => {
      const first = (Number(q ?? r ?? s) - 1) * 3 + 1;
      const year = y ?? z ?? w;
      return spanOf(monthAt(year, first), monthAt(year, first + 2));
    },
  ],
];

const MONTHS: readonly Reader[] = [
  [pattern(`(?<y>${FULL_YEAR})[-/.\\s]?m?(?<m>0[1-9]|1[0-2])(?![-.]\\d)`), single],
  [pattern(`(?<y>${FULL_YEAR})[-/.](?<m>[1-9])(?![-.]\\d)`), single],
  [pattern(`(?<m>${MONTH})\\s?[-/._]\\s?(?<y>${FULL_YEAR})`), single],
  [pattern(`(?<m>0[1-9]|1[0-2])\\s?(?<y>${FULL_YEAR})`), single],
  [pattern(`(?<m>${MONTH})/(?<y>1[5-9]|2\\d)`), single],
  [pattern(`(?<m>${MONTH_NAMES})[\\s,/_-]*(?:des jahres |of )?(?<y>${YEAR})`), single],
  [pattern(`(?<y>${FULL_YEAR})[\\s,/_-]*(?<m>${MONTH_NAMES})`), single],
];

const DAYS: readonly Reader[] = [
  [pattern('\\d{1,2}\\.\\s?(?<m>\\d{1,2})\\.\\s?(?<y>\\d{4}|\\d{2})'), single],
  [pattern('(?<y>\\d{4})-(?<m>\\d{2})-\\d{2}(?:t[\\d:.]+z?)?'), single],
  [pattern('(?<y>(?:19|20)\\d{2})(?<m>0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])'), single],
  [pattern(`\\d{1,2}\\.?\\s(?<m>${MONTH_NAMES})\\s(?<y>${FULL_YEAR})`), single],
];

const BARE_YEAR: Reader = [
  pattern(`(?<![-/])(?<y>${FULL_YEAR})(?!\\s?(?:€|eur|%|stunden|std|tage|km))`),
  ({ y }) => ({ from: `${y}-01`, to: `${y}-12` }),
];

/**
 * The months and spans in a text. A day does not count (`eingetreten am 1.3.2019`) unless `days` says that its month is
 * meant; a year counts if no month is named.
 *
 * @example spansIn('Abrechnung August 2021', false)
 * [{ from: '2021-08', to: '2021-08' }]
 */
export function spansIn(text: string, days: boolean): Span[] {
  let rest = text.normalize('NFC').toLowerCase().replaceAll('_', ' ');
  const found: Span[] = [];
  const take = ([regex, read]: Reader, keep: boolean): void => {
    rest = rest.replaceAll(regex, (...match) => {
      const span = read(match.at(-1) as Groups);
      if (span === null) return match[0];
      if (keep) found.push(span);
      return ' ; ';
    });
  };
  for (const reader of SPANS) take(reader, true);
  for (const reader of DAYS) take(reader, days);
  for (const reader of MONTHS) take(reader, true);
  if (found.length === 0) take(BARE_YEAR, true);
  return found;
}

/** The number of a month without a year (`8`, `August`); `null` for anything else. */
export function monthAlone(text: string): number | null {
  const plain = text.trim().toLowerCase();
  return new RegExp(`^(?:${MONTH}|${MONTH_NAMES})$`, 'u').test(plain) ? monthNumber(plain) : null;
}

export const isMonth = (text: string): boolean => spansIn(text, true).length > 0 || monthAlone(text) !== null;

/** The intersection of all spans; `null` if it is empty. */
export function meet(spans: readonly Span[]): Span | null {
  const from = spans.map((span) => span.from ?? '').reduce((a, b) => (a > b ? a : b));
  const to = spans.map((span) => span.to ?? '9999-12').reduce((a, b) => (a < b ? a : b));
  return from <= to ? { from, to } : null;
}
