import type { Language, Source } from '../../kb/knowledge.ts';
import { splitSentences } from '../../kb/sentences.ts';
import { numberWord } from '../ask/number-words.ts';
import { compareDays, dayOf, lastBankingDay, nextMonth, nextWorkday, type Day } from './calendar.ts';
import type { Check } from './check.ts';
import type { Circumstances } from './circumstances.ts';
import { readDate } from './value.ts';
import type { ReadFact } from './fact.ts';
import { datesIn } from './figures.ts';
import { isExclusive, restrictorsIn } from './restrictor.ts';
import { checkOf } from './section.ts';
import { isSame, wordsIn } from './subject.ts';

/** A day by which something is due, as a passage puts it. */
interface Deadline {
  readonly source: Source;
  readonly quote: string;
  readonly rule:
    | { readonly kind: 'banking day'; readonly fromEnd: number; readonly next: boolean }
    | { readonly kind: 'day of next month'; readonly day: number }
    | { readonly kind: 'day of a year'; readonly month: number; readonly day: number };
}

const BANKING_DAY =
  /(?<!\p{L})(dritt|vor|third-|second-)?(?:letzte[nrms]?|last)\s+(?:bankarbeitstag|banking day)/iu;
const FROM_END: Readonly<Record<string, number>> = { dritt: 3, vor: 2, 'third-': 3, 'second-': 2 };
const NEXT_MONTH = /folgemonat|folgenden monat|following month|der auf den monat|month that follows/iu;
const DAY_AFTER =
  /(?:am|zum|bis zum)\s+(\p{L}+ten|\d{1,2}\.)\s+Tage?s?\s+nach\s+(?:Ablauf|Ende)\s+(?:des|eines jeden|jedes)\s+(?:\p{L}+-?)*(?:Monats|zeitraums)/iu;
/** `also … im April`: an example of the rule. */
const EXAMPLE = /bankarbeitstag\s+im\s+\p{Lu}|also\s+spätestens/u;
const UNTIL = /(?:bis|spätestens|until|by)\s+(?:spätestens\s+|zum\s+|am\s+|the\s+)*$/iu;
/** Words of a key that say that it is a deadline, not of what. */
const IS_DEADLINE =
  /^(?:fallig\w*|frist\w*|termin\w*|abgabe\w*|zahlung\w*|zahltag\w*|zahlungsziel|verfall\w*|verfallt|stichtag|due|deadline|spatestens|bis|abgabefrist)$/u;
const MONTHLY_ONLY = /bei monatlichem|monthly (?:return|filing)/iu;

/** The check of a fact that is a day, or puts one as a passage does (`drittletzter Bankarbeitstag`). */
export function judgeDeadline(
  fact: ReadFact,
  sources: readonly Source[],
  circumstances: Circumstances,
  question: string,
  lastYear: number,
  language: Language,
): Check | null {
  const words = fact.words.filter(({ folded }) => !IS_DEADLINE.test(folded));
  const { value, span } = fact;
  const year = value?.kind === 'date' ? value.year : Number(span?.from?.slice(0, 4) ?? lastYear);
  if (
    year > lastYear ||
    words.length === 0 ||
    !/(?:f(?:ae)?llig|frist|termin|abgabe|zahl|verfall|due|deadline|anmeldung|sp(?:ae)?test)/u.test(fact.key)
  )
    return null;
  const told = sources
    .filter(({ stand }) => stand <= `${year}-12`)
    .flatMap(deadlinesIn)
    .filter(({ quote }) => {
      const said = wordsIn(quote);
      return (
        words.every((word) => said.some((other) => isSame(word, other))) &&
        sameCase(quote, fact, circumstances)
      );
    })
    .map((deadline) => ({ deadline, holds: holdsFor(fact, deadline) }))
    .filter(({ holds }) => holds !== null);
  const first = told[0];
  if (first === undefined || told.some(({ holds }) => holds !== first.holds)) return null;
  const { deadline, holds } = first;
  if (!holds && MONTHLY_ONLY.test(deadline.quote) && !/monatlich|monthly/iu.test(question)) return null;
  const detail =
    language === 'de'
      ? `Angegeben ist ${fact.written}; die Fundstelle nennt: „${deadline.quote}“`
      : `Given is ${fact.written}; the source states: “${deadline.quote}”`;
  return checkOf(holds === true ? 'ok' : 'warn', fact.key, detail, [deadline.source.id]);
}

