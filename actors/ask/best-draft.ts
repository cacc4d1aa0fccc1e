import type { Part, Draft } from '../../kb/answer/ports.ts';
import type { Statement } from '../../kb/answer/render.ts';
import type { AskContext, Judged } from './ask-context.ts';

/** Whether draft `a` has more verified statements than `b`, or equally many and fewer rejected ones. */
export function isBetter(a: Judged, b: Judged): boolean {
  const more = statementsThatHold(a).length - statementsThatHold(b).length;
  return more > 0 || (more === 0 && a.verdict.failures.length < b.verdict.failures.length);
}

function statementsThatHold({ written, verdict }: Judged): readonly Statement[] {
  const failed = new Set(verdict.failures.map(({ text }) => text));
  return statementsOf(written).filter(({ text }) => !failed.has(text));
}

const statementsOf = ({ sentences }: Draft): Statement[] =>
  sentences.filter((sentence) => sentence.kind === 'statement');

/**
 * Hands over from the language model, which has finished or failed, to quoting: the verified part of its best draft is
 * kept.
 */
export function handedOver(context: AskContext): Partial<AskContext> {
  const { best, leftOut } = context;
  const statements = best === null ? [] : statementsThatHold(best);
  const kept = statements.length === 0 ? null : { statements, writer: best!.writer };
  const again = best !== null && hasGap({ ...context, kept });
  return {
    writing: 'quoting',
    repeats: 0,
    regenerations: context.regenerations + (again ? 1 : 0),
    kept,
    leftOut: statements.length > 0 && (leftOut || !best!.verdict.verified),
    written: null,
    draft: null,
    verdict: null,
    stuck: false,
    best: null,
  };
}

/** Whether something that the base covers is unanswered: the whole question, or some parts. */
export function hasGap({ kept, parts }: AskContext): boolean {
  return kept === null || openParts(kept.statements, parts).size > 0;
}

/** Whether the draft answers each part that the base covers. */
export function isWhole({ written, parts }: AskContext): boolean {
  return openParts(statementsOf(written!), parts).size === 0;
}

function openParts(statements: readonly Statement[], parts: readonly Part[]): ReadonlySet<number> {
  const answered = new Set(statements.flatMap(({ part, alsoFor = [] }) => [part, ...alsoFor]));
  return new Set(parts.flatMap(({ covered }, i) => (covered && !answered.has(i) ? [i] : [])));
}

/** The parts of the question for which there is no text yet. */
export function partsToWrite({ kept, parts }: AskContext): readonly Part[] {
  if (kept === null) return parts;
  const open = openParts(kept.statements, parts);
  return parts.map((part, i) => (open.has(i) ? part : { ...part, covered: false }));
}
