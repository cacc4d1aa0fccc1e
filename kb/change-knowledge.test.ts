import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { LexicalIndex } from './index/lexical-index.ts';
import type { KnowledgeIndex } from './knowledge.ts';
import { buildKnowledge, changeKnowledge, hidesText, isWhole, openKnowledge } from './open.ts';
import { prepareSnapshot, snapshotOf } from './snapshot/prepare.ts';
import { encodeSnapshot } from './snapshot/snapshot.ts';
import { wholeSnapshot } from '../testing/whole-snapshot.ts';
import { NOT_TAKEN } from './snapshot/taken-files.ts';

let work: string;
let folder: string;
let snapshotDir: string;
/** Each file is written a minute after the previous one, long ago, so that its time alone shows a change. */
let minute: number;

beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), 'beleg-change-'));
  folder = join(work, 'base');
  snapshotDir = join(work, 'index');
  await mkdir(folder);
  minute = 0;
  await write('first.md', sourceFile('FIRST', 'Die Zulage für Nachtschichten.'));
  await write('zweite.txt', 'Wer nachts arbeitet, bekommt eine Zulage.');
});
afterEach(() => rm(work, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await writeFile(join(folder, path), text);
  await setTime(join(folder, path));
}

function setTime(path: string): Promise<void> {
  const time = new Date(Date.UTC(2021, 4, 1, 0, ++minute));
  return utimes(path, time, time);
}

const sourceFile = (id: string, text: string, more = ''): string =>
  `---\nid: ${id}\ntitle: "Titel ${id}"\nsection: ""\nstand: "2021-03"\nwork: "W"\nlang: de\n${more}---\n\n${text}\n`;
/** The index that is built from the folder alone. */
async function rebuilt() {
  const snapshot = await snapshotOf(await prepareSnapshot({ folder, snapshotDir: join(work, 'rebuilt') }));
  return { ...snapshot, lexical: new LexicalIndex(snapshot.data, snapshot.about) };
}

const QUESTIONS = [
  'Nachtschicht',
  'Schichtzulage',
  'Zulage nachts',
  'Urlaubstage',
  'Zahlng',
  'A',
  'SVBez2021-1',
];

async function expectAsRebuilt(index: KnowledgeIndex): Promise<void> {
  const { lexical, hash, files, about } = await rebuilt();
  expect(index).toMatchObject({ hash, files, about, passageCount: lexical.passageCount });
  expect(index.sources).toEqual(lexical.data.sources);
  for (const question of QUESTIONS) {
    const hits = await index.search(question, { topK: 10, forFact: true });
    expect(hits).toEqual(lexical.search(question, { topK: 50 }).slice(0, 10));
  }
}

const FILES = ['a.md', 'b.md', 'c.md', 'd.txt', 'd.html', 'e.txt', 'sub/f.md'];
const file = fc.constantFrom(...FILES);
const text = fc
  .array(
    fc.constantFrom(
      'Schicht',
      'Nacht',
      'Nachtschicht',
      'Zulage',
      'Urlaub',
      'Urlaubstage',
      'zahlt',
      'Zahlung',
      '24',
    ),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  .map((words) => `${words.join(' ')}.`);
const change = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    file,
    // An id that other files have too, and a year that only counts as one if another year exists as well.
    id: fc.constantFrom('A', 'B', 'SVBez2021-1', 'SVBez2022-1'),
    more: fc.constantFrom(
      '',
      'asked:\n  - Gibt es eine Zulage?\n',
      'unanswered:\n  - Wer zahlt die Nachtschicht?\n',
      'other: 1\n',
    ),
    text,
  }),
  fc.record({ kind: fc.constant('break' as const), file }),
  fc.record({ kind: fc.constant('remove' as const), file }),
  fc.record({ kind: fc.constant('rename' as const), file, to: file }),
  fc.record({ kind: fc.constant('touch' as const), file }),
);

const A_CHANGE = {
  kind: 'write',
  file: 'a.md',
  id: 'A',
  more: '',
  text: 'Für die Nacht gibt es eine Zulage.',
} as const;

function ifThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function apply(step: typeof change extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
  const path = join(folder, step.file);
  await mkdir(join(folder, 'sub'), { recursive: true });
  switch (step.kind) {
    case 'write':
      return write(
        step.file,
        step.file.endsWith('.md') ? sourceFile(step.id, step.text, step.more) : step.text,
      );
    case 'break':
      return write(
        step.file,
        '---\ntitle: "Ohne Kennung"\nsection: ""\nstand: "2021-03"\nwork: "W"\n---\n\nText.\n',
      );
    case 'remove':
      return rm(path, { force: true });
    case 'rename':
      return rename(path, join(folder, step.to)).catch(ifThere);
    case 'touch':
      return setTime(path).catch(ifThere);
  }
}

