/**
 * Whether each sentence of a document stands in exactly one passage, by programs that have nothing to do with ours: pandoc, and poppler's
 * `pdftotext` for PDFs.
 *
 *     node services/operator/launch.mjs --run bench/documents/sentences.ts FOLDER… [--each]
 */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { kindOf } from '../../kb/documents/kinds.ts';
import { Unreadable } from '../../kb/documents/unit.ts';
import { extracted, isExtracted } from './extractors.ts';
import { toldOnce } from './told-once.ts';

const FAULTS = ['cut', 'rearranged', 'doubled', 'missing'] as const;

const parameters = process.argv.slice(2);
const isEach = parameters.includes('--each');
for (const folder of parameters.filter((each) => !each.startsWith('--'))) {
  const counts = {
    files: 0,
    sentences: 0,
    marked: 0,
    once: 0,
    cut: 0,
    rearranged: 0,
    doubled: 0,
    missing: 0,
  };
  const leftOut = new Map<string, number>();
  for (const name of (await readdir(folder, { recursive: true })).filter(isExtracted).sort()) {
    const path = join(folder, name);
    try {
      const kind = await kindOf(name)!.load();
      const document = await kind.parse(await readFile(path), name);
      const told = toldOnce(document, name, await extracted(path));
      counts.files += 1;
      counts.sentences += told.sentences;
      counts.marked += told.marked;
      counts.once += told.once;
      for (const [what, count] of Object.entries(document.leftOut ?? {}))
        leftOut.set(what, (leftOut.get(what) ?? 0) + count);
      for (const fault of FAULTS) {
        counts[fault] += told[fault].length;
        if (isEach)
          for (const sentence of told[fault])
            process.stdout.write(`${fault}\t${relative('.', path)}\t${sentence}\n`);
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      process.stdout.write(`${name}: ${error.message}\n`);
    }
  }
  const { files, sentences, marked, once, ...faults } = counts;
  process.stdout.write(
    `${folder}: ${files} files, ${sentences} sentences: ${once} in one passage, ` +
      `${Object.entries(faults)
        .map(([fault, count]) => `${count} ${fault}`)
        .join(', ')}; ${marked} not compared; left out by rule: ${
        [...leftOut].map(([what, count]) => `${count} ${what}`).join(', ') || 'nothing'
      }\n`,
  );
}
