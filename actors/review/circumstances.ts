import type { ReviewContext } from './check.ts';
import type { Condition } from './condition.ts';
import { inOneUnit } from './compare.ts';
import type { ReadFact } from './fact.ts';
import { readKey } from './key.ts';
import { compare, rational, type Rational } from './rational.ts';
import { restrictorsIn, type Restrictors } from './restrictor.ts';
import { isSame, wordsIn, type Word } from './subject.ts';

/** What the context says of the case under review as a whole. */
export interface Circumstances {
  /** Cases that the question, the notes and the facts in words speak of. */
  readonly cases: Restrictors;
  /** Working days a week; `null` where nothing, or more than one thing, says. */
  readonly weekDays: Rational | null;
  readonly facts: readonly ReadFact[];
  /** Words of the question, the keys and the notes. */
  readonly words: readonly Word[];
}

/** Keys that say that someone was there for a part of the year. */
const PART_OF_YEAR =
  /eintritt|austritt|anteilig|beschaeftigungsmonat|beschaeftigte_monate|monate_beschaeftigt|volle_monate|eingetreten|ausgetreten/u;
const DENIED = /^(?:nein|no|false|0|keine?|nicht)$/iu;
const ADULT = rational(18n);

export function circumstancesOf(
  question: string,
  context: ReviewContext,
  facts: readonly ReadFact[],
): Circumstances {
  const { computation } = context;
  const inWords = (context.facts ?? []).flatMap(({ key, value, note }, i) =>
    facts[i]!.value === null && !DENIED.test(value.trim())
      ? [`${readKey(key).words.join(' ')} ${value}`, note ?? '']
      : [note ?? ''],
  );
  const young = facts.some(
    ({ key, value }) => isAge(key) && value?.kind === 'amount' && compare(value.value, ADULT) < 0,
  );
  const texts = [
    question,
    ...inWords,
    computation?.label ?? '',
    computation?.basis ?? '',
    young ? 'Jugendliche' : '',
    ...facts.map(({ key }) => (PART_OF_YEAR.test(key) ? 'anteilig' : '')),
  ];
  const keys = facts.map(({ key }) => readKey(key).words.join(' '));
  return {
    cases: restrictorsIn([texts.join('. ')]),
    weekDays: weekDaysOf(facts),
    facts,
    words: wordsIn([...texts, ...keys].join(' ')),
  };
}

const isAge = (key: string): boolean => /(?:^|[_.-])(?:lebens)?(?:alter|age)(?:[_.-]|$)/u.test(key);

function weekDaysOf(facts: readonly ReadFact[]): Rational | null {
  const found = facts.flatMap(({ key, value }) => {
    if (value?.kind !== 'amount') return [];
    const isWeek = value.per === 'week' && /^(?:day|arbeitstag|werktag)$/u.test(value.unit ?? '');
    const named = /(?:tage|days).*(?:woche|week)|(?:woche|week).*(?:tage|days)|wochentage/u.test(key);
    const fits = value.value.d === 1n && value.value.n >= 1n && value.value.n <= 7n;
    return fits && (isWeek || (named && value.unit !== 'hour')) ? [value.value] : [];
  });
  return new Set(found.map(({ n }) => n)).size === 1 ? found[0]! : null;
}

const AGE_WORDS = /\balt\b|lebensjahr|jahren?\b.*\balt|of age|\bold\b|under|jugendliche/iu;
const TENURE_WORDS = /betrieb|bestanden|beschäftig|arbeitsverhältnis|zugehörigkeit|service|employ/iu;
const TENURE_KEY =
  /zugehorigkeit|dienstjahr|dienstzeit|beschaftigungs(?:dauer|jahr|zeit)|betriebs(?:jahr|zu)|tenure|service/u;

/** Whether a condition is met by a fact other than the one under review; `null` where no fact, or several, tell. */
export function isMet(condition: Condition, fact: ReadFact, facts: readonly ReadFact[]): boolean | null {
  const evidence = facts.filter((other) => other !== fact && speaksOf(other, condition));
  if (evidence.length !== 1) return null;
  const value = evidence[0]!.value;
  if (value?.kind !== 'amount') return null;
  const pair = inOneUnit(value, condition.figure);
  if (pair === null) return null;
  const order = compare(pair[0], pair[1]);
  switch (condition.bound) {
    case 'min':
      return order >= 0;
    case 'max':
      return order <= 0;
    case 'above':
      return order > 0;
    case 'below':
      return order < 0;
  }
}

/** Hours of one day at most: a longer time is one of a week or a month. */
const DAY = rational(24n);

function speaksOf(fact: ReadFact, { figure, words }: Condition): boolean {
  const { value, key } = fact;
  if (value?.kind !== 'amount' || inOneUnit(value, figure) === null) return false;
  const folded = wordsIn(key.replaceAll(/[^a-z]+/gu, ' '))
    .map((word) => word.folded)
    .join(' ');
  if (figure.unit === 'year' && AGE_WORDS.test(words)) return isAge(key);
  if (/^(?:year|month|week)$/u.test(figure.unit) && TENURE_WORDS.test(words)) return TENURE_KEY.test(folded);
  if (figure.unit === 'hour' && (compare(value.value, DAY) > 0 || (fact.per !== null && fact.per !== 'day')))
    return false;
  const said = wordsIn(words);
  return fact.words.length > 0 && fact.words.every((word) => said.some((other) => isSame(word, other)));
}
