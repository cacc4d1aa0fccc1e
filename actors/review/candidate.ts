import { isMet, type Circumstances } from './circumstances.ts';
import { compareWith, inOneUnit, type Comparison } from './compare.ts';
import type { ReadFact } from './fact.ts';
import { readKey } from './key.ts';
import { compare } from './rational.ts';
import { isExclusive, isGroup, restrictorsIn, subjectOfWork, type Restrictors } from './restrictor.ts';
import type { Source } from '../../kb/knowledge.ts';
import { ALWAYS, overlaps, type Span } from './span.ts';
import type { Statement } from './statement.ts';
import { isStopWord } from '../../kb/analysis/stop-words.ts';
import { isSame, Subject, wordOf, wordsIn, type Place, type Word } from './subject.ts';
import type { Amount } from './value.ts';

/** A statement that speaks of what a fact is of. */
export interface Candidate {
  readonly statement: Statement;
  readonly comparison: Comparison;
  /** Cases and conditions of the statement that the context meets. */
  readonly met: number;
  /** Those of which the context says nothing: it is not certain that the statement is about this. */
  readonly open: readonly string[];
  /** True where its own clause, or what leads into it, speaks of the thing itself. */
  readonly direct: boolean;
}

/** Cases of the context under which a statement that does not speak of them may not hold. */
const SETS_APART = new Set(['trial', 'one-off', 'short time', 'mining', 'household', 'long unemployed']);

/** The statement as a candidate for the fact; `null` where it is about something else, another time or another case. */
export function candidateFor(
  fact: ReadFact,
  amount: Amount,
  statement: Statement,
  circumstances: Circumstances,
  lastYear: number,
): Candidate | null {
  if (inOneUnit(amount, statement.figure) === null && !areDays(amount, statement)) return null;
  if (!inTime(fact, statement, lastYear) || isOtherSide(fact, statement)) return null;
  if (isAgeOnly(fact, statement) || isOfMonth(fact, amount, statement) || isTotalOnly(fact, statement))
    return null;
  const subject = subjectOf(statement);
  const places = fact.words.map((word) => subject.placeOf(word));
  if (belongsToOther(fact, statement) || isAside(fact, statement)) return null;
  if (places.includes(null) || places.every((place) => place === 'title')) return null;
  if (!samePeriod(fact, amount, statement, places as Place[])) return null;
  const cases = casesMet(fact, amount, statement, circumstances);
  if (cases === null) return null;
  if (statement.resumes && !fact.words.every((word) => subject.isTitle(word))) return null;
  let { met } = cases;
  const open = [...cases.open];
  // It binds where the context says that it is such a thing.
  if (isDefinition(statement) && met === 0) open.push('definition');
  if (!opens(fact, statement, subject, circumstances, places as Place[])) open.push('opening');
  for (const condition of statement.conditions) {
    const holds = isMet(condition, fact, circumstances.facts);
    if (holds === false) return null;
    if (holds === null) open.push('condition');
    else met += 1;
  }
  // Who gives the years of service means the notice that goes by them.
  const unclear = statement.conditions.length > 0 ? open.filter((name) => name !== 'party') : open;
  const comparison = compareWith(fact, amount, statement, circumstances.weekDays);
  const direct = places.every((place) => place !== 'opening' && place !== 'title');
  return comparison === null ? null : { statement, comparison, met, open: unclear, direct };
}

/**
 * Whether what other clauses say before the figure is so: where the context speaks of it for the better part, or where
 * it is the basic case of a source whose title is the fact's subject.
 */
function opens(
  fact: ReadFact,
  { opening, first, conditions, defines }: Statement,
  subject: Subject,
  { words: said }: Circumstances,
  places: readonly Place[],
): boolean {
  // A condition with a figure is judged by that.
  if (opening === '' || defines || conditions.length > 0) return true;
  if (places.includes('opening')) return false;
  if (first && fact.words.every((word) => subject.isTitle(word))) return true;
  const asked = wordsIn(opening).filter(
    ({ folded }) => folded.length > 3 && !isStopWord(folded, 'de') && !PARTIES.test(folded),
  );
  const met = asked.filter((word) => said.some((other) => isSame(word, other)));
  return 2 * met.length > asked.length;
}

const PARTIES = /^(?:arbeitgeber|arbeitnehmer)/u;

