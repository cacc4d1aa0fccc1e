import type { Language } from '../../kb/knowledge.ts';
import { quantitiesIn } from '../ask/quantities.ts';
import type { Fact, ReviewContext } from './check.ts';
import { foldKeyWord, readKey, type KeyDate } from './key.ts';
import { periodOfWord, periodsIn, type Period } from './period.ts';
import { restrictorsIn, type Restrictors } from './restrictor.ts';
import { isoDay, lastDay, type Span } from './span.ts';
import { wordOf, type Word } from './subject.ts';
import { readValue, type Value } from './value.ts';

/** A fact as it is read: what it is of, how much, for when. */
export interface ReadFact {
  readonly key: string;
  /** Its value as the client wrote it. */
  readonly written: string;
  readonly value: Value | null;
  /** What a passage must speak of to speak of this. */
  readonly words: readonly Word[];
  readonly per: Period | null;
  /** True for what names itself a limit, a minimum, a rate: then it is compared for being the same. */
  readonly named: boolean;
  /** True for a rate: that it keeps within a limit does not make it the right one. */
  readonly isRate: boolean;
  /** The time it is for; `null` where nothing says. */
  readonly span: Span | null;
  /** Cases that the fact itself speaks of. */
  readonly cases: Restrictors;
}

/** Words of a key that a passage need not have: they say how much, how counted, or that it is so. */
const NEUTRAL =
  /^(?:gesetzlich\w*|aktuell\w*|ist|soll|wert|betrag|hohe|anspruch|dauer|anzahl|zahl|pro|je|im|in|am|an|der|die|das|des|den|und|fur|zum|zur|bei|mit|laut|vereinbart\w*|vertraglich\w*|tatsachlich\w*|gezahlt\w*|brutto|prozent|euro|eur|satz|mitarbeiter\w*|person|regelmassig\w*|laufend\w*|angesetzt\w*|fact|value|the|of|per|for|rate|amount|percent|days?|weeks?|months?|years?|hours?|tage?n?|wochen?|monate?n?|jahre?n?|stunden?|minuten?|werktage?n?|arbeitstage?n?|kalendertage?n?|statutory|working|worked|abrechnung\w*)$/u;
const NAMED =
  /^(?:mindest|hochst|maximal|minimal|max$|min$|mindestens$|hochstens$|limit|ceiling|minimum|maximum)|(?:grenze|limit|ceiling|satz|pauschale|pauschbetrag|freibetrag|freigrenze|grosse|hochstbetrag|mindestbetrag)$/u;
/** Named by these alone a word says nothing of what it is the limit of. */
const ONLY_NAMED =
  /^(?:max|min|mindestens|hochstens|maximal|minimal|limit|grenze|obergrenze|untergrenze|hochstgrenze|hochstbetrag|mindestbetrag|hochstsatz|mindestsatz|hochstwert|mindestwert|ceiling|maximum)$/u;
const PERIOD_FRONT =
  /^(?:stunden|std|monats|monatliche[rns]?|jahres|jahrliche[rns]?|tages|tagliche[rns]?|wochen|wochentliche[rns]?)(?=lohn|gehalt|entgelt|verdienst|verg|urlaub|arbeitszeit|satz|brutto|beitrag|pauschale|hochst)/u;
const COUNTED = /^(.{4,}?)(?:s|es)?(?:tage?|stunden|wochen|monate|jahre|prozent|betrag|anspruch)$/u;
const UNIT_WORDS: readonly (readonly [RegExp, string])[] = [
  [/(?:werktage)$/u, 'werktag'],
  [/(?:arbeitstage)$/u, 'arbeitstag'],
  [/(?:kalendertage)$/u, 'kalendertag'],
  [/(?:tage|days)$/u, 'day'],
  [/(?:wochen|weeks)$/u, 'week'],
  [/(?:monate|months)$/u, 'month'],
  [/(?:stunden|hours)$/u, 'hour'],
  [/(?:minuten|minutes)$/u, 'minute'],
  [/(?:jahre|years)$/u, 'year'],
  [/^(?:prozent|percent)$/u, '%'],
  [/^(?:euro|eur)$/u, 'eur'],
];
/** Keys of facts that say what time the whole context is for. */
const PERIOD_KEY =
  /^(?:abrechnungs\w*|zeitraum|leistungs(?:monat|zeitraum)|stichtag|monat|jahr|kalenderjahr|lohnmonat|period|month|year|date)$/u;

