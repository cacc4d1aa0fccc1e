import type { Language } from '../../kb/knowledge.ts';
import { attachedTo, candidateFor, lastSteps, type Candidate } from './candidate.ts';
import { inOneUnit } from './compare.ts';
import { compare, multiply, rational } from './rational.ts';
import type { Check } from './check.ts';
import type { Circumstances } from './circumstances.ts';
import type { ReadFact } from './fact.ts';
import { sayFact } from './say.ts';
import { statementsOf, type Statement } from './statement.ts';
import { wordsIn, isSame } from './subject.ts';
import type { Amount } from './value.ts';

/**
 * The check of one fact against what passages state; `null` where they do not say it with one voice. A statement for a
 * case that the context speaks of goes before the general one; one for a case of which it says nothing warns of
 * nothing, and keeps others from warning where the fact would be right by it.
 */
export function judgeFact(
  fact: ReadFact,
  statements: readonly Statement[],
  circumstances: Circumstances,
  lastYear: number,
  language: Language,
): Check | null {
  const { value } = fact;
  if (value?.kind !== 'amount' || value.unit === null || fact.words.length === 0) return null;
  const all = statements
    .map((statement) => candidateFor(fact, value, statement, circumstances, lastYear))
    .filter((candidate) => candidate !== null);
  const candidates = lastSteps(latest(ownFirst(fact, all)));
  const chosen = chosenOf(candidates);
  if (chosen.length === 0) return null;
  const holds = verdictOn(fact, chosen);
  if (holds === null) return null;
  if (holds && chosen.some(({ statement, comparison }) => statement.partial && comparison.bound !== 'exact'))
    return null;
  if (
    !holds &&
    (disagree(chosen) ||
      mayDiffer(chosen) ||
      isDeviation(value, chosen) ||
      isOfOtherPeriod(fact, value, chosen) ||
      candidates.some((other) => !chosen.includes(other) && excuses(other, chosen)))
  )
    return null;
  const deciding = chosen.find(({ comparison }) => comparison.holds === holds);
  return deciding === undefined ? null : sayFact(fact, holds, deciding, language);
}

/** Where a sentence says a word of one figure, it does not say it of another of its kind. */
function ownFirst(fact: ReadFact, candidates: readonly Candidate[]): Candidate[] {
  const own = new Map(candidates.map((candidate) => [candidate, ownWords(fact, candidate)]));
  const yieldsTo = (candidate: Candidate, other: Candidate): boolean => {
    const [mine, others] = [own.get(candidate)!, own.get(other)!];
    const { statement, comparison } = candidate;
    if (candidate.open.length > 0 || mine.size === fact.words.length) return false;
    if (other.statement.quote !== statement.quote) return false;
    const alike =
      other.statement.figure.unit === statement.figure.unit && other.statement.per === statement.per;
    if (alike && comparison.bound === other.comparison.bound && others.size === fact.words.length)
      return true;
    if (isNamed(fact, other) && !isNamed(fact, candidate)) return true;
    const times = TIME.test(statement.figure.unit) && TIME.test(other.statement.figure.unit);
    return (
      times &&
      other.statement.figure.start < statement.figure.start &&
      !sameTime(candidate, other) &&
      [...others].some((word) => !mine.has(word))
    );
  };
  return candidates.filter((candidate) => !candidates.some((other) => yieldsTo(candidate, other)));
}

/** `Frist von zwei Wochen` for a period of notice: the figure is an amount of what the fact is. */
function isNamed(fact: ReadFact, { statement }: Candidate): boolean {
  const noun = attachedTo(statement);
  return noun !== null && fact.words.some(({ folded }) => folded.endsWith(noun.stem));
}

const TIME = /^(?:day|week|month|year|hour|minute)$/u;

const sameTime = (a: Candidate, b: Candidate): boolean => a.statement.figure.unit === b.statement.figure.unit;

function ownWords(fact: ReadFact, { statement }: Candidate): Set<string> {
  const own = wordsIn(statement.own);
  const said = fact.words.filter((word) => own.some((found) => isSame(word, found)));
  return new Set(said.map(({ folded }) => folded));
}

/** Of what holds `ab dem …` without an end, the last beginning replaces those before it, also in another source. */
function latest(candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(
    ({ statement: { span, figure, per }, comparison }) =>
      span.to !== null ||
      span.from === null ||
      !candidates.some(
        (other) =>
          (other.statement.span.from ?? '') > span.from! &&
          other.statement.figure.unit === figure.unit &&
          other.statement.per === per &&
          other.comparison.bound === comparison.bound,
      ),
  );
}

/** Cases that passages tell apart in full (west and east): what all of them say holds whichever is meant. */
const TOLD_APART = new Set(['region', 'kind', 'hours', 'tax class']);

function chosenOf(candidates: readonly Candidate[]): Candidate[] {
  const certain = candidates.filter(({ open }) => open.length === 0);
  if (certain.length > 0) {
    const most = Math.max(...certain.map(({ met }) => met));
    const closest = certain.filter(({ met }) => met === most);
    const firm = closest.filter((candidate) => !hasProviso(candidate));
    return firm.length > 0 ? firm : closest;
  }
  const apart = candidates.filter(({ open }) => open.every((name) => TOLD_APART.has(name)));
  return apart.length > 1 && new Set(apart.map(({ statement }) => statement.source)).size === 1 ? apart : [];
}

/** `…, wenn mehrere Beschäftigungen zusammengerechnet werden`: it holds in that case, and others without one hold first. */
const hasProviso = ({ statement }: Candidate): boolean =>
  /,\s(?:wenn|falls|sofern|if|provided)(?!\p{L})/iu.test(statement.after);

