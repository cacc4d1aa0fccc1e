import { mkdtemp, mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { wholeSnapshot } from '../../testing/whole-snapshot.ts';
import { prepareSnapshot, snapshotOf } from './prepare.ts';
import type { Snapshot } from './snapshot.ts';

let work: string;
let folder: string;

beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), 'beleg-kept-words-'));
  folder = join(work, 'base');
  await mkdir(folder);
  await writeFile(join(folder, 'first.md'), passage('FIRST', 'Der Urlaub beträgt 24 Werktage.'));
});
afterEach(() => rm(work, { recursive: true, force: true }));

const passage = (id: string, text: string): string =>
  `---\nid: ${id}\ntitle: "Titel ${id}"\nsection: ""\nstand: "2021-03"\nwork: "W"\nlang: de\nasked:\n  - Was gilt für ${id}?\n---\n\n${text}\n`;

/** The result of a build of the folder, with or without the words of the previous build; without times. */
async function built(snapshotDir: string | null): Promise<Snapshot> {
  const snapshot = await wholeSnapshot(await snapshotOf(await prepareSnapshot({ folder, snapshotDir })));
  const { words, grams } = snapshot.data;
  for (const block of [...words.blocks, ...grams.blocks]) block.load!(0, block.impacts.length);
  return { ...snapshot, builtAt: '', taken: snapshot.taken.map((file) => ({ ...file, sign: '' })) };
}

const names = ['a', 'b', 'c', 'd'];
const file = fc.constantFrom(...names.map((name) => `${name}.md`));
const text = fc
  .array(fc.constantFrom('Urlaub', 'Urlaubstage', 'Tage', 'zahlt', 'Zahlung', 'Entgelt', '24'), {
    minLength: 1,
    maxLength: 30,
  })
  .map((words) => `${words.join(' ')}.`);
const change = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), file, id: fc.constantFrom('A', 'B', 'C'), text }),
  fc.record({ kind: fc.constant('break' as const), file }),
  fc.record({ kind: fc.constant('remove' as const), file }),
  fc.record({ kind: fc.constant('rename' as const), file, to: file }),
);

async function apply(step: typeof change extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
  const path = join(folder, step.file);
  switch (step.kind) {
    case 'write':
      return writeFile(path, passage(step.id, step.text));
    // A source without an id is left out; the next write repairs it.
    case 'break':
      return writeFile(
        path,
        '---\ntitle: "Ohne Kennung"\nsection: ""\nstand: "2021-03"\nwork: "W"\n---\n\nText.\n',
      );
    case 'remove':
      return rm(path, { force: true });
    case 'rename':
      return rename(path, join(folder, step.to)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
  }
}

test('a build after any history of changes is that of the files alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 6 }), async (changes) => {
      const snapshotDir = join(work, 'index');
      for (const step of changes) {
        await apply(step);
        expect(await built(snapshotDir)).toEqual(await built(null));
      }
    }),
    { numRuns: 4 },
  );
}, 60_000);

test('what was kept is left alone where it is torn', async () => {
  const snapshotDir = join(work, 'index');
  await built(snapshotDir);
  await truncate(join(snapshotDir, 'knowledge.words'), 100);
  await writeFile(join(folder, 'a.md'), passage('A', 'Die Kündigung bedarf der Schriftform.'));
  expect(await built(snapshotDir)).toEqual(await built(null));
});
