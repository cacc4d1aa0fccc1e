import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { LexicalIndex } from '../index/lexical-index.ts';
import { changeKnowledge, openKnowledge } from '../open.ts';
import { removeLeftParts } from './durable-file.ts';
import { prepareSnapshot, snapshotOf } from './prepare.ts';

let work: string;
let folder: string;
let snapshotDir: string;

beforeEach(async () => {
  work = await fs.mkdtemp(join(tmpdir(), 'beleg-crash-'));
  folder = join(work, 'base');
  snapshotDir = join(work, 'index');
  await fs.mkdir(folder);
});
afterEach(() => fs.rm(work, { recursive: true, force: true }));

const sourceFile = (id: string, text: string): string =>
  `---\nid: ${id}\ntitle: "Titel ${id}"\nsection: ""\nstand: "2021-03"\nwork: "W"\nlang: de\n---\n\n${text}\n`;

const write = (name: string, text: string): Promise<void> => fs.writeFile(join(folder, name), text);

/** An index of three files, on disk. */
async function indexed(): Promise<void> {
  await write('bleibt.md', sourceFile('BLEIBT', 'Die Zulage für Nachtschichten.'));
  await write('anders.md', sourceFile('ANDERS', 'Der Urlaub beträgt 24 Tage. Altgeheim.'));
  await write('geht.txt', 'Die Kündigungsfrist beträgt einen Monat. Fortgeheim.');
  const { index } = await openKnowledge({ folder, snapshotDir });
  await index.close();
  for (const each of ['base', 'index']) await copy(each, join('made', each));
}

const copy = (from: string, to: string): Promise<void> =>
  fs.cp(join(work, from), join(work, to), { recursive: true, preserveTimestamps: true });

/** That index again, and then other files: one is changed, one is gone, one has come. */
async function changed(): Promise<void> {
  for (const each of ['base', 'before', 'index'])
    await fs.rm(join(work, each), { recursive: true, force: true });
  for (const each of ['base', 'index']) await copy(join('made', each), each);
  await copy('base', 'before');
  await write('anders.md', sourceFile('ANDERS', 'Der Urlaub beträgt 30 Tage.'));
  await fs.rm(join(folder, 'geht.txt'));
  await write('kommt.txt', 'Der Zuschlag beträgt 25 Prozent. Neugeheim.');
}

const CHANGING = ['writeFile', 'rename', 'rm', 'mkdir'] as const;

/** What a process does that is killed in the middle of its `last` change of the disk; resolves with whether it was killed. */
async function killedAt(last: number, run: () => Promise<unknown>): Promise<boolean> {
  const real = { ...fs };
  let changes = 0;
  const faked = (name: (typeof CHANGING)[number]) => {
    const effect = real[name] as (...given: unknown[]) => Promise<unknown>;
    return async (...given: unknown[]): Promise<unknown> => {
      changes++;
      if (changes < last) return effect(...given);
      const [path, bytes] = given as [string, string | Uint8Array | Iterable<Uint8Array>];
      if (changes === last && name === 'writeFile') {
        const whole =
          typeof bytes === 'string' || bytes instanceof Uint8Array
            ? Buffer.from(bytes)
            : Buffer.concat([...bytes]);
        await effect(path, whole.subarray(0, whole.length / 2));
      }
      throw new Error('killed');
    };
  };
  Object.assign(fs, Object.fromEntries(CHANGING.map((name) => [name, faked(name)])));
  syncBuiltinESMExports();
  try {
    await run();
    return false;
  } catch (error) {
    if (!(error instanceof Error && error.message === 'killed')) throw error;
    return true;
  } finally {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  }
}

const QUESTIONS = ['Nachtschicht', 'Urlaub Tage', 'Kündigungsfrist', 'Zuschlag Prozent'];

/** The index of the files alone, made once for the files that have these names: each of them has always the same text here. */
const rebuilt = new Map<string, Promise<{ lexical: LexicalIndex; hash: string }>>();

async function rebuild(): Promise<{ lexical: LexicalIndex; hash: string }> {
  const { hash, data, about } = await snapshotOf(await prepareSnapshot({ folder, snapshotDir: null }));
  return { lexical: new LexicalIndex(data, about), hash };
}

async function expectNextStartAsRebuilt(): Promise<void> {
  const { index } = await openKnowledge({ folder, snapshotDir });
  const names = (await fs.readdir(folder)).sort().join(' ');
  const made = rebuilt.get(names) ?? rebuild();
  rebuilt.set(names, made);
  const { lexical, hash } = await made;
  expect(index.hash).toBe(hash);
  expect(index.sources).toEqual(lexical.data.sources);
  for (const question of QUESTIONS) {
    const hits = await index.search(question, { topK: 10, forFact: true });
    expect(hits).toEqual(lexical.search(question, { topK: 10 }));
  }
}

/** The words that the disk must not have any more, in files of the index and in what is kept of documents. */
function secretsOnDisk(secrets: readonly string[]): string[] {
  const found = execFileSync(
    'bash',
    ['-c', 'cat -- * 2>/dev/null; for f in documents/*.gz; do zcat "$f" 2>/dev/null; done; true'],
    { cwd: snapshotDir },
  );
  return secrets.filter((secret) => found.includes(secret));
}

async function openTheChange(): Promise<void> {
  // What is on disk is the index of the files before, which the process had in service.
  const before = await openKnowledge({ folder: join(work, 'before'), snapshotDir });
  const taken = await changeKnowledge(before.index, { folder, snapshotDir });
  expect(taken!.index.sources).toHaveLength(3);
}

describe('killed at any change of the disk', () => {
  const works = {
    'of a start that takes changes in': () => openKnowledge({ folder, snapshotDir }),
    'of a change': openTheChange,
    'of a build that writes the snapshot': () => prepareSnapshot({ folder, snapshotDir }),
  };
  const timeout = 600_000;
  test.for(Object.entries(works))('%s, the next start is that of the files', { timeout }, async ([, run]) => {
    await indexed();
    let kills = 0;
    for (let last = 1; ; last++) {
      await changed();
      if (!(await killedAt(last, run))) break;
      kills++;
      await expectNextStartAsRebuilt();
      // What has come with the killed process may leave again before anything else knows of it.
      await fs.rm(join(folder, 'kommt.txt'));
      await expectNextStartAsRebuilt();
      await prepareSnapshot({ folder, snapshotDir });
      await removeLeftParts(snapshotDir, Date.now() + 3_600_000);
      expect(secretsOnDisk(['Altgeheim', 'Fortgeheim', 'Neugeheim'])).toEqual([]);
    }
    expect(kills).toBeGreaterThan(1);
  });
});
