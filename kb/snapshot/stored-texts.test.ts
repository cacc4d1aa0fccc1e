import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { buildKnowledge, changeKnowledge, isDamaged, openKnowledge } from '../open.ts';
import { Damaged } from './sealed.ts';

let folder: string;
let snapshotDir: string;
const file = (): string => join(snapshotDir, 'knowledge.snapshot');

const passage = (id: string, text: string): string =>
  `---\nid: ${id}\ntitle: "Titel ${id}"\nsection: ""\nstand: "2021-03"\nwork: "W"\nlang: de\n---\n\n${text}\n`;
const TEXT = 'Der Urlaub beträgt 24 Werktage – „Mindesturlaub“.';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beleg-base-'));
  snapshotDir = await mkdtemp(join(tmpdir(), 'beleg-snapshot-'));
  await writeFile(join(folder, 'a.md'), passage('A', 'Die Kündigung bedarf der Schriftform.'));
  await writeFile(join(folder, 'u.md'), passage('U', TEXT));
});
afterEach(async () => {
  for (const path of [folder, snapshotDir]) await rm(path, { recursive: true });
});

/** Changes a byte of the text about leave, and of no other part. */
async function damage(): Promise<void> {
  const bytes = await readFile(file());
  const at = bytes.indexOf(Buffer.from('Mindesturlaub', 'utf16le'));
  bytes[at]! ^= 1;
  await writeFile(file(), bytes);
}

test('a source of a snapshot is like one of a file, also where it is copied', async () => {
  const { index } = await openKnowledge({ folder, snapshotDir });
  const [, source] = index.sources;
  const plain = { id: 'U', title: 'Titel U', section: '', stand: '2021-03', work: 'W' };
  const whole = { ...plain, lang: 'de', year: null, text: TEXT };
  for (const each of [source, { ...source }, structuredClone(source)]) expect(each).toStrictEqual(whole);
});

test('the texts of an index stay those of its snapshot while another one takes its place', async () => {
  const { index } = await openKnowledge({ folder, snapshotDir });
  await writeFile(join(folder, 'u.md'), passage('U', 'Der Urlaub beträgt 30 Tage.'));
  await buildKnowledge({ folder, snapshotDir });
  expect(index.source('U')!.text).toBe(TEXT);
  expect((await openKnowledge({ folder, snapshotDir })).index.source('U')!.text).not.toBe(TEXT);
});

test('a damaged text is never told: the search fails, and a build makes the snapshot anew', async () => {
  await openKnowledge({ folder, snapshotDir });
  await damage();
  const { index } = await openKnowledge({ folder, snapshotDir });
  expect(isDamaged(index)).toBe(false);
  await expect(index.search('Urlaub', { topK: 1 })).rejects.toThrow(Damaged);
  expect(isDamaged(index)).toBe(true);
  const built = await buildKnowledge({ folder, snapshotDir });
  expect([built.fromSnapshot, isDamaged(built.index)]).toEqual([false, false]);
  expect(built.index.source('U')!.text).toBe(TEXT);
});

test('a snapshot that is cut while its index is in service is never told, and a build makes it anew', async () => {
  const { index } = await openKnowledge({ folder, snapshotDir });
  await truncate(file(), 1_000);
  await expect(index.search('Urlaub', { topK: 1 })).rejects.toThrow(Damaged);
  expect(isDamaged(index)).toBe(true);
  const built = await buildKnowledge({ folder, snapshotDir });
  expect([built.fromSnapshot, built.index.source('U')!.text]).toEqual([false, TEXT]);
});

test('a start builds the index where a change needs a text that is damaged', async () => {
  await openKnowledge({ folder, snapshotDir });
  await damage();
  await rm(join(folder, 'u.md'));
  const { index, fromSnapshot } = await openKnowledge({ folder, snapshotDir });
  expect([fromSnapshot, index.sources.length, isDamaged(index)]).toEqual([false, 1, false]);
  expect((await changeKnowledge(index, { folder, snapshotDir }))!.index.hash).toBe(index.hash);
});

test('a start needs nothing of files that have not changed, and a change never tells what is damaged of them', async () => {
  // given: a snapshot of files whose times are long ago, and a letter of one of their hashes that is another one
  for (const name of ['a.md', 'u.md']) await utimes(join(folder, name), 1, 1);
  await openKnowledge({ folder, snapshotDir });
  const bytes = await readFile(file());
  const hash = createHash('sha256').update(await readFile(join(folder, 'u.md')));
  bytes[bytes.indexOf(hash.digest('hex'))]! ^= 1;
  await writeFile(file(), bytes);
  // when
  const { index, fromSnapshot } = await openKnowledge({ folder, snapshotDir });
  // then
  expect([fromSnapshot, isDamaged(index)]).toEqual([true, false]);
  await expect(changeKnowledge(index, { folder, snapshotDir })).rejects.toThrow(Damaged);
  expect(isDamaged(index)).toBe(true);
  await rm(join(folder, 'u.md'));
  const next = await openKnowledge({ folder, snapshotDir });
  expect([next.fromSnapshot, next.index.sources.length]).toEqual([false, 1]);
});
