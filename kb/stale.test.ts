import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KnowledgeBaseInvalid } from './base/faults.ts';
import { loadKnowledgeBase } from './base/load.ts';
import { parseStatute } from './import/statute.ts';
import { findStale, noteBasis, Provisions } from './stale.ts';

let folder: string;
let base: string;
let statutes: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beleg-stale-'));
  [base, statutes] = [join(folder, 'base'), join(folder, 'statutes')];
  for (const path of [base, statutes]) mkdirSync(path);
});
afterEach(() => rmSync(folder, { recursive: true }));

function statute(jurabk: string, norms: Readonly<Record<string, string>>): string {
  const body = Object.entries(norms).map(([number, text]) => `## § ${number} Name\n\n${text}\n`);
  return `---\nTitle: Gesetz\njurabk: ${jurabk}\n---\n\n# Gesetz\n\n${body.join('\n')}`;
}

function writeStatute(jurabk: string, norms: Readonly<Record<string, string>>): void {
  writeFileSync(join(statutes, `${jurabk}.md`), statute(jurabk, norms));
}

const countOf = (byte: number, all: Buffer): number => all.filter((other) => other === byte).length;
const pathOf = (id: string) => join(base, `${id}.md`);

function writeSource(id: string, section: string): string {
  const text = `---\nid: ${id}\ntitle: "T"\nsection: "${section}"\nstand: "2022-03"\nwork: "W"\nasked:\n  - wie\n---\n\nText.\n`;
  writeFileSync(pathOf(id), text);
  return text;
}

const provisions = new Provisions(
  [
    statute('EntgFG', { 3: 'drei', '4': 'vier', '4a': 'vier a', '5a': 'fünf a' }),
    statute('SGB 4', { 8: 'acht', '8a': 'acht a' }),
    statute('SVBezGrV 2019', { 1: 'neunzehn' }),
    statute('SVBezGrV 2020', { 1: 'zwanzig' }),
  ].map((text) => parseStatute(text)!),
);

test.each([
  ['§ 3 Abs. 1 Satz 2 EntgFG', ['EntgFG-3']],
  ['§§ 3, 5a EntgFG, § 8a SGB IV', ['EntgFG-3', 'EntgFG-5a', 'SGB4-8a']],
  ['§ 3 Abs. 1, § 4a EntgFG', ['EntgFG-3', 'EntgFG-4a']],
  ['§§ 3 bis 4a EntgFG', ['EntgFG-3', 'EntgFG-4', 'EntgFG-4a']],
  ['§ 1 SVBezGrV 2020', ['SVBezGrV2020-1']],
  ['§ 1 SVBezGrV', []],
  ['§ 9 EntgFG, § 1 BGB', []],
  ['Rundschreiben', []],
])('%s names %j', (section, ids) => {
  expect([...provisions.basisOf(section).keys()]).toEqual(ids);
});

test('a source is stale once a § of its section reads differently, or is gone, until that is noted again', async () => {
  writeStatute('BUrlG', { 3: 'Der Urlaub beträgt\n24 Werktage.', 7: 'Alt.', 9: 'Bleibt.' });
  const before = writeSource('A', '§ 3 BUrlG');
  for (const [id, number] of [['B', 7] as const, ['C', 9] as const]) writeSource(id, `§ ${number} BUrlG`);
  const untouched = writeSource('D', 'Rundschreiben');
  expect(await noteBasis(base, statutes)).toEqual({ written: 3, left_out: [] });
  const line = /^basis: "BUrlG-3 [0-9a-f]{12}"\n/mu;
  expect(readFileSync(pathOf('A'), 'utf8').replace(line, '')).toBe(before);
  expect(readFileSync(pathOf('D'), 'utf8')).toBe(untouched);
  expect(await noteBasis(base, statutes)).toEqual({ written: 0, left_out: [] });
  expect(await findStale(base, statutes)).toEqual({ sources: 4, noted: 3, stale: [], left_out: [] });
  expect((await loadKnowledgeBase(base)).warnings).toEqual([]);

  // One § has other line breaks, one has changed, and one is gone.
  writeStatute('BUrlG', { 3: 'Der Urlaub\nbeträgt 24 Werktage.', 7: 'Neu.' });
  const { stale } = await findStale(base, statutes);
  expect(stale.map(({ id, file, changed, gone }) => ({ id, file, changed, gone }))).toEqual([
    { id: 'B', file: 'B.md', changed: ['BUrlG-7'], gone: [] },
    { id: 'C', file: 'C.md', changed: [], gone: ['BUrlG-9'] },
  ]);
  expect(await noteBasis(base, statutes)).toEqual({ written: 1, left_out: [] });
  expect((await findStale(base, statutes)).stale.map(({ id }) => id)).toEqual(['C']);
});

