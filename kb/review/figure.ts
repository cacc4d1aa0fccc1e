import type { Source } from '../source.ts';
import { sentencesIn } from '../sentences.ts';
import { decimal, multiply, rational, type Rational } from './rational.ts';
import { numberValue, type Duration, type RuleValue } from './value.ts';

/** The months of validity, `YYYY-MM`; `null` for an open end. */
export interface Span {
  readonly from: string | null;
  readonly to: string | null;
}

/** A figure in a passage, with its time of validity. */
export interface Figure {
  readonly span: Span;
  /** The figure as it is written in the passage; `readFigure` parses it. A text can be stored in a snapshot. */
  readonly written: string;
  readonly source: string;
  /** The sentence with the figure. */
  readonly quote: string;
  /** The provisions that the figure's passage is about: `§ 341 SGB III`. */
  readonly section: string;
}

const WORDS = 'null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' ');
/** Other words for figures in passages. */
const OTHERS: Readonly<Record<string, Rational>> = {
  achteinhalb: rational(17n, 2n),
  dreimal: rational(3n),
  zehnten: rational(10n),
  drittletzten: rational(3n),
  letzten: rational(1n),
  vollem: rational(1n),
};
const DURATIONS: readonly (readonly [RegExp, Duration['unit']])[] = [
  [/^Tage?n?$/u, 'day'],
  [/^Wochen?$/u, 'week'],
  [/^Monate?n?$/u, 'month'],
  [/^Jahre?n?$/u, 'year'],
];

/** Parses a figure in a text: `9,50 Euro`, `18,6 Prozent`, `sechs Wochen`, `24 Werktage`; `null` for any other text. */
export function readFigure(text: string): RuleValue | null {
  const [written = '', unit = ''] = text.trim().split(/\s+/u);
  const number = readNumber(written);
  if (number === null) return null;
  if (/^(?:Prozent|Beitragssatzpunkten?|%)$/u.test(unit))
    return numberValue(multiply(number, rational(1n, 100n)));
  if (written.toLowerCase() in OTHERS) return numberValue(number);
  const duration = DURATIONS.find(([word]) => word.test(unit));
  if (duration !== undefined) return { type: 'duration', duration: { count: number, unit: duration[1] } };
  return numberValue(number);
}

function readNumber(written: string): Rational | null {
  if (/^\d{1,3}(?:\.\d{3})*(?:,\d+)?$|^\d+(?:,\d+)?$/u.test(written))
    return decimal(written.replaceAll('.', '').replace(',', '.'));
  // The day of a date such as `15. Februar`.
  if (/^\d{1,2}\.$/u.test(written)) return decimal(written.slice(0, -1));
  const word = written.toLowerCase().replace(/^(ein)(?:e[nmrs]?)$/u, '$1');
  const at = WORDS.indexOf(word);
  return at === -1 ? (OTHERS[word] ?? null) : rational(BigInt(at));
}

const plain = (text: string): string => text.replaceAll(/\s+/gu, ' ');

/** The sentence of a source with a figure and the given words; `null` if there is none. */
export function sentenceWith(figure: string, words: string, source: Source): string | null {
  const sentences = sentencesIn(source);
  const whole = new RegExp(`(?<![\\p{L}\\d.,])${escaped(figure)}(?![\\p{L}\\d]|[.,]\\d)`, 'iu');
  const lowered = figure.toLowerCase();
  for (const { text, lead } of sentences) {
    const own = plain(text);
    if (!own.toLowerCase().includes(lowered)) continue;
    const around = lead === null ? own : `${plain(sentences[lead]!.text)} ${own}`;
    if (whole.test(own) && around.includes(words)) return around;
  }
  return null;
}

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);

/** Parses a time: `2021`, `2021..2022`, `2021-01..2021-06`, `2022-07..`, `always`; `null` for any other text. */
export function readSpan(text: string): Span | null {
  if (text === 'always') return { from: null, to: null };
  const parts = /^(?<from>\d{4}(?:-\d{2})?)?(?<range>\.\.(?<to>\d{4}(?:-\d{2})?)?)?$/u.exec(text)?.groups;
  if (parts === undefined || text === '' || text === '..') return null;
  const from = parts['from'] ?? null;
  const to = parts['range'] === undefined ? from : (parts['to'] ?? null);
  return { from: monthOf(from, '01'), to: monthOf(to, '12') };
}

function monthOf(text: string | null, month: string): string | null {
  return text === null || text.length > 4 ? text : `${text}-${month}`;
}

/** Whether all of `inner` is within `outer`. */
export function covers(outer: Span, inner: Span): boolean {
  const begins = outer.from === null || (inner.from !== null && inner.from >= outer.from);
  return begins && (outer.to === null || (inner.to !== null && inner.to <= outer.to));
}

/** Whether both times have a month in common. */
export function overlaps(a: Span, b: Span): boolean {
  return (a.from ?? '') <= (b.to ?? '9999-12') && (b.from ?? '') <= (a.to ?? '9999-12');
}
