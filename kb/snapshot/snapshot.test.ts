import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { KnowledgeBaseInvalid } from '../base/faults.ts';
import { buildIndex } from '../index/build.ts';
import { LexicalIndex } from '../index/lexical-index.ts';
import { References } from '../index/references.ts';
import { atOnce } from '../steps.ts';
import { parseKnowledgeBase } from '../base/load.ts';
import { openKnowledge } from '../open.ts';
import { wholeSnapshot } from '../../testing/whole-snapshot.ts';
import { prepareSnapshot, snapshotOf } from './prepare.ts';
import { Damaged } from './sealed.ts';
import { decodeSnapshot, encodeSnapshot, hashOfSnapshot, type Snapshot } from './snapshot.ts';
import { BytesInMemory } from './stored-bytes.ts';

function passage(id: string, text: string): string {
  return `---\nid: ${id}\ntitle: "Titel ${id}"\nsection: "S"\nstand: "2021-03"\nwork: "W"\nlang: de\n---\n\n${text}\n`;
}

const FILES: Record<string, string> = {
  'a.md': passage('A-1', 'Der Urlaub beträgt jährlich mindestens 24 Werktage.'),
  'b.md': passage('B-1', 'Die Kündigung bedarf der Schriftform.\n\n1. eigenhändig,\n2. im Original.'),
  'synonyms.txt': 'Ferien => Urlaub\nunbekannt => Nirgends\n',
};
const WHOLE = { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity };
const QUESTIONS = ['Urlaub', 'Wie viele Werktage Ferien?', 'Kündigung schriftlich', 'B-1'];

function snapshot(): Snapshot {
  const files = Object.entries(FILES).map(([path, content]) => ({
    path,
    bytes: Buffer.from(content),
    changed: '2024-01',
  }));
  const base = parseKnowledgeBase({ files, unread: [], others: new Map() });
  const { sources, synonyms, about, review, warnings } = base;
  return {
    hash: 'abc',
    code: 'def',
    builtAt: '2022-03-26T00:00:00.000Z',
    data: buildIndex(sources, synonyms),
    warnings,
    about,
    review,
    files: base.files,
    unread: [],
    taken: [],
    names: atOnce(References.reading(sources, synonyms, about)).known,
    dense: {
      model: 'tiny',
      modelHash: 'x',
      dimensions: 2,
      vectors: Float32Array.of(1, 0, 0, 1),
      textHashes: ['p', 'q'],
      offsets: Uint32Array.of(0, 1, 2),
      rows: Uint32Array.of(0, 1),
    },
  };
}

const encoded = (of: Snapshot): Uint8Array => new Uint8Array(Buffer.concat([...encodeSnapshot(of)]));
/** With all texts and postings, which are read when they are asked for. */
async function decoded(bytes: Uint8Array): Promise<Snapshot> {
  const open = await decodeSnapshot(new BytesInMemory([bytes]));
  const snapshot = await wholeSnapshot(open);
  const { words, grams } = snapshot.data;
  for (const block of [...words.blocks, ...grams.blocks]) block.load!(0, block.impacts.length);
  const data = structuredClone(snapshot.data);
  expect(open.sealed.isDamaged).toBe(false);
  return { ...snapshot, data };
}

describe('a snapshot in memory', () => {
  test('comes back as it went, and finds the same', async () => {
    const before = snapshot();
    const after = await decoded(encoded(before));
    expect(after).toEqual(before);
    const [built, loaded] = [new LexicalIndex(before.data), new LexicalIndex(after.data)];
    for (const question of QUESTIONS) {
      expect(loaded.search(question, { topK: 5 })).toEqual(built.search(question, { topK: 5 }));
    }
  });

  test('keeps figures of rules exact', async () => {
    const figures = { wage: [{ value: 982n ** 20n }] } as unknown as Snapshot['review']['figures'];
    const before = { ...snapshot(), review: { ...snapshot().review, figures } };
    expect((await decoded(encoded(before))).review).toEqual(before.review);
  });

  test('is the same for the same base, in the same order', async () => {
    // Not the same bytes: V8 writes an array in one of two ways, by how it came to be.
    const [one, other] = [await decoded(encoded(snapshot())), await decoded(encoded(snapshot()))];
    expect(inspect(one, WHOLE)).toBe(inspect(other, WHOLE));
  });

  test('any changed, missing or added byte is noticed', async () => {
    const bytes = encoded(snapshot());
    const step = Math.ceil(bytes.length / 97);
    for (let at = 0; at < bytes.length; at += step) {
      const changed = bytes.slice();
      changed[at]! ^= 1;
      await expect(decoded(changed)).rejects.toThrow(Damaged);
      await expect(decoded(bytes.slice(0, at))).rejects.toThrow(Damaged);
    }
    expect(await hashOfSnapshot(new BytesInMemory([bytes, Uint8Array.of(0)]))).toBeUndefined();
    expect(await hashOfSnapshot(new BytesInMemory([bytes]))).toBe('abc');
  });
});