/** What the chosen say together; `null` where they contradict each other. */
function verdictOn(fact: ReadFact, chosen: readonly Candidate[]): boolean | null {
  const groups = [
    ...Map.groupBy(chosen, ({ statement }) => `${statement.source.id} ${statement.quote}`).values(),
  ];
  const verdicts = groups.flatMap((group) =>
    isRange(group)
      ? [group.every(({ comparison }) => comparison.holds)]
      : group.map(({ comparison }) => comparison.holds),
  );
  if (verdicts.every(Boolean)) return true;
  if (!verdicts.some(Boolean)) return false;
  // The year's amount or the month's: the fact is one of them.
  const right = chosen.filter(({ comparison }) => comparison.holds);
  const periods = new Set(right.map(({ statement }) => statement.per));
  const others = chosen.filter(({ comparison }) => !comparison.holds);
  const byPeriod =
    fact.per === null &&
    others.every(({ statement }) => statement.per !== null && !periods.has(statement.per));
  return byPeriod && right.every(({ comparison }) => comparison.bound === 'exact') ? true : null;
}

/** Sources that state different figures for it speak of different things: which of them is meant is not certain. */
function disagree(chosen: readonly Candidate[]): boolean {
  const exact = chosen.filter(({ comparison }) => comparison.bound === 'exact');
  return exact.some((a) =>
    exact.some((b) => {
      if (a.statement.source === b.statement.source) return false;
      const pair = inOneUnit(a.statement.figure, b.statement.figure);
      return pair !== null && a.statement.per === b.statement.per && compare(pair[0], pair[1]) !== 0;
    }),
  );
}

/** Two bounds of one sentence, one from below and one from above: both must hold. */
function isRange(group: readonly Candidate[]): boolean {
  const bounds = new Set(group.map(({ comparison }) => comparison.bound));
  const low = bounds.has('min') || bounds.has('above');
  return low && (bounds.has('max') || bounds.has('below'));
}

/** A passage that lets another rule set another figure: of a difference from its own it says nothing. */
const MAY_DIFFER =
  /(?:niedrigere[nr]?|abweichende[nr]?|höhere[nr]?) (?:Beitragssatz|Umlagesatz|Satz)|(?:niedrigere|abweichende|höhere) Sätze|lower rate/u;

const mayDiffer = (chosen: readonly Candidate[]): boolean =>
  chosen.some(
    ({ statement: { figure, siblings, quote, source } }) =>
      RELAXED.test(behindIn(source.text, quote)) ||
      // An item of a list speaks for itself.
      (figure.unit === '%' && MAY_DIFFER.test(siblings.length > 0 ? quote : source.text)),
  );

/** `Sie kann auf bis zu zehn Stunden verlängert werden, wenn …`: the next sentence lets it be another in some case. */
const RELAXED =
  /^\s*(?:Sie|Er|Es|Diese[rs]?|It|They) (?:kann|können|darf|dürfen|may|can)(?!\p{L})[^.]*(?:läng|länger|kürz|erhöh|höher|niedriger|abweich|extend|reduc)/u;

function behindIn(text: string, quote: string): string {
  const plain = text.replaceAll(/\s+/gu, ' ');
  const at = plain.indexOf(quote);
  return at === -1 ? '' : plain.slice(at + quote.length);
}

const DEVIATING = /abweichend|erhöh|verläng|verkürz|ermäßig|verringer|deviat|increase|reduce/iu;

/** Right by what the same source states for a deviating case: `erhöht sich der Zuschlagssatz auf 40 Prozent`. */
const isDeviation = ({ value, unit }: Amount, chosen: readonly Candidate[]): boolean =>
  chosen.some(({ statement: { source } }) =>
    statementsOf(source).some(
      ({ figure, quote }) =>
        figure.unit === unit && compare(figure.value, value) === 0 && DEVIATING.test(quote),
    ),
  );

const SEVERAL = rational(3n);

/** An amount of money of which nobody says for what time, several times the one stated: that may be one of another time. */
const isOfOtherPeriod = (fact: ReadFact, { value, unit }: Amount, chosen: readonly Candidate[]): boolean =>
  fact.per === null &&
  unit === 'eur' &&
  chosen.some(
    ({ statement: { figure }, comparison: { bound } }) =>
      bound === 'exact' &&
      (compare(multiply(value, SEVERAL), figure.value) < 0 ||
        compare(multiply(figure.value, SEVERAL), value) < 0),
  );

/** A rule for another case, of which the context says nothing, by which the fact would be right. */
function excuses(candidate: Candidate, chosen: readonly Candidate[]): boolean {
  const { comparison, statement, met, open, direct } = candidate;
  if (!comparison.holds || !direct) return false;
  const least = Math.min(...chosen.map((each) => each.met));
  const sides = new Set(chosen.map((each) => sideOf(each)));
  const onlyExact = sides.size === 1 && sides.has('exact');
  const sameSide = comparison.bound === 'exact' || onlyExact || sides.has(sideOf({ comparison }));
  return (
    (open.length > 0 || hasProviso(candidate)) &&
    met >= least &&
    sameSide &&
    statement.figure.unit === chosen[0]!.statement.figure.unit
  );
}

/** From which side a bound limits: a highest wage excuses no low one. */
function sideOf({ comparison: { bound } }: Pick<Candidate, 'comparison'>): 'low' | 'high' | 'exact' {
  if (bound === 'exact') return 'exact';
  return bound === 'min' || bound === 'above' ? 'low' : 'high';
}
