import type { ChangedLaw } from './changed-law.ts';
import {
  remarksOf,
  sayLaw,
  sayResult,
  shareOf,
  sourcesOf,
  unchecked,
  uncheckedOf,
  withoutFindings,
  wrongOf,
  type RunReport,
} from './run-report.ts';

/** The report of a run for the terminal. */
export function reportText(report: RunReport): string[] {
  const { law, changes, nameOf, titleOf } = report;
  const fine = withoutFindings(report);
  const open = unchecked(report);
  const sources = sourcesOf(report);
  return [
    sayResult(report),
    ...remarksOf(report),
    ...law.map((each) => `${LAW[each.kind]}${sayLaw(each)}`),
    ...wrongOf(report).flatMap((slip) => [
      '',
      `Zeile ${slip.row.line}: ${shareOf(slip)}`,
      ...slip.findings.map(({ key, detail }) => `⚠ ${nameOf(key)}: ${detail}`),
      ...changed(changes.get(slip) ?? []),
      ...uncheckedOf(slip, nameOf).map((each) => `Nicht geprüft: ${each}`),
    ]),
    ...(fine.length === 0 ? [] : ['', 'Ohne Befund:']),
    ...fine.map(({ lines, share }) => `${lines}: ${share}`),
    ...(open.length === 0 ? [] : ['', 'Nicht geprüft:']),
    ...open,
    ...(sources.length === 0 ? [] : ['', 'Quellen:']),
    ...sources.map((source) => `[${source}] ${titleOf(source)}`),
  ];
}

/** The beginning of a line about law. For unknown law the line itself says so. */
const LAW: Readonly<Record<ChangedLaw['kind'], string>> = {
  changed: 'Geändertes Recht: ',
  kept: 'Unverändertes Recht: ',
  unknown: '',
};

const changed = (changes: readonly string[]): string[] =>
  changes.length === 0 ? [] : [`Gegenüber dem Vormonat: ${changes.join('; ')}`];
