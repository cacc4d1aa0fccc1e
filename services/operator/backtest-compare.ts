import { readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { comparedOf } from '../backtest/compare-results.ts';
import type { ComparedResults } from '../backtest/compare-page.ts';
import { BacktestResult } from '../backtest/result-schema.ts';

const GAP = 2;

/** `beleg backtest compare A B …`: results of `--out` side by side, with the parameters that differ. */
export async function compareBacktests(
  folders: readonly string[],
  { html }: { readonly html?: string } = {},
): Promise<void> {
  const results = await Promise.all(folders.map(readResult));
  const { figures, parameters, notes } = comparedOf(results);
  const rows = [['', ...folders], ...figures, ...parameters];
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  for (const [name = '', ...cells] of rows) {
    const columns = cells.map((cell, at) => cell.padStart(widths[at + 1]! + GAP));
    console.log(`${name.padEnd(widths[0]!)}${columns.join('')}`);
  }
  for (const note of notes) console.log(`\n${note}`);
  if (html !== undefined) {
    const compared: ComparedResults = { names: namesOf(folders), results, figures, parameters, notes };
    const { renderComparison } = await import('../backtest/compare-page.ts');
    await writeFile(resolve(html), renderComparison(compared));
    console.error(`Page: ${html}`);
  }
}

/** The last parts of the folders if they differ, otherwise the whole paths. */
function namesOf(folders: readonly string[]): readonly string[] {
  const short = folders.map((folder) => basename(resolve(folder)));
  return new Set(short).size === short.length ? short : folders;
}

async function readResult(folder: string): Promise<BacktestResult> {
  const file = join(resolve(folder), 'result.json');
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const detail = `${file} cannot be read; name folders that \`beleg backtest --out\` wrote`;
    throw new Error(detail, { cause });
  });
  try {
    return BacktestResult.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${file} is not a result of this version of beleg; run the backtest again`, { cause });
  }
}
