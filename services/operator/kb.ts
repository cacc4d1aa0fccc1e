import { settingsOn } from './settings-with-options.ts';
import { join, relative, resolve } from 'node:path';
import { formatFault, KnowledgeBaseInvalid } from '../../kb/base/faults.ts';
import { SYNONYMS_FILE } from '../../kb/base/walk.ts';
import { tellFiles } from '../../kb/base/load.ts';
import { checkKnowledgeBase } from '../../kb/check.ts';
import { importStatutes } from '../../kb/import/import-statutes.ts';
import { findStale, noteBasis } from '../../kb/stale.ts';
import { readSettings } from '../composition/settings.ts';
import { STARTER_BASE } from '../knowledge/settings.ts';
import { openKnowledge } from '../knowledge/index-in-use.ts';
import { toJson } from '../foundation/json.ts';
import { EXIT } from './exit-codes.ts';
import { count } from './number-format.ts';
import { startIndexBars } from './index-bars.ts';
import { startProgressBar } from './progress-bar.ts';
import { printable } from './terminal.ts';

/** `beleg kb check [folder]`: prints every fault and warning on a line of its own. */
export async function kbCheck(folder?: string): Promise<void> {
  const base = folder ?? readSettings(process.env).kbPath;
  try {
    const { sources, passages, faults, warnings } = await checkKnowledgeBase(base);
    for (const fault of faults) console.log(`fault: ${printable(formatFault(fault))}`);
    for (const warning of warnings) console.log(`warning: ${printable(formatFault(warning))}`);
    const wrong =
      faults.length === 0 ? 'no faults' : `${count(faults.length, 'fault')}: these files are left out`;
    console.log(
      `${count(sources, 'source')}, ${count(passages, 'passage')}, ${count(warnings.length, 'warning')}, ${wrong}`,
    );
    if (faults.length > 0) process.exitCode = EXIT.failure;
  } catch (error) {
    if (!(error instanceof KnowledgeBaseInvalid)) throw error;
    for (const fault of error.faults) console.log(`fault: ${printable(formatFault(fault))}`);
    console.log(count(error.faults.length, 'fault'));
    process.exitCode = EXIT.failure;
  }
}

/** `beleg kb import FILES/FOLDERS… --out DIR`: statutes become a knowledge base, with the starter base's synonyms. */
export async function kbImport(inputs: readonly string[], { out }: { out: string }): Promise<void> {
  using bar = startProgressBar('importing', { of: 'statutes' });
  const result = await importStatutes({
    inputs: inputs.map((input) => resolve(input)),
    out: resolve(out),
    synonymsFile: join(STARTER_BASE, SYNONYMS_FILE),
    onProgress: bar.update,
  });
  bar.stop();

  for (const file of result.notStatutes) console.error(`beleg: not a statute, left out: ${file}`);
  for (const { file, reason } of result.unread) console.error(`beleg: left out: ${file}: ${reason}`);
  for (const file of result.kept) console.error(`beleg: not from an import, not changed: ${file}`);
  console.log(
    `${count(result.statutes, 'statute')} → ${count(result.sources, 'source')} in ${relative('', resolve(out)) || '.'} ` +
      `(${result.written} written, ${result.unchanged} unchanged, ${result.removed} removed, ` +
      `${result.repealed} repealed and ${result.withoutText} without text left out)`,
  );
  if (result.statutes === 0) throw new Error('no statute among these files');
}

/** `beleg kb stale [folder] --statutes DIR`: exits with 1 if a statute has changed since a source was written. */
export async function kbStale(
  folder: string | undefined,
  { statutes, note, json }: { statutes: string; note?: true; json?: true },
): Promise<void> {
  const base = folder ?? readSettings(process.env).kbPath;
  if (note) {
    const { written, left_out: leftOut } = await noteBasis(base, statutes);
    console.log(`${count(written, 'source')} updated`);
    sayLeftOut(leftOut);
    return;
  }
  const report = await findStale(base, statutes);
  sayLeftOut(report.left_out);
  if (json) console.log(toJson(report, 2));
  else {
    for (const { file, title, changed, gone } of report.stale) {
      const what = [
        ...changed.map((id) => `${id} has changed`),
        ...gone.map((id) => `${id} no longer exists`),
      ];
      console.log(printable(`${file}: ${title}: ${what.join(', ')}`));
    }
    console.log(
      `${report.stale.length} of ${count(report.noted, 'source')} need a check; ${report.sources - report.noted} do not name the paragraphs they are based on`,
    );
  }
  if (report.stale.length > 0) process.exitCode = EXIT.failure;
}

/** Reports files that could not be read: then the check does not pass. */
function sayLeftOut(faults: readonly string[]): void {
  for (const fault of faults) console.error(`beleg: left out: ${printable(fault)}`);
  if (faults.length > 0) process.exitCode = EXIT.failure;
}

/** `beleg kb index [folder]`: builds the snapshot that the next start loads. */
export async function kbIndex(folder?: string): Promise<void> {
  const settings = settingsOn(folder);
  const started = performance.now();
  using bars = startIndexBars();
  const knowledge = await openKnowledge(settings, { onProgress: bars.update });
  bars.stop();
  const { index, warnings } = knowledge;
  sayLeftOut(index.files.leftOut.map(formatFault));
  console.log(printable(tellFiles(index.files)));
  for (const warning of warnings) console.log(`warning: ${printable(formatFault(warning))}`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${count(index.sources.length, 'source')}, ${count(index.passageCount, 'passage')} (${index.retrieval}), ready in ${seconds} s`,
  );
  await knowledge.close();
}