describe('an index that takes in changes of files', () => {
  test('is the one of a build of the files, whatever the history', async () => {
    let changes = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 8 }), async (steps) => {
        let { index } = await openKnowledge({ folder, snapshotDir });
        for (const step of steps) {
          await apply(step);
          const changed = await changeKnowledge(index, { folder, snapshotDir });
          index = changed?.index ?? (await buildKnowledge({ folder, snapshotDir })).index;
          await expectAsRebuilt(index);
          changes += Number(!isWhole(index));
        }
      }),
      { numRuns: 2, examples: [[[A_CHANGE]]] },
    );
    // The random histories may have few changes that an index takes in without a build; the first one is such a change.
    expect(changes).toBeGreaterThan(0);
  }, 120_000);

  test('reads only what looks other', async () => {
    // given
    const { index } = await openKnowledge({ folder, snapshotDir });
    await write('first.md', sourceFile('FIRST', 'Die Zulage für Überstunden.'));
    // The file is written back without a change.
    await writeFile(join(folder, 'zweite.txt'), 'Wer tags arbeitet, bekommt keine Zulagen.');
    const before = new Date(Date.UTC(2021, 4, 1, 0, 2));
    await utimes(join(folder, 'zweite.txt'), before, before);
    // when
    const changed = await changeKnowledge(index, { folder, snapshotDir });
    // then
    expect(changed!.index.sources.map(({ text }) => text)).toEqual([
      'Die Zulage für Überstunden.',
      'Wer nachts arbeitet, bekommt eine Zulage.',
    ]);
  });

  test('leaves the index before as it was', async () => {
    const { index } = await openKnowledge({ folder, snapshotDir });
    const hits = await index.search('Nachtschicht', { topK: 5 });
    await write('first.md', sourceFile('FIRST', 'Die Nacht und die Schicht.'));
    await changeKnowledge(index, { folder, snapshotDir });
    expect(await index.search('Nachtschicht', { topK: 5 })).toEqual(hits);
  });

  test('takes what has left the folder out of what parsers gave', async () => {
    const { index } = await openKnowledge({ folder, snapshotDir });
    expect(await readdir(join(snapshotDir, 'documents'))).toHaveLength(1);
    await rm(join(folder, 'zweite.txt'));
    await changeKnowledge(index, { folder, snapshotDir });
    expect(await readdir(join(snapshotDir, 'documents'))).toEqual([]);
  });

  test('leaves nothing of a document that a killed process took in and that has left before the next start', async () => {
    // given
    const { index } = await openKnowledge({ folder, snapshotDir });
    await write('dritte.txt', 'Was niemand mehr wissen soll.');
    await changeKnowledge(index, { folder, snapshotDir });
    expect(await readdir(join(snapshotDir, 'documents'))).toHaveLength(2);
    await rm(join(folder, 'dritte.txt'));
    // when
    await openKnowledge({ folder, snapshotDir });
    // then
    expect(await readdir(join(snapshotDir, 'documents'))).toHaveLength(1);
  });

  test('tells whether the snapshot has text that has left the folder', async () => {
    // given
    let { index } = await openKnowledge({ folder, snapshotDir });
    const after = async (done: Promise<void>): Promise<boolean> => {
      await done;
      ({ index } = (await changeKnowledge(index, { folder, snapshotDir }))!);
      return hidesText(index);
    };
    // then: what is new, touched, or came and left since, is not in the snapshot
    expect(await after(write('dritte.txt', 'Wer tags arbeitet, bekommt nichts.'))).toBe(false);
    expect(await after(setTime(join(folder, 'first.md')))).toBe(false);
    expect(await after(rm(join(folder, 'dritte.txt')))).toBe(false);
    expect(await after(rm(join(folder, 'zweite.txt')))).toBe(true);
    expect(await after(write('zweite.txt', 'Wer nachts arbeitet, bekommt eine Zulage.'))).toBe(false);
    expect(await after(write('zweite.txt', 'Wer nachts arbeitet, bekommt zwei Zulagen.'))).toBe(true);
    expect(await after(write('vierte.txt', 'Eine Zulage.'))).toBe(true);
    // when: the next start finds it
    const { index: started } = await openKnowledge({ folder, snapshotDir });
    // then
    expect(hidesText(started)).toBe(true);
    expect(hidesText((await buildKnowledge({ folder, snapshotDir })).index)).toBe(false);
  });

  test('is made by the next start of what the last one left', async () => {
    // given
    await openKnowledge({ folder, snapshotDir });
    const snapshot = await readFile(join(snapshotDir, 'knowledge.snapshot'));
    await write('first.md', sourceFile('FIRST', 'Die Nacht und die Schicht.'));
    // when
    const started = await openKnowledge({ folder, snapshotDir });
    // then
    expect([started.fromSnapshot, isWhole(started.index)]).toEqual([false, false]);
    await expectAsRebuilt(started.index);
    expect(snapshot.equals(await readFile(join(snapshotDir, 'knowledge.snapshot')))).toBe(true);
    await buildKnowledge({ folder, snapshotDir });
    const again = await openKnowledge({ folder, snapshotDir });
    expect([again.fromSnapshot, again.index.hash]).toEqual([true, started.index.hash]);
  });

  test('reads a file again whose parser ended for another reason than the file', async () => {
    // given: a snapshot that was made while the machine was busy
    await openKnowledge({ folder, snapshotDir });
    const whole = await rebuilt();
    const path = join(snapshotDir, 'knowledge.snapshot');
    const snapshot = await wholeSnapshot(await snapshotOf({ kept: [await readFile(path)] }));
    const fault = { file: 'zweite.txt', line: 0, message: 'was not read' };
    const taken = snapshot.taken.map((file) =>
      file.path === 'zweite.txt'
        ? { ...file, hash: NOT_TAKEN, content: { ...file.content, faults: [fault], sources: [] } }
        : file,
    );
    await writeFile(path, encodeSnapshot({ ...snapshot, hash: 'of-a-busy-machine', taken }));
    // when
    const { index } = await openKnowledge({ folder, snapshotDir });
    // then
    expect([index.hash, index.files]).toEqual([whole.hash, whole.files]);
  });

  test('is not made where the base as a whole says something else', async () => {
    const { index } = await openKnowledge({ folder, snapshotDir });
    await write('synonyms.txt', 'Geld => Zulage\n');
    expect(await changeKnowledge(index, { folder, snapshotDir })).toBeNull();
  });
});
