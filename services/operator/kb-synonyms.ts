import { settingsOn } from './settings-with-options.ts';
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadKnowledgeBase } from '../../kb/base/load.ts';
import { SYNONYMS_FILE } from '../../kb/base/walk.ts';
import { parseThesaurus, proposeSynonyms, type Thesaurus } from '../../kb/import/thesaurus.ts';
import { buildIndex } from '../../kb/index/build.ts';
import { LexicalIndex } from '../../kb/index/lexical-index.ts';
import { count } from './number-format.ts';
import { UsageError } from './report-failure.ts';
import { decodeAny } from '../../kb/text/decode.ts';
import { printable } from './terminal.ts';

interface Options {
  readonly kb?: string;
  readonly thesaurus: string;
  readonly write?: true;
}

/**
 * `beleg kb synonyms FILE`: proposes lines for `synonyms.txt`, for words of these questions that the base does not
 * have.
 */
export async function kbSynonyms(file: string, { kb, thesaurus, write }: Options): Promise<void> {
  const { kbPath } = settingsOn(kb);
  const thesauri = { de: await readThesaurus(thesaurus, 'de'), en: await readThesaurus(thesaurus, 'en') };
  if (thesauri.de.size + thesauri.en.size === 0)
    throw new UsageError(
      `no thesaurus in ${thesaurus}: install mythes-de or mythes-en-us, or give --thesaurus`,
    );
  const { sources, synonyms } = await loadKnowledgeBase(kbPath);
  const index = new LexicalIndex(buildIndex(sources, synonyms));
  const text = decodeAny(await readFile(file));
  if (text === undefined) throw new UsageError(`${file} is not text`);
  const questions = text.split('\n').filter((line) => line.trim() !== '');
  const proposals = proposeSynonyms(index, questions, thesauri);
  const lines = proposals.map(({ from, to }) => `${from} => ${to.join(' | ')}`);
  if (!write) {
    for (const line of lines) console.log(printable(line));
    return;
  }
  const target = join(kbPath, SYNONYMS_FILE);
  if (lines.length > 0)
    await appendFile(
      target,
      ['', '# Proposed from a thesaurus: remove what is wrong here.', ...lines, ''].join('\n'),
    );
  console.log(`${count(lines.length, 'line')} added to ${target}: read them, and remove what is wrong`);
}

/** The thesaurus of a language in this folder; empty if there is none. */
async function readThesaurus(folder: string, language: 'de' | 'en'): Promise<Thesaurus> {
  const files = await readdir(folder).catch(() => []);
  const file = files.find((name) => name.startsWith(`th_${language}`) && name.endsWith('.dat'));
  if (file === undefined) return new Map();
  const bytes = await readFile(join(folder, file));
  const encoding = bytes.subarray(0, bytes.indexOf('\n')).toString('latin1').trim();
  return parseThesaurus(new TextDecoder(encoding).decode(bytes));
}
