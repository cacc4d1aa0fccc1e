import type { ReviewBase } from './review-base.ts';
import type { Fact } from './facts.ts';
import type { SlipTime } from './slip-time.ts';
import { judge, type Judgement } from './judge.ts';
import { withSingleErrors, type SingleError } from './single-error.ts';

/**
 * Judges all facts of a slip. If one value's error explains several warnings, only that value has a warning, and
 * nothing that depends on it.
 */
export function judgeSlip(
  facts: readonly Fact[],
  time: SlipTime,
  base: ReviewBase,
): ReadonlyMap<Fact, Judgement | SingleError> {
  const each = (of: readonly Fact[]): ReadonlyMap<Fact, Judgement> => judgeEach(of, time, base);
  const judged = each(facts);
  return [...judged.values()].some(isWrong)
    ? withSingleErrors(judged, { facts, time, base, judgeEach: each })
    : judged;
}

/**
 * Judges each fact of a slip. A fact with a warning does not hide the others: facts that depend on it are judged again,
 * once as if the slip had the correct value for it, and once as if it had none. Facts that are correct in one of these
 * ways are confirmed. Only facts that are wrong as sent, and in both of these ways, get a warning, so that one wrong
 * base never causes a second warning. All others depend on something wrong.
 */
function judgeEach(facts: readonly Fact[], time: SlipTime, base: ReviewBase): ReadonlyMap<Fact, Judgement> {
  const settled = new Map<Fact, Judgement>();
  const doubted = new Map<Fact, Fact | null>();
  let open = new Map<Fact, Pending>(
    facts.map((fact) => [fact, { judgement: judge(fact, facts, time, base), doubts: [], held: false }]),
  );
  while (open.size > 0) {
    const wrong = new Map(
      [...open].flatMap(([fact, { judgement }]) => (isWrong(judgement) ? [[fact, judgement] as const] : [])),
    );
    const next = new Map<Fact, Pending>();
    let isNew = false;
    for (const [fact, { judgement, doubts, held }] of open) {
      const bases = wrongBases(fact, judgement, wrong);
      const all = [...new Set([...doubts, ...bases.map(({ key }) => key)])];
      if (bases.length > 0) {
        next.set(fact, { judgement, doubts: all, held: held || !isWrong(judgement) });
        continue;
      }
      const isUnsettled = doubts.length > 0 && ('reason' in judgement || (held && isWrong(judgement)));
      settled.set(fact, isUnsettled ? restsOn(doubts) : judgement);
      if (!wrong.has(fact)) continue;
      doubted.set(fact, isUnsettled ? null : putRight(fact, judgement));
      isNew = true;
    }
    // Facts that depend on each other in a circle decide nothing.
    if (!isNew) {
      for (const [fact, { doubts }] of next) settled.set(fact, restsOn(doubts));
      break;
    }
    const again = judgeWithout(doubted, facts, time, base);
    open = new Map([...next].map(([fact, pending]) => [fact, { ...pending, judgement: again(fact) }]));
  }
  const again = judgeWithout(doubted, facts, time, base);
  return new Map(
    facts.map((fact) => {
      const judgement = settled.get(fact)!;
      return [fact, doubted.size === 0 ? judgement : orConfirmed(judgement, () => again(fact))];
    }),
  );
}

interface Pending {
  readonly judgement: Judgement;
  /** The keys of the wrong facts on which the fact depended so far. */
  readonly doubts: readonly string[];
  /** Whether the fact was correct once with the correct value of a wrong fact, or without that fact. */
  readonly held: boolean;
}

const restsOn = (keys: readonly string[]): Judgement => ({ reason: { kind: 'rests on wrong', keys } });

const isWrong = (judgement: Judgement): boolean =>
  'judged' in judgement && judgement.judged.some(({ holds }) => !holds);

const isRight = (judgement: Judgement): boolean => 'judged' in judgement && !isWrong(judgement);

const givenOf = (judgement: Judgement): readonly Fact[] =>
  'judged' in judgement ? judgement.judged.flatMap(({ given }) => given) : [];

/** The wrong facts on which a result depends. If two depend on each other, both are reported. */
function wrongBases(fact: Fact, judgement: Judgement, wrong: ReadonlyMap<Fact, Judgement>): readonly Fact[] {
  return givenOf(judgement).filter(
    (each) => wrong.has(each) && !givenOf(wrong.get(each)!).some(({ key }) => key === fact.key),
  );
}

/** A wrong fact with the only value that it may have; `null` if rules only limit it, or if it has several readings. */
function putRight(fact: Fact, judgement: Judgement): Fact | null {
  if (fact.readings.length > 1 || !('judged' in judgement) || judgement.judged.length > 1) return null;
  const [{ bound }] = judgement.judged as [(typeof judgement.judged)[number]];
  const isSettled = bound.comparison === 'exactly' && bound.reading === null;
  return isSettled ? { ...fact, value: bound.value, isPutRight: true } : null;
}

/** Judges a fact with the correct values of doubted facts, if these are known, and without the doubted facts. */
function judgeWithout(
  doubted: ReadonlyMap<Fact, Fact | null>,
  facts: readonly Fact[],
  time: SlipTime,
  base: ReviewBase,
): (fact: Fact) => Judgement {
  const left = facts.filter((fact) => !doubted.has(fact));
  const right = facts.flatMap((fact) => (doubted.has(fact) ? (doubted.get(fact) ?? []) : fact));
  return (fact) => {
    const missing = judge(fact, left, time, base);
    if (right.length === left.length || isRight(missing)) return missing;
    const corrected = judge(fact, right, time, base);
    return isWrong(corrected) && !isWrong(missing) ? missing : corrected;
  };
}

/**
 * A fact that no rule judged because of a wrong one is confirmed if it is correct without that one; it gets no warning.
 */
function orConfirmed(judgement: Judgement, again: () => Judgement): Judgement {
  if (!('reason' in judgement) || judgement.reason.kind !== 'other case') return judgement;
  const without = again();
  return isRight(without) ? without : judgement;
}