const ATTACHED = /(\p{Lu}\p{L}+)\s+(?:von|of|in Höhe von)\s+(?:\p{Ll}+\s+){0,2}$/u;
const GENERIC =
  /^(?:hohe|betrag|dauer|satz|wert|grenze|zeitraum|umfang|anteil|summe|rate|limit|amount|period|fall|prozentsatz)$/u;

/** The noun that a figure is an amount of: `Frist` in `eine Frist von zwei Wochen`. */
export function attachedTo({ own, figure }: Statement): Word | null {
  const noun = ATTACHED.exec(own.slice(0, own.indexOf(figure.written)))?.[1];
  return noun === undefined ? null : wordOf(noun);
}

/** `bis zur Vollendung des dritten Lebensjahres` is an age. */
const isAgeOnly = ({ key }: ReadFact, { figure }: Statement): boolean =>
  /lebensjahr/iu.test(figure.written) && !/alter|age|geburt|lebens/u.test(key);

/** Days of leave of one month are no days of a year. */
const isOfMonth = ({ key, per }: ReadFact, { unit }: Amount, statement: Statement): boolean =>
  per === null &&
  statement.per === 'year' &&
  DAYS.test(unit ?? '') &&
  (readKey(key).date?.month ?? null) !== null;

/** A sum of several is not what a passage states of one. */
const isTotalOnly = ({ words }: ReadFact, { quote, source }: Statement): boolean =>
  words.some(({ folded }) => folded.startsWith('gesamt')) &&
  !/gesamt|total/iu.test(`${source.title} ${quote}`);

/** `nicht ohne Ruhepause`, `vor Ablauf der Befristung`, `der als Sachbezug …`: the figure is of something else there. */
const ASIDE =
  /(?<!\p{L})(?:ohne|without|als|as|(?:vor|nach) (?:Ablauf|Beginn|Ende|Beendigung) (?:der|des|einer|eines))\s+(?:\p{Ll}+\s+)?\p{L}+/giu;

function isAside({ words }: ReadFact, { own, before }: Statement): boolean {
  const clause = `${before} ${own}`;
  const rest = wordsIn(clause.replaceAll(ASIDE, ' '));
  const said = wordsIn(clause);
  const has = (all: readonly Word[]): boolean =>
    words.some((word) => all.some((other) => isSame(word, other)));
  return has(said) && !has(rest);
}

/** `Probezeit von längstens sechs Monaten` says nothing of a period of notice, though that stands in the sentence. */
function belongsToOther({ words }: ReadFact, statement: Statement): boolean {
  const attached = attachedTo(statement);
  if (attached === null) return false;
  return !(
    GENERIC.test(attached.folded) ||
    words.some((word) => isSame(word, attached) || word.folded.endsWith(attached.stem))
  );
}

/** Law requires at least and at most; `mehr als acht Stunden` tells a case apart. */
const isDefinition = ({ defines, bound }: Statement): boolean =>
  defines || bound === 'above' || bound === 'below';

/** An `obergrenze` is none of what is stated from below. */
function isOtherSide({ key }: ReadFact, { bound }: Statement): boolean {
  if (/ober|hoechst|maxim|(?:^|_)max(?:_|$)/u.test(key)) return bound === 'min' || bound === 'above';
  return (
    /unter(?!halt|brech)|mindest|minim|(?:^|_)min(?:_|$)/u.test(key) && (bound === 'max' || bound === 'below')
  );
}

const DAYS = /^(?:day|werktag|arbeitstag)$/u;

const areDays = ({ unit }: Amount, { figure }: Statement): boolean =>
  DAYS.test(unit ?? '') && DAYS.test(figure.unit);

const subjects = new WeakMap<Statement, Subject>();

function subjectOf(statement: Statement): Subject {
  let subject = subjects.get(statement);
  if (subject === undefined) {
    subject = new Subject(statement);
    subjects.set(statement, subject);
  }
  return subject;
}

