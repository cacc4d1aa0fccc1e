import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadKnowledgeBase, type KnowledgeBase } from '../../../kb/base/load.ts';
import type { ReviewBase } from '../../../kb/review/review-base.ts';
import { readSettings } from '../../composition/settings.ts';
import { EXIT } from '../exit-codes.ts';
import { writeNewFile } from '../new-file.ts';
import { startProgressBar } from '../progress-bar.ts';
import { UsageError } from '../report-failure.ts';
import { printable } from '../terminal.ts';
import { changedLaw } from './changed-law.ts';
import { checkSlip, isHardlyChecked, type CheckedSlip } from './check-run.ts';
import { findingsCsv } from './findings-csv.ts';
import { sayLines } from './line-list.ts';
import { changesOf, pairByPerson, pairByRow } from './pair-slips.ts';
import { keysFileOf, readKeys, readPayroll, type PayrollFile } from './payroll-file.ts';
import { reportPage } from './report-page.ts';
import { reportText } from './report-text.ts';
import { newReport, skippedOf, wrongOf, type RunReport } from './run-report.ts';
import { hasTime, monthBefore, monthOfSlip, readMonth } from './slip-month.ts';

export interface RunOptions {
  readonly kb?: string;
  readonly month?: string;
  readonly before?: string;
  readonly id?: string;
  readonly byRow?: true;
  readonly keys?: string;
  readonly csv?: string;
  readonly html?: string;
}

/** `beleg review run FILE`: checks a payroll run on this machine; nothing is sent or kept. */
export async function reviewRun(file: string, options: RunOptions): Promise<void> {
  const base = await loadKnowledgeBase(options.kb ?? readSettings(process.env).kbPath);
  const report = await checkRun(file, options, base);
  console.log(
    reportText(report)
      .map((line) => printable(line))
      .join('\n'),
  );
  if (options.csv !== undefined) await writeNewFile(options.csv, findingsCsv(report));
  if (options.html !== undefined) await writeNewFile(options.html, reportPage(report));
  if (wrongOf(report).length > 0) process.exitCode = EXIT.failure;
  else if (isHardlyChecked(report.slips)) process.exitCode = EXIT.uncertain;
}

/** @throws {UsageError} where there is nothing to check, or nothing to compare it with, in German. */
export async function checkRun(file: string, options: RunOptions, base: KnowledgeBase): Promise<RunReport> {
  const mapping = await readKeys(options.keys ?? keysFileOf(file));
  const month = options.month === undefined ? null : readMonth(options.month);
  const read = async (path: string): Promise<PayrollFile> =>
    readPayroll(path, base.review, { mapping, id: options.before === undefined ? undefined : options.id });
  const run = await read(file);
  if (run.keys.size === 0)
    throw new UsageError(
      `${file} hat keine Spalte, die geprüft werden kann. Ordnen Sie die Spalten zu: beleg review keys ${file}`,
    );
  if (run.rows.length === 0)
    throw new UsageError([`${file} hat keine Abrechnung.`, ...skippedOf(run)].join(' '));
  const timeless = run.rows.filter((row) => !hasTime(row, month, base.review));
  if (timeless.length === run.rows.length)
    throw new UsageError(
      `${file} nennt keinen Abrechnungsmonat, und ohne ihn lässt sich fast nichts prüfen. Geben Sie ihn an: --month 2022-01, oder mit einer Spalte „Abrechnungsmonat“.`,
    );
  const last = options.before === undefined ? null : await read(options.before);
  const pairs =
    last === null
      ? { before: new Map<never, never>(), remarks: [] }
      : options.id === undefined
        ? pairByRow(run, last, base.review, options.byRow === true)
        : pairByPerson(run, last);
  const lastMonth = month === null ? null : monthBefore(month);
  const slips = await checkAll(run, month, base.review, 'Checking');
  const lastSlips =
    last === null ? [] : await checkAll(last, lastMonth, base.review, 'Checking the run before');
  const names = new Map([...run.keys].map(([column, key]) => [key, column]));
  const nameOf = (key: string): string => names.get(key) ?? key;
  const titles = new Map(base.sources.map(({ id, title, section }) => [id, `${title}, ${section}`]));
  return newReport({
    slips,
    file: run,
    remarks: [
      ...(timeless.length === 0
        ? []
        : [
            `Ohne Abrechnungsmonat, deshalb fast nicht geprüft: ${sayLines(timeless.map(({ line }) => line))}.`,
          ]),
      ...pairs.remarks,
    ],
    law: lawBetween(),
    changes: new Map(
      slips.map((slip) => [slip, changesOf(slip.row, pairs.before.get(slip.row), base.review, nameOf)]),
    ),
    nameOf,
    titleOf: (source) => titles.get(source) ?? source,
  });

  function lawBetween() {
    const now = latestOf(slips, month, base.review);
    const before = latestOf(lastSlips, lastMonth, base.review);
    if (now === null || before === null) return [];
    const [judgedNow, judgedBefore] = [slips, lastSlips].map((each) => each.flatMap(({ judged }) => judged));
    return changedLaw(
      { now, before, judgedNow: judgedNow!, judgedBefore: judgedBefore! },
      base.review,
      nameOf,
    );
  }
}

async function checkAll(
  { rows }: PayrollFile,
  month: string | null,
  base: ReviewBase,
  action: string,
): Promise<CheckedSlip[]> {
  const slips: CheckedSlip[] = [];
  using bar = startProgressBar(action, { of: 'slips' });
  for (const [at, row] of rows.entries()) {
    slips.push(checkSlip(row, month, base));
    bar.update(at + 1, rows.length);
    if (at % 20 === 0) await nextTurn();
  }
  return slips;
}

/** The last month of a run. */
const latestOf = (slips: readonly CheckedSlip[], month: string | null, base: ReviewBase): string | null =>
  slips
    .flatMap(({ row }) => monthOfSlip(row, month, base) ?? [])
    .toSorted()
    .at(-1) ?? null;
