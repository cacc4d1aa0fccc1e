import { coverageOf } from '../../../kb/review/check.ts';
import { sayBound } from '../../../kb/review/check-sentences.ts';
import type { Compared, Judged } from '../../../kb/review/outcome.ts';
import { absolute, compare, format, subtract, sum, type Rational } from '../../../kb/review/rational.ts';
import { review } from '../../../kb/review/review.ts';
import type { ReviewBase } from '../../../kb/review/review-base.ts';
import { questionFor } from './slip-month.ts';
import type { SlipRow } from './slip-row.ts';

/** A value that is wrong. */
export interface Finding {
  readonly key: string;
  readonly given: string;
  readonly right: string;
  /**
   * The given and the right amount in the same form, without a currency sign; `null` if the value is no amount of
   * money.
   */
  readonly amounts: { readonly given: string; readonly right: string } | null;
  /**
   * The difference: positive if too much was given, negative if too little; `null` if the value is no amount of money.
   */
  readonly off: string | null;
  readonly detail: string;
  readonly sources: readonly string[];
}

export interface CheckedSlip {
  readonly row: SlipRow;
  readonly findings: readonly Finding[];
  /** The sum of the differences in euros, without their signs. */
  readonly off: Rational;
  readonly notChecked: readonly { readonly fact: string; readonly reason: string }[];
  readonly checked: number;
  readonly of: number;
  /** The judgements of the slip's values by rules. */
  readonly judged: readonly Judged[];
}

/** Checks one slip. `month` is that of the whole run, if the command names one. */
export function checkSlip(row: SlipRow, month: string | null, base: ReviewBase): CheckedSlip {
  const { checks, notChecked, compared, judged } = review({
    question: questionFor(month),
    context: { facts: row.facts },
    base,
    language: 'de',
  });
  const offs: Rational[] = [];
  const findings = checks.flatMap(({ status, aspect, detail, source_ids }, at): Finding[] => {
    const of = compared[at];
    if (status !== 'warn' || of === undefined) return [];
    const given = amountGiven(of);
    const by = given === null ? null : subtract(given.is, given.due);
    if (by !== null) offs.push(absolute(by));
    const right = sayBound(of, 'de');
    return [
      {
        key: aspect,
        given: of.fact.written,
        right,
        amounts:
          given === null ? null : { given: format(given.is, 2, 'de'), right: right.replace(/\s*€$/u, '') },
        off: by === null ? null : format(by, 2, 'de'),
        detail,
        sources: source_ids,
      },
    ];
  });
  return {
    row,
    findings,
    off: sum(offs),
    notChecked,
    ...coverageOf(checks, notChecked),
    judged,
  };
}

/** An amount that was given, and what it must be; `null` for what is no amount. */
function amountGiven({ fact: { value, quantity }, bound }: Compared): { is: Rational; due: Rational } | null {
  if (quantity?.kind !== 'amount' || value?.type !== 'number' || bound.value.type !== 'number') return null;
  return { is: value.number, due: bound.value.number };
}

/** Sorts the worst slips first: by the euros, then by the number of findings. */
export const worstFirst = (slips: readonly CheckedSlip[]): CheckedSlip[] =>
  slips.toSorted(
    (a, b) => compare(b.off, a.off) || b.findings.length - a.findings.length || a.row.line - b.row.line,
  );

/** The share of a run that must have been checked, so that it can be called right. */
const ENOUGH = 0.2;

/** Whether too little could be checked: of the whole run, or nothing of one of its slips. */
export function isHardlyChecked(slips: readonly CheckedSlip[]): boolean {
  const { checked, of } = totalOf(slips);
  return checked < of * ENOUGH || slips.some((slip) => slip.checked === 0);
}

const totalOf = (slips: readonly CheckedSlip[]): { checked: number; of: number } => ({
  checked: slips.reduce((sum, slip) => sum + slip.checked, 0),
  of: slips.reduce((sum, slip) => sum + slip.of, 0),
});