/** A text changed later than the fact says nothing of its time; without a time what holds last counts. */
function inTime(fact: ReadFact, { span, source }: Statement, lastYear: number): boolean {
  const isOpen = span.from === ALWAYS.from && span.to === ALWAYS.to;
  if (fact.span === null) {
    return !mayHaveChanged(span, source) && (span.to === null || span.to >= `${lastYear}-01-01`);
  }
  if (fact.span.from !== null && Number(fact.span.from.slice(0, 4)) > lastYear) return false;
  if (isOpen) return fact.span.to === null || source.stand <= fact.span.to.slice(0, 7);
  return overlaps(
    mayHaveChanged(span, source) ? { ...span, to: `${span.from!.slice(0, 4)}-12-31` } : span,
    fact.span,
  );
}

/** A figure `ab dem …` that an ordinance changes from time to time is certain for its first year alone. */
const BY_ORDINANCE = /Rechtsverordnung[^.]*(?:geändert|angepasst|angepaßt)/u;

const mayHaveChanged = ({ from, to }: Span, source: Source): boolean =>
  from !== null && to === null && BY_ORDINANCE.test(source.text);

/** Amounts of money and hours are for a time: another one is another amount. */
function samePeriod(
  fact: ReadFact,
  { unit, per }: Amount,
  statement: Statement,
  places: readonly Place[],
): boolean {
  if (unit !== 'eur' && unit !== 'hour') {
    // Days a week are no days.
    if (per !== null) return per === statement.per;
    return fact.per === null || statement.per === null || fact.per === statement.per || unit === '%';
  }
  if (statement.perOther && !places.includes('own')) return false;
  if (fact.per === statement.per) return true;
  const isNamed = fact.named || fact.words.length > 1;
  return (
    isNamed &&
    unit === 'eur' &&
    (fact.per === null || statement.per === null) &&
    (fact.named || statement.bound === 'exact')
  );
}

interface Cases {
  /** Those that the sentence speaks of, and those of its source's title. */
  readonly stated: Restrictors;
  readonly titled: Restrictors;
}

const casesKnown = new WeakMap<Statement, Cases>();

function casesOf(statement: Statement): Cases {
  let cases = casesKnown.get(statement);
  if (cases === undefined) {
    const { own, before, opening, after, lead, source } = statement;
    const titled = new Map(restrictorsIn([`${source.title} ${subjectOfWork(source.work)}`]));
    // `Verlängerte Kündigungsfristen`: what a title so calls is the rule of its source.
    titled.delete('exception');
    cases = { stated: restrictorsIn([own, before, opening, after, lead]), titled };
    casesKnown.set(statement, cases);
  }
  return cases;
}

function casesMet(
  fact: ReadFact,
  amount: Amount,
  statement: Statement,
  { cases: context }: Circumstances,
): { met: number; open: string[] } | null {
  const { stated, titled } = casesOf(statement);
  const cases = new Map([...titled, ...stated]);
  let met = 0;
  const open: string[] = [];
  for (const [name, values] of cases) {
    const given = fact.cases.get(name) ?? context.get(name);
    const shared = given !== undefined && [...values].some((value) => given.has(value));
    if (shared) met += 1;
    // `Urlaub für Jugendliche und Auszubildende`: one of the groups of a title is enough.
    else if (
      isGroup(name) &&
      !stated.has(name) &&
      [...titled.keys()].some((other) => isGroup(other) && context.has(other))
    )
      continue;
    else if (given !== undefined && isExclusive(name)) return null;
    else if (!(name === 'kind' && values.has('general'))) open.push(name);
  }
  for (const name of new Set([...context.keys(), ...fact.cases.keys()])) {
    if (cases.has(name)) continue;
    const apart =
      isGroup(name) ||
      SETS_APART.has(name) ||
      (name === 'marginal' && amount.unit === '%') ||
      (name === 'part' && DAYS.test(amount.unit ?? ''));
    if (apart) return null;
  }
  return { met, open };
}

/** Of steps (`nach fünf Jahren`, `nach acht Jahren`) the last that is reached, of ages the first. */
export function lastSteps(candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter((candidate) => {
    const condition = candidate.statement.conditions[0];
    if (condition === undefined) return true;
    const upward = condition.bound === 'min' || condition.bound === 'above';
    return !candidates.some(({ statement }) => {
      const other = statement.conditions[0];
      if (other === undefined || statement.source !== candidate.statement.source) return false;
      if (other.bound !== condition.bound || statement.lead !== candidate.statement.lead) return false;
      const order = compare(other.figure.value, condition.figure.value);
      return upward ? order > 0 : order < 0;
    });
  });
}
