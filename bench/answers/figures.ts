import { seeded } from '../../events/seeded.ts';
import type { Judged } from './judge.ts';

/** A share of `count` rows, and the interval that 90 % of resampled sets lie in; `NaN` where there is nothing to count. */
export interface Share {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

const RESAMPLES = 1000;

/** The share of rows that pass, with its bootstrap interval (Efron, 1979: percentiles). The same for the same rows. */
export function share(rows: readonly Judged[], passes: (row: Judged) => boolean): Share {
  const passed = rows.map((row) => Number(passes(row)));
  const random = seeded(rows.length);
  const means = Array.from({ length: rows.length === 0 ? 0 : RESAMPLES }, () =>
    mean(passed.map(() => passed[Math.floor(random() * passed.length)]!)),
  ).sort((a, b) => a - b);
  return {
    value: mean(passed),
    low: means[Math.floor(0.05 * RESAMPLES)] ?? NaN,
    high: means[Math.floor(0.95 * RESAMPLES)] ?? NaN,
    count: rows.length,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

const isCovered = ({ row }: Judged): boolean => row.expect === 'answered';
const isGiven = ({ outcome }: Judged): boolean => outcome !== 'refused';
export const isComplete = (judged: Judged): boolean => isCovered(judged) && judged.outcome === 'complete';
/** Answers what was asked, and misleads nobody: what `grounding.relevance` estimates. */
export const isRight = (judged: Judged): boolean => isComplete(judged) && !judged.misleading;

/** The figures of one set of answers, by name, in the order in which they are printed. */
export function figuresOf(rows: readonly Judged[]): Map<string, Share> {
  const covered = rows.filter(isCovered);
  const refused = (...kinds: string[]): Share =>
    share(
      rows.filter(({ row }) => row.kind !== undefined && kinds.includes(row.kind)),
      (judged) => !isGiven(judged),
    );
  const outcome = (name: Judged['outcome']): Share => share(covered, (judged) => judged.outcome === name);
  return new Map([
    ['complete', outcome('complete')],
    ['partly', outcome('partly')],
    ['none', outcome('none')],
    ['refused', outcome('refused')],
    ['off the point (of the answered)', share(covered.filter(isGiven), ({ offPoint }) => offPoint)],
    ['misleading (of all)', share(rows, ({ misleading }) => misleading)],
    ['near refused', refused('near', 'country', 'own-facts')],
    ['far refused', refused('far')],
    ['other year refused', refused('year')],
    [
      'several parts, all complete',
      share(
        covered.filter(({ row }) => row.parts > 1),
        isRight,
      ),
    ],
  ]);
}

/** How many answers are right among the likeliest 20 %, 40 % and so on, by their relevance. */
export function riskByCoverage(rows: readonly Judged[]): { coverage: number; right: Share }[] {
  const given = rows
    .filter(({ relevance }) => relevance !== null)
    .toSorted((a, b) => b.relevance! - a.relevance!);
  return [0.2, 0.4, 0.6, 0.8, 1].map((coverage) => ({
    coverage,
    right: share(given.slice(0, Math.round(coverage * given.length)), isRight),
  }));
}

const BINS = [0, 0.2, 0.4, 0.6, 0.8, 1] as const;

/** By bins of relevance: what was estimated on average, and how many are right. */
export function reliability(
  rows: readonly Judged[],
): { from: number; to: number; estimated: number; right: Share }[] {
  return BINS.slice(0, -1).map((from, i) => {
    const to = BINS[i + 1]!;
    const inside = rows.filter(
      ({ relevance }) => relevance !== null && relevance >= from && (relevance < to || to === 1),
    );
    return {
      from,
      to,
      estimated: mean(inside.map(({ relevance }) => relevance!)),
      right: share(inside, isRight),
    };
  });
}