function sameCase(quote: string, fact: ReadFact, { cases: context }: Circumstances): boolean {
  return [...restrictorsIn([quote])].every(([name, values]) => {
    const given = fact.cases.get(name) ?? context.get(name);
    if (given === undefined)
      return !(name === 'part' || name === 'first' || name === 'household' || name === 'late');
    return !isExclusive(name) || [...values].some((value) => given.has(value));
  });
}

function deadlinesIn(source: Source): Deadline[] {
  const sentences = splitSentences(source.text);
  return sentences.flatMap(({ text, lead }): Deadline[] => {
    const own = text.replaceAll(/\s+/gu, ' ');
    const quote = [...(lead === null ? [] : [sentences[lead]!.text]), text]
      .join(' ')
      .replaceAll(/\s+/gu, ' ');
    if (EXAMPLE.test(own)) return [];
    const banking = BANKING_DAY.exec(own);
    if (banking !== null) {
      const fromEnd = FROM_END[banking[1]?.toLowerCase() ?? ''] ?? 1;
      return [{ source, quote, rule: { kind: 'banking day', fromEnd, next: NEXT_MONTH.test(own) } }];
    }
    const after = DAY_AFTER.exec(own)?.[1];
    const day =
      after === undefined ? undefined : (numberWord(after, source.lang) ?? Number.parseInt(after, 10));
    if (day !== undefined && day >= 1 && day <= 28)
      return [{ source, quote, rule: { kind: 'day of next month', day } }];
    const dates = datesIn(own, source.lang).filter(({ start }) => UNTIL.test(own.slice(0, start)));
    if (dates.length !== 1 || !dates[0]!.value.startsWith('-')) return [];
    const [month, dayOfMonth] = dates[0]!.value.replace(/^-+/u, '').split('-').map(Number);
    return [{ source, quote, rule: { kind: 'day of a year', month: month!, day: dayOfMonth! } }];
  });
}

/** `null` where the fact cannot be held against the deadline. */
function holdsFor({ value, written, span }: ReadFact, { rule }: Deadline): boolean | null {
  if (rule.kind === 'banking day' && value === null) {
    const given = BANKING_DAY.exec(written);
    if (given === null) return null;
    if ((FROM_END[given[1]?.toLowerCase() ?? ''] ?? 1) !== rule.fromEnd) return false;
    return NEXT_MONTH.test(written) === rule.next || !/monat|month/iu.test(written);
  }
  const day = value?.kind === 'date' ? dayOf(value) : null;
  if (day === null) return null;
  if (rule.kind === 'day of a year') return upTo(day, { year: day.year, month: rule.month, day: rule.day });
  // Which month's work it is for must be said.
  const month =
    span?.from === undefined || span.from === null || span.to === null
      ? null
      : readDate(span.from.slice(0, 7));
  if (month === null || span?.from?.slice(0, 7) !== span?.to?.slice(0, 7)) return null;
  if (rule.kind === 'day of next month') return upTo(day, { ...nextMonth(month), day: rule.day });
  const due = rule.next ? nextMonth(month) : month;
  const last = lastBankingDay(due.year, due.month, rule.fromEnd);
  if (last === null) return null;
  const order = compareDays(day, last);
  return order === 0 ? true : order > 0 ? false : null;
}

/** On the day is right and later is not; before it, and up to the next working day, nothing is said. */
function upTo(given: Day, due: Day): boolean | null {
  const order = compareDays(given, due);
  if (order === 0) return true;
  return order > 0 && compareDays(given, nextWorkday(due)) > 0 ? false : null;
}