/** All facts of a context, and the time that it or the question gives for those that give none. */
export function readFacts(question: string, context: ReviewContext, language: Language): ReadFact[] {
  const facts = context.facts ?? [];
  const shared = spanOfContext(facts, language) ?? spanOfText(question, language);
  return facts.map((fact) => readFact(fact, shared, language));
}

export function readFact({ key, value, note }: Fact, shared: Span | null, language: Language): ReadFact {
  const { words, date } = readKey(key);
  const folded = words.map(foldKeyWord);
  const read = withUnit(readValue(value, language), folded);
  const period = folded.map(periodOfWord).find((each) => each !== null) ?? periodsIn(note ?? '')[0] ?? null;
  const own = read?.kind === 'amount' ? read.per : null;
  return {
    key,
    written: value,
    value: read,
    words: folded.flatMap(subjectsOf).map(wordOf),
    per: own ?? period,
    named: folded.some((word) => NAMED.test(word)),
    isRate: folded.some((word) => /(?:beitrags|umlage|steuer)satz$/u.test(word)),
    span: date === null ? (spanOfText(note ?? '', language) ?? shared) : spanOf(date),
    cases: restrictorsIn([words.join(' '), note ?? '']),
  };
}

/** The words of a key's word that a passage must have. */
function subjectsOf(word: string): string[] {
  if (NEUTRAL.test(word) || ONLY_NAMED.test(word) || periodOfWholeWord(word)) return [];
  const bare = word.replace(PERIOD_FRONT, '');
  const counted = COUNTED.exec(bare)?.[1];
  const named = /^(.{4,}?)s?(?:ober|unter|hochst)?grenze$/u.exec(bare)?.[1];
  const kept = /bemessungsgrenze$|entgeltgrenze$/u.test(bare) ? bare : (named ?? counted ?? bare);
  return NEUTRAL.test(kept) || ONLY_NAMED.test(kept) ? [] : [kept];
}

const periodOfWholeWord = (word: string): boolean =>
  periodOfWord(word) !== null &&
  /^(?:\w*lich\w*|tag|woche|monat|jahr|quartal|stunde|hour|hourly|daily|weekly|monthly|yearly|annual|mtl)$/u.test(
    word,
  );

/** A bare number takes the unit that its key names: `arbeitstage_pro_woche` `5`. */
function withUnit(value: Value | null, words: readonly string[]): Value | null {
  if (value?.kind !== 'amount' || value.unit !== null) return value;
  const units = UNIT_WORDS.filter(([pattern]) => words.some((word) => pattern.test(word)));
  return units.length === 0 ? value : { ...value, unit: units[0]![1] };
}

function spanOf({ year, month }: KeyDate): Span {
  return month === null
    ? { from: isoDay(year, 1, 1), to: isoDay(year, 12, 31) }
    : { from: isoDay(year, month, 1), to: lastDay(year, month) };
}

/** The one month or year that a text names; `null` for none and for several. */
export function spanOfText(text: string, language: Language): Span | null {
  const dates = quantitiesIn(text, language).filter(
    ({ kind, value }) => kind === 'date' && /^\d/u.test(value),
  );
  const days = [...new Set(dates.map(({ value }) => value))];
  if (days.length > 1) return null;
  if (days.length === 1) {
    const [year, month, day] = days[0]!.split('-').map(Number);
    if (day !== undefined) return { from: days[0]!, to: days[0]! };
    return spanOf({ year: year!, month: month! });
  }
  const years = [...new Set(text.match(/(?<![\p{L}\d.,])(?:19|20)\d{2}(?![\p{L}\d]|[.,]\d)/gu) ?? [])];
  return years.length === 1 ? spanOf({ year: Number(years[0]), month: null }) : null;
}

function spanOfContext(facts: readonly Fact[], language: Language): Span | null {
  for (const { key, value } of facts) {
    const { words } = readKey(key);
    if (words.length > 0 && words.every((word) => PERIOD_KEY.test(foldKeyWord(word)))) {
      return spanOfDate(value, language) ?? spanOfText(value, language);
    }
  }
  return null;
}

function spanOfDate(text: string, language: Language): Span | null {
  const value = readValue(text, language);
  if (value?.kind !== 'date') return null;
  const { year, month, day } = value;
  return day === null
    ? spanOf({ year, month })
    : { from: isoDay(year, month, day), to: isoDay(year, month, day) };
}
