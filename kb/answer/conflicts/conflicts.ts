import type { Source } from '../../source.ts';
import type { Hit } from '../../hit.ts';
import type { Statement } from '../render.ts';
import { squeeze } from '../source-sentences.ts';
import { provisionOf } from '../validity.ts';
import { askedOf, candidatesOf, type Asked, type Candidate, type Side } from './candidates.ts';
import { contradiction, otherWording } from './contradiction.ts';
import { saysOtherwise } from './same-statement.ts';

/** The most sources that are compared, best first. */
const MAX_SOURCES = 10;
const MAX_LINES = 3;
/** Two sentences are compared closely if they share at least this part of the shorter one's words. */
const ALIKE = 0.4;

/**
 * Pairs of sentences that make one statement with different values: equal words in the same order except for a figure
 * (with the same unit), a time or a name. Precision comes first, because a false alarm discredits the true ones:
 *
 * - both sources have the question's names; so do both sentences, unless one of them is the answer;
 * - only one kind of value differs, the kind that is asked for, and no negation differs;
 * - passages of different years, or on different provisions, are different cases however alike their words.
 */
export function findConflicts(
  question: string,
  hits: readonly Hit[],
  statements: readonly Statement[],
): readonly (readonly [Side, Side])[] {
  const compared = hits
    .slice(0, MAX_SOURCES)
    .filter(({ source }, _, all) => all.some((other) => sameCase(source, other.source)));
  if (compared.length === 0) return [];
  const asked = askedOf(question, hits);
  if (asked === null) return [];
  const quoted = new Set(statements.map((statement) => squeeze(statement.text)));
  const candidates = compared.flatMap((hit) => candidatesOf(hit, asked, quoted));
  const found: { sides: readonly [Side, Side]; share: number }[] = [];
  for (const [i, left] of candidates.entries()) {
    for (const right of candidates.slice(i + 1)) {
      if (!(left.relevant && right.relevant) && !left.quoted && !right.quoted) continue;
      if (!sameCase(left.source, right.source) || !alike(left.terms, right.terms)) continue;
      const share = shareOf(left, right, asked);
      if (share > 0) found.push({ sides: [left, right], share });
    }
  }
  return distinct(found.toSorted((a, b) => b.share - a.share).map(({ sides }) => sides));
}

/**
 * How alike two sentences are, 0 … 1; 0 if they do not contradict each other. Sentences of documents must differ in
 * nothing else.
 */
function shareOf(left: Candidate, right: Candidate, asked: Asked): number {
  if (left.source.units !== undefined || right.source.units !== undefined)
    return Number(saysOtherwise(left, right));
  return Math.max(contradiction(left, right, asked), otherWording(left, right, asked));
}

/** A cheap test that every contradiction passes: the sentences share words, and a good part of the shorter one. */
function alike(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.intersection(right).size >= Math.max(1, ALIKE * Math.min(left.size, right.size));
}

/** Sources of different years, or on different provisions, do not contradict each other, however alike their words. */
function sameCase(left: Source, right: Source): boolean {
  if (left === right || left.lang !== right.lang || left.year !== right.year) return false;
  const [a, b] = [provisionOf(left), provisionOf(right)];
  return a === null || b === null || a === b;
}

/** The pairs in which at least one source is not in an earlier pair. */
function distinct(pairs: readonly (readonly [Side, Side])[]): (readonly [Side, Side])[] {
  const lines: (readonly [Side, Side])[] = [];
  const seen = new Set<Source>();
  for (const [left, right] of pairs) {
    if (lines.length === MAX_LINES || (seen.has(left.source) && seen.has(right.source))) continue;
    seen.add(left.source).add(right.source);
    lines.push([left, right]);
  }
  return lines;
}
