import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadKnowledgeBase, type KnowledgeBase } from '../../../kb/base/load.ts';
import { monthName } from '../../../kb/answer/templates.ts';
import type { ReviewBase } from '../../../kb/review/review-base.ts';
import type { Source } from '../../../kb/source.ts';
import { readSettings } from '../../composition/settings.ts';
import { EXIT } from '../exit-codes.ts';
import { writeNewFile } from '../new-file.ts';
import { startProgressBar } from '../progress-bar.ts';
import { UsageError } from '../report-failure.ts';
import { printable } from '../terminal.ts';
import { changedLaw, type ComparedRuns } from './changed-law.ts';
import { checkSlip, isHardlyChecked, type CheckedSlip } from './check-run.ts';
import { findingsCsv } from './findings-csv.ts';
import { sayLines } from './line-list.ts';
import { changesOf, isUnchanged, leftStanding, pairByPerson, pairByRow, type Pairs } from './pair-slips.ts';
import { keysFileOf, readKeys, readPayroll, type PayrollFile } from './payroll-file.ts';
import { reportPage } from './report-page.ts';
import { reportText } from './report-text.ts';
import { newReport, skippedOf, wrongOf, type RunReport } from './run-report.ts';
import { hasTime, monthBefore, monthOfSlip, readMonth } from './slip-month.ts';
import type { SlipRow } from './slip-row.ts';

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

/**
 * Checks a run.
 *
 * @throws {UsageError} if there is nothing to check, or nothing to compare it with, in German.
 */
export async function checkRun(
  file: string,
  options: RunOptions,
  { review: base, sources, about }: KnowledgeBase,
): Promise<RunReport> {
  if (options.before === undefined && (options.id !== undefined || options.byRow === true))
    throw new UsageError(
      '--id und --by-row sagen, wie mit --before verglichen wird: Nennen Sie den Lauf davor.',
    );
  const mapping = await readKeys(options.keys ?? keysFileOf(file), base, options.keys !== undefined);
  const id = options.before === undefined ? undefined : options.id;
  const run = await readPayroll(file, base, { mapping, id });
  const month = options.month === undefined ? null : readMonth(options.month);
  const timeless = findTimeless(run, month, base);
  const slips = await checkAll(run, month, base, 'Checking');

  const compared =
    options.before === undefined
      ? null
      : await compare(
          run,
          slips,
          await readPayroll(options.before, base, { mapping, id }),
          month,
          options,
          base,
        );
  const names = new Map([...run.keys].map(([column, key]) => [key, column]));
  const nameOf = (key: string): string => names.get(key) ?? key;
  const law = compared === null ? [] : changedLaw(compared.runs, base, nameOf);
  const titles = new Map(sources.map((source) => [source.id, `${source.title}, ${source.section}`]));
  return newReport({
    slips,
    file: run,
    asOf: sayAsOf(about?.asOf ?? null, sources),
    remarks: [...timeless, ...(compared?.remarks ?? [])],
    law,
    changes: new Map(
      slips.map((slip) => {
        const last = compared?.before.get(slip.row);
        return [slip, [...leftStanding(slip, last, law, nameOf), ...changesOf(slip.row, last, base, nameOf)]];
      }),
    ),
    nameOf,
    titleOf: (source) => titles.get(source) ?? source,
  });
}

/** The date of the base's law; passages for reviews may be newer. */
function sayAsOf(asOf: string | null, sources: readonly Source[]): string | null {
  if (asOf === null) return null;
  const last = sources
    .flatMap(({ forReviews, stand }) => (forReviews === true && stand > asOf ? [stand] : []))
    .toSorted()
    .at(-1);
  const later =
    last === undefined
      ? ''
      : `; für Abrechnungen auch späteres Recht, das bis ${monthName(last, 'de')} bekannt ist`;
  return `Rechtsstand der Wissensbasis: ${monthName(asOf, 'de')}${later}.`;
}

/** A sentence on the slips without a month. Refuses a run without slips, or without any month. */
function findTimeless(run: PayrollFile, month: string | null, base: ReviewBase): string[] {
  const { path, keys, rows } = run;
  if (keys.size === 0)
    throw new UsageError(
      `${path} hat keine Spalte, die geprüft werden kann. Ordnen Sie die Spalten zu: beleg review keys ${path}`,
    );
  if (rows.length === 0) throw new UsageError([`${path} hat keine Abrechnung.`, ...skippedOf(run)].join(' '));
  const own = rows.map((row) => monthOfSlip(row, null, base));
  const others = rows.filter((_, at) => month !== null && own[at] !== null && own[at] !== month);
  if (others.length > 0)
    throw new UsageError(`--month ${month} ist ein anderer Monat als in ${linesOf(others)}.`);
  const timeless = rows.filter((row) => !hasTime(row, month, base));
  if (timeless.length === rows.length)
    throw new UsageError(
      `${path} nennt keinen Abrechnungsmonat, und ohne ihn lässt sich fast nichts prüfen. Geben Sie ihn an: --month 2022-01, oder mit einer Spalte „Abrechnungsmonat“.`,
    );
  return timeless.length === 0
    ? []
    : [`Ohne Abrechnungsmonat, deshalb fast nicht geprüft: ${linesOf(timeless)}.`];
}

const linesOf = (rows: readonly SlipRow[]): string => sayLines(rows.map(({ line }) => line));

interface Compared extends Pairs {
  readonly runs: ComparedRuns;
}

/** Pairs the slips with those of the earlier run, and finds the law that decided values in either. */
async function compare(
  run: PayrollFile,
  slips: readonly CheckedSlip[],
  last: PayrollFile,
  month: string | null,
  { id, byRow }: RunOptions,
  base: ReviewBase,
): Promise<Compared> {
  const pairs = id === undefined ? pairByRow(run, last, base, byRow === true) : pairByPerson(run, last);
  const isNamed = month !== null && !last.rows.some((row) => hasTime(row, null, base));
  const lastMonth = isNamed ? monthBefore(month) : null;
  const lastSlips = await checkAll(last, lastMonth, base, 'Checking the run before');
  const now = latestOf(slips, month, base);
  const before = latestOf(lastSlips, lastMonth, base);
  const isLater = now !== null && before !== null && before >= now;
  return {
    before: pairs.before,
    remarks: [
      ...(isLater ? [`${last.path} ist von ${before}, nicht von einem früheren Monat als ${now}.`] : []),
      ...pairs.remarks,
    ],
    runs: {
      now,
      before,
      judgedNow: slips.flatMap(({ judged }) => judged),
      judgedBefore: lastSlips.flatMap(({ judged }) => judged),
      warnedOf: new Set(slips.flatMap(({ findings }) => findings.map(({ key }) => key))),
      unchangedOf: (keys) =>
        run.rows.filter((row) => isUnchanged(row, pairs.before.get(row), keys)).map(({ line }) => line),
    },
  };
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