test.each([
  ['a byte-order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
  ['CRLF', (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'))],
  ['line ends of both kinds', (text: string) => Buffer.from(text.replace('asked:\n', 'asked:\r\n'))],
  ['a code page', (text: string) => Buffer.from(text.replace('Text.', 'Größe für Übungen.'), 'latin1')],
  ['UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['UTF-16, the other way round', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
])('a file with %s is noted, found stale, and stays as it is but for its basis', async (_, encoded) => {
  writeStatute('BUrlG', { 3: 'Alt.' });
  const bytes = encoded(writeSource('A', '§ 3 BUrlG'));
  writeFileSync(pathOf('A'), bytes);
  expect(await noteBasis(base, statutes)).toEqual({ written: 1, left_out: [] });
  const noted = readFileSync(pathOf('A'));
  const wide = bytes.length > 200;
  const added = noted.length - bytes.length;
  expect(added).toBeGreaterThan(0);
  const tail = bytes.length - bytes.indexOf(Buffer.from('asked', wide ? 'utf16le' : 'utf8'));
  expect(noted.subarray(-Math.min(tail, 20)).equals(bytes.subarray(-Math.min(tail, 20)))).toBe(true);
  expect(noted.subarray(0, 20).equals(bytes.subarray(0, 20))).toBe(true);
  expect(countOf(0x0a, noted)).toBe(countOf(0x0a, bytes) + 1);
  expect(countOf(0x0d, noted) - countOf(0x0d, bytes)).toBe(bytes.includes('work: "W"\r\n') ? 1 : 0);

  writeStatute('BUrlG', { 3: 'Neu.' });
  expect((await findStale(base, statutes)).stale.map(({ id }) => id)).toEqual(['A']);
});

test('a file that cannot be used is named, and the others are looked at', async () => {
  writeStatute('BUrlG', { 3: 'Alt.' });
  writeSource('A', '§ 3 BUrlG');
  writeFileSync(pathOf('B'), Buffer.from([0x2d, 0xff, 0x00]));
  expect(await noteBasis(base, statutes)).toEqual({ written: 1, left_out: ['B.md:1: is not valid UTF-8'] });
  expect((await findStale(base, statutes)).left_out).toEqual(['B.md:1: is not valid UTF-8']);
});

test('a basis that no hash can be read from is a fault; a folder without statutes is refused', async () => {
  writeFileSync(pathOf('A'), writeSource('A', '§ 3').replace('asked:', 'basis: "BUrlG-3"\nasked:'));
  await expect(loadKnowledgeBase(base)).rejects.toThrow(KnowledgeBaseInvalid);
  await expect(findStale(base, statutes)).rejects.toThrow('no file in');
});

const SHARED = ['statutes', 'statutes-more'].map((name) =>
  join(import.meta.dirname, '..', '..', 'shared', name),
);
const areThere = SHARED.every((path) => existsSync(path));
if (!areThere)
  process.stderr.write(`the basis of the starter base: skipped, there are no ${SHARED.join(', ')}\n`);

test.skipIf(!areThere)('the starter base was written from the statutes of March 2022', async () => {
  for (const path of SHARED) {
    for (const name of readdirSync(path).filter((file) => file !== 'README.md')) {
      symlinkSync(join(path, name), join(statutes, name));
    }
  }
  const corpus = join(import.meta.dirname, 'corpus');
  const { noted, stale } = await findStale(corpus, statutes);
  expect(stale).toEqual([]);
  // An older source was written from a § that has since changed.
  const { sources } = await loadKnowledgeBase(corpus);
  const current = sources.filter(({ year }) => year === null || year >= 2022);
  expect(noted / current.length).toBeGreaterThan(0.9);
});
