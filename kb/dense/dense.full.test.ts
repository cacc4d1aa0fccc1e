import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { KnowledgeIndex } from '../knowledge.ts';
import { openKnowledge } from '../open.ts';
import { writeTinyModel } from '../../testing/models/tiny-model.ts';
import { ModelUnusable } from '../locate-model.ts';
import { openEmbedder } from './embedder.ts';

const search = (index: KnowledgeIndex) => index.search('paid leave', { topK: 2 });

test('without ORT_DISABLE_TELEMETRY=1 nothing is loaded', async () => {
  const { ORT_DISABLE_TELEMETRY: _, ...env } = process.env;
  const script = `
    const { openEmbedder } = await import(${JSON.stringify(new URL('embedder.ts', import.meta.url).href)});
    await openEmbedder({ model: '.', allowRemote: false }).catch(({ name, message }) => console.log(name, message));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env,
  });
  expect(stdout).toContain('ModelUnusable the embedding model cannot be used: ORT_DISABLE_TELEMETRY=1');
});

// ONNX Runtime may only be loaded with its telemetry off; `npm test` sets the variable.
describe.skipIf(process.env['ORT_DISABLE_TELEMETRY'] !== '1')('the dense leg', () => {
  let work: string;
  let model: string;
  let folder: string;

  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), 'beleg-dense-'));
    [model, folder] = [join(work, 'tiny'), await mkdtemp(join(work, 'base-'))];
    await writeTinyModel(model);
    await write('A-1', 'Employees get paid leave. Leave is four weeks.');
    await write('B-1', 'A dismissal needs written form.');
  });
  afterAll(() => rm(work, { recursive: true }));

  async function write(id: string, text: string): Promise<void> {
    const head = `id: ${id}\ntitle: "T"\nsection: "S"\nstand: "2021-03"\nwork: "W"\nlang: en`;
    await writeFile(join(folder, `${id}.md`), `---\n${head}\n---\n\n${text}\n`);
  }

  test('vectors have length 1, and the same text has the same one', async () => {
    const embedder = await openEmbedder({ model, allowRemote: false });
    const vectors = await embedder.embed(['paid leave', 'written form', 'paid leave']);
    expect(vectors).toHaveLength(96);
    const [first, second, third] = [0, 32, 64].map((at) => vectors.subarray(at, at + 32));
    expect(Math.hypot(...first!)).toBeCloseTo(1, 5);
    for (const [i, value] of third!.entries()) expect(value).toBeCloseTo(first![i]!, 5);
    expect(second).not.toEqual(first);
    await embedder.close();
  });

  test('adds to what the words find, is kept in the snapshot, and embeds only what is new', async () => {
    const snapshotDir = join(work, 'snapshot');
    const embedded: number[] = [];
    const open = () =>
      openKnowledge({
        folder,
        snapshotDir,
        embedding: { model, allowRemote: false },
        onProgress: ({ phase, total }) => phase === 'embed' && embedded.push(total),
      });
    const first = await open();
    expect(first.index.retrieval).toBe('lexical+dense:tiny');
    const hits = await first.index.search('paid leave', { topK: 2 });
    // By words only one source is found, by vectors both.
    expect(hits.map(({ source }) => source.id)).toEqual(['A-1', 'B-1']);

    const second = await open();
    expect(second.fromSnapshot).toBe(true);
    expect(await second.index.search('paid leave', { topK: 2 })).toEqual(hits);

    await write('C-1', 'Overtime is paid.');
    const third = await open();
    expect(third.fromSnapshot).toBe(false);
    expect(embedded).toEqual([3, 1]);

    const fourth = await open();
    expect(fourth.fromSnapshot).toBe(true);
    const question = 'overtime';
    expect(await fourth.index.search(question, { topK: 3 })).toEqual(
      await third.index.search(question, { topK: 3 }),
    );
    await Promise.all([first, second, third, fourth].map(({ index }) => index.close()));
  });

  async function openIndex(): Promise<KnowledgeIndex> {
    return (await openKnowledge({ folder, snapshotDir: null, embedding: { model, allowRemote: false } }))
      .index;
  }

  test('a model closes with the last index that uses it, after the search that runs, and opens again', async () => {
    const [older, newer] = [await openIndex(), await openIndex()];
    const hits = await search(older);
    await Promise.all([older.close(), older.close()]);
    expect(await search(newer)).toEqual(hits);
    const running = search(newer);
    await newer.close();
    expect(await running).toEqual(hits);
    await expect(search(newer)).rejects.toThrow('the embedding model is closed');
    const next = await openIndex();
    expect(await search(next)).toEqual(hits);
    await next.close();
  });

  test('a model that is missing or broken is refused, and nothing is fetched', async () => {
    const missing = { model: join(work, 'nowhere'), allowRemote: false };
    await expect(openEmbedder(missing)).rejects.toThrow(ModelUnusable);
    const broken = join(work, 'broken');
    await writeTinyModel(broken);
    await writeFile(join(broken, 'onnx', 'model.onnx'), 'no model');
    await expect(openEmbedder({ model: broken, allowRemote: false })).rejects.toThrow(ModelUnusable);
    await expect(openKnowledge({ folder, snapshotDir: null, embedding: missing })).rejects.toThrow(
      'the embedding model cannot be used',
    );
  });
});
