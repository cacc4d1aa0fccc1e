import type { Language } from '../../kb/knowledge.ts';
import type { Bound } from './bound.ts';
import type { Candidate } from './candidate.ts';
import type { Check } from './check.ts';
import type { ReadFact } from './fact.ts';
import { format, placesOf } from './rational.ts';
import { checkOf } from './section.ts';

const BOUNDS: Readonly<Record<Language, Readonly<Record<Bound, string>>>> = {
  de: { exact: '', min: 'mindestens ', max: 'höchstens ', above: 'mehr als ', below: 'weniger als ' },
  en: { exact: '', min: 'at least ', max: 'at most ', above: 'more than ', below: 'less than ' },
};
const MAX_QUOTE = 400;

/** The line for a fact: what it gives, what the passage states, and its words. It says no third value. */
export function sayFact(
  fact: ReadFact,
  holds: boolean,
  { statement, comparison }: Candidate,
  language: Language,
): Check {
  const stated = `${BOUNDS[language][comparison.bound]}${statement.figure.written}${scaledText(comparison.scaled, language)}`;
  const quote = short(statement.quote);
  const detail =
    language === 'de'
      ? `Angegeben ist ${fact.written}; die Fundstelle nennt ${stated}: „${quote}“`
      : `Given is ${fact.written}; the source states ${stated}: “${quote}”`;
  return checkOf(holds ? 'ok' : 'warn', fact.key, detail, [statement.source.id]);
}

function scaledText(scaled: Candidate['comparison']['scaled'], language: Language): string {
  if (scaled === null) return '';
  const [days, value] = [scaled.days, scaled.of].map((each) => format(each, placesOf(each, 2), language));
  return language === 'de'
    ? ` bei sechs Arbeitstagen je Woche, das sind ${value} bei ${days}`
    : ` for six working days a week, that is ${value} for ${days}`;
}

const short = (quote: string): string =>
  quote.length <= MAX_QUOTE ? quote : `${quote.slice(0, quote.lastIndexOf(' ', MAX_QUOTE))} …`;
