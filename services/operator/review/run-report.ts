import { sayShare, tellsCase } from '../../../kb/review/share.ts';
import { worstFirst, type CheckedSlip } from './check-run.ts';
import type { ChangedLaw } from './changed-law.ts';
import { sayLines, saySlips } from './line-list.ts';
import type { PayrollFile } from './payroll-file.ts';

/** The content of a report, as text, page and CSV show it. */
export interface RunReport {
  /** The worst slips first. */
  readonly slips: readonly CheckedSlip[];
  readonly file: PayrollFile;
  readonly law: readonly ChangedLaw[];
  /** The date until which the law of the base is known. */
  readonly asOf: string | null;
  /** What a person should know about the comparison. */
  readonly remarks: readonly string[];
  /** The changes of a slip since the earlier run. */
  readonly changes: ReadonlyMap<CheckedSlip, readonly string[]>;
  /** The name of the column that a key was read from. */
  readonly nameOf: (key: string) => string;
  /** The title of a passage with its provisions. */
  readonly titleOf: (source: string) => string;
}

export const newReport = (report: RunReport): RunReport => ({ ...report, slips: worstFirst(report.slips) });

/** A line about law, with its passage. */
export const sayLaw = ({ text, source }: ChangedLaw): string =>
  source === '' ? text : `${text} [${source}]`;

/** The values of a slip that were not checked, without facts that only describe the case. */
export const openOf = ({ notChecked }: CheckedSlip): CheckedSlip['notChecked'] =>
  notChecked.filter((each) => !tellsCase(each));

/** The number of checked values of a slip, and of those that could be checked. */
export const countsOf = (slip: CheckedSlip): { checked: number; of: number } => ({
  checked: slip.checked,
  of: slip.checked + openOf(slip).length,
});

export const shareOf = ({ checked, notChecked }: CheckedSlip): string => sayShare(checked, notChecked, 'de');

export const wrongOf = ({ slips }: RunReport): readonly CheckedSlip[] =>
  slips.filter(({ findings }) => findings.length > 0);

export function sayResult(report: RunReport): string {
  const { slips } = report;
  const share = sayShare(
    slips.reduce((total, { checked }) => total + checked, 0),
    slips.flatMap(({ notChecked }) => notChecked),
    'de',
  );
  return `${wrongOf(report).length} von ${saySlips(slips.length)} beanstandet; ${share}`;
}

/** Lines on rows that are not slips. */
export const skippedOf = ({ skipped }: PayrollFile): string[] =>
  [...Map.groupBy(skipped, ({ why }) => why)].map(
    ([why, rows]) => `Keine Abrechnung: ${sayLines(rows.map(({ line }) => line))} (${why}).`,
  );

/** Remarks on the date of the law, on unread columns and rows, and on the comparison. */
export const remarksOf = ({ asOf, file, remarks }: RunReport): string[] => [
  ...(asOf === null ? [] : [asOf]),
  ...(file.left.length === 0 ? [] : [`Nicht gelesene Spalten: ${file.left.join(', ')}.`]),
  ...skippedOf(file),
  ...remarks,
];

/** The slips without findings, grouped by how much of them was checked. */
export function withoutFindings({ slips }: RunReport): { lines: string; share: string }[] {
  const fine = slips.filter(({ findings }) => findings.length === 0);
  const alike = Map.groupBy(fine, shareOf);
  return [...alike]
    .toSorted(([, [a]], [, [b]]) => a!.checked / a!.of - b!.checked / b!.of)
    .map(([share, group]) => ({ lines: sayLines(group.map(({ row }) => row.line)), share }));
}

/**
 * What was not checked of a slip: each reason once, with its columns. Facts that only describe the case are left out.
 */
export const uncheckedOf = (slip: CheckedSlip, nameOf: RunReport['nameOf']): string[] =>
  [...Map.groupBy(openOf(slip), ({ reason }) => reason)].map(
    ([reason, each]) => `${each.map(({ fact }) => nameOf(fact)).join(', ')}. ${reason}`,
  );

/**
 * What was not checked in the run: each column once with its most frequent reason, then the facts that only describe
 * the case.
 */
export function unchecked({ slips, nameOf }: RunReport): string[] {
  const whole = slips.flatMap(({ notChecked }) => notChecked);
  const cases = whole.filter(tellsCase).map(({ fact }) => nameOf(fact));
  return [
    ...reasonsOf(
      whole.filter((each) => !tellsCase(each)),
      nameOf,
    ),
    ...(cases.length === 0
      ? []
      : [`Beschreiben den Fall, nach dem geprüft wird: ${[...new Set(cases)].join(', ')}.`]),
  ];
}

function reasonsOf(all: CheckedSlip['notChecked'], nameOf: (key: string) => string): string[] {
  return [...Map.groupBy(all, ({ fact }) => fact)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([fact, each]) => {
      const [reason] = [...Map.groupBy(each, (one) => one.reason)].toSorted(
        ([, a], [, b]) => b.length - a.length,
      )[0]!;
      return `${nameOf(fact)}: in ${saySlips(each.length)} nicht geprüft. ${each.length > 1 ? 'Meist: ' : ''}${reason}`;
    });
}

/** The passages that findings and changes of law cite. */
export const sourcesOf = (report: RunReport): string[] =>
  [
    ...new Set([
      ...report.law.map(({ source }) => source),
      ...report.slips.flatMap(({ findings }) => findings.flatMap(({ sources }) => sources)),
    ]),
  ]
    .filter((source) => source !== '')
    .toSorted();