describe('a base', () => {
  let folder: string;
  let snapshotDir: string;
  const file = (): string => join(snapshotDir, 'knowledge.snapshot');
  const prepare = async () => {
    const prepared = await prepareSnapshot({ folder, snapshotDir, embedding: null });
    return { fromSnapshot: prepared.fromSnapshot, snapshot: await snapshotOf(prepared) };
  };
  const found = async (question: string): Promise<string[]> => {
    const index = new LexicalIndex((await prepare()).snapshot.data);
    return index.search(question, { topK: 3 }).map(({ source }) => source.id);
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beleg-base-'));
    snapshotDir = await mkdtemp(join(tmpdir(), 'beleg-snapshot-'));
    for (const [name, content] of Object.entries(FILES)) await writeFile(join(folder, name), content);
  });
  afterEach(async () => {
    for (const path of [folder, snapshotDir]) await rm(path, { recursive: true });
  });

  test('is built when it is opened first, and loaded then, with the same hash, time and warnings', async () => {
    const progress: number[] = [];
    const first = await openKnowledge({ folder, snapshotDir, onProgress: ({ done }) => progress.push(done) });
    const second = await openKnowledge({ folder, snapshotDir });
    expect([first.fromSnapshot, second.fromSnapshot]).toEqual([false, true]);
    expect(progress.at(-1)).toBe(2);
    expect(second.index.hash).toBe(first.index.hash);
    expect(second.index.builtAt).toBe(first.index.builtAt);
    expect(second.index).toMatchObject({ passageCount: 2, retrieval: 'lexical' });
    expect(second.warnings).toEqual([
      { file: 'synonyms.txt', line: 2, message: 'does not occur in the knowledge base: Nirgends' },
    ]);
    expect(await readdir(snapshotDir)).toEqual(['knowledge.snapshot', 'knowledge.words']);
  });

  test('a changed, a new and a removed file each make it build anew', async () => {
    await prepare();
    await writeFile(join(folder, 'a.md'), FILES['a.md']!.replace('Werktage', 'Arbeitstage'));
    expect((await prepare()).fromSnapshot).toBe(false);
    expect(await found('Arbeitstage')).toEqual(['A-1']);
    await writeFile(join(folder, 'c.md'), passage('C-1', 'Ein Zeugnis ist auszustellen.'));
    expect(await found('Zeugnis')).toEqual(['C-1']);
    await rm(join(folder, 'c.md'));
    expect(await found('Zeugnis')).toEqual([]);
    expect((await prepare()).fromSnapshot).toBe(true);
  });

  test('a changed line of how people ask for a source makes it build anew', async () => {
    const hashes = new Set<string>();
    for (const line of ['wie viel ferien', 'wie viel frei']) {
      await writeFile(
        join(folder, 'a.md'),
        FILES['a.md']!.replace('lang: de', `asked:\n  - ${line}\nlang: de`),
      );
      const { fromSnapshot, snapshot } = await prepare();
      const asked = new LexicalIndex(snapshot.data).source('A-1')?.asked;
      expect([fromSnapshot, asked]).toEqual([false, [line]]);
      hashes.add(snapshot.hash);
    }
    expect(hashes.size).toBe(2);
  });

  test.each([
    ['truncated', async () => truncate(file(), 1000)],
    ['emptied', async () => truncate(file(), 0)],
    ['foreign', async () => writeFile(file(), 'something else')],
    [
      'changed in one byte',
      async () => {
        const bytes = await readFile(file());
        bytes[Math.floor(bytes.length / 2)]! ^= 1;
        await writeFile(file(), bytes);
      },
    ],
    [
      'of another version',
      async () => {
        const bytes = await readFile(file());
        bytes.writeUInt32LE(0, 8);
        await writeFile(file(), bytes);
      },
    ],
  ])('a snapshot that is %s is built anew', async (_, damage) => {
    await prepare();
    await damage();
    expect((await prepare()).fromSnapshot).toBe(false);
    expect((await prepare()).fromSnapshot).toBe(true);
    expect(await found('Urlaub')).toEqual(['A-1']);
  });

  test('a base with faults is refused with all of them, and the snapshot stays', async () => {
    await prepare();
    const before = await readFile(file());
    await writeFile(join(folder, 'a.md'), FILES['a.md']!.replace('2021-03', 'gestern'));
    await writeFile(join(folder, 'b.md'), FILES['b.md']!.replace(/stand: .*/u, 'stand: heute'));
    for (const open of [prepare, () => openKnowledge({ folder, snapshotDir })]) {
      const error: unknown = await open().catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(KnowledgeBaseInvalid);
      expect((error as KnowledgeBaseInvalid).faults.map((fault) => fault.file)).toEqual(['a.md', 'b.md']);
    }
    expect(before.equals(await readFile(file()))).toBe(true);
  });

  test('without a folder for it nothing is kept', async () => {
    const options = { folder, snapshotDir: null, embedding: null };
    expect((await prepareSnapshot(options)).fromSnapshot).toBe(false);
    expect((await prepareSnapshot(options)).fromSnapshot).toBe(false);
  });
});
