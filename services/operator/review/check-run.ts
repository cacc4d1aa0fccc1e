import { review } from '../../../kb/review/review.ts';
import type { ReviewBase } from '../../../kb/review/review-base.ts';
import { coverageOf, type Check } from '../../../kb/review/check.ts';
import { readFacts } from '../../../kb/review/facts.ts';
import { covers, type Figure, type Span } from '../../../kb/review/figure.ts';
import type { PayrollFile } from './payroll-file.ts';

export interface CheckedSlip {
  /** The row in the file, counted from 1 without the heading. */
  readonly row: number;
  readonly warnings: readonly Check[];
  readonly checked: number;
  readonly of: number;
  /** The differences from the same row of the previous run. */
  readonly changes: readonly string[];
}

const QUESTION = 'Stimmt die Abrechnung?';

/** An empty cell means that the slip has no such fact. */
const factsOf = (row: Readonly<Record<string, string>>) =>
  Object.entries(row).flatMap(([key, value]) => (value === '' ? [] : [{ key, value }]));

/** Checks one slip and compares it with the previous one. */
export function checkSlip(
  row: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>> | undefined,
  number: number,
  base: ReviewBase,
): CheckedSlip {
  const { checks, notChecked } = review({
    question: QUESTION,
    context: { facts: factsOf(row) },
    base,
    language: 'de',
  });
  const changes = Object.entries(row).flatMap(([key, value]) => {
    const last = before?.[key];
    return last === undefined || last === value ? [] : [`${key}: ${last || '(leer)'} → ${value || '(leer)'}`];
  });
  const warnings = checks.filter(({ status }) => status === 'warn');
  return { row: number, warnings, ...coverageOf(checks, notChecked), changes };
}

/** Sorts the worst slips first. */
export const worstFirst = (slips: readonly CheckedSlip[]): CheckedSlip[] =>
  slips.toSorted((a, b) => b.warnings.length - a.warnings.length || a.row - b.row);

/** Figures of law that changed between two runs, because they explain changes in the slips. */
export function changedFigures(run: PayrollFile, before: PayrollFile, base: ReviewBase): string[] {
  const now = timeOf(run, base);
  const then = timeOf(before, base);
  if (now === null || then === null) return [];
  return Object.values(base.figures).flatMap((figures) => {
    const is = figureAt(figures, now);
    const was = figureAt(figures, then);
    if (is === undefined || was === undefined || is.written === was.written) return [];
    return [`${was.written} → ${is.written}: ${is.quote} [${is.source}]`];
  });
}

function timeOf({ rows: [row = {}] }: PayrollFile, base: ReviewBase): Span | null {
  const { time } = readFacts({ facts: factsOf(row) }, base, QUESTION);
  return typeof time === 'object' ? time : null;
}

const figureAt = (figures: readonly Figure[], time: Span): Figure | undefined =>
  figures.find(({ span }) => covers(span, time));
