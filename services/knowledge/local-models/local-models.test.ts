import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { sharedFolder } from '../../../events/temporary-folder.suite.ts';
import { writeTinyClassifier } from '../../../testing/models/tiny-classifier.ts';
import { writeTinyWriter } from '../../../testing/models/tiny-writer.ts';
import { openLocalChat, openReranker, openEntailment, readLogits } from '../open-models.ts';

const signal = new AbortController().signal;

const work = sharedFolder();
let opened: { close(): Promise<void> } | undefined;

afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

const options = (folder: string) => ({
  model: join(work, folder),
  setting: 'PV_SOME_MODEL',
  allowRemote: false,
  timeoutMs: 30_000,
  logger: pino({ level: 'silent' }),
});

test('a language model from a folder answers under its name', async () => {
  await writeTinyWriter(join(work, 'writer'), { says: '{"sufficient": false}' });
  const { model } = (opened = await openLocalChat(options('writer')));
  expect({ name: model.name, ready: model.ready }).toEqual({ name: 'writer', ready: true });
  const asking = { system: 'Answer.', user: '{}', schema: {} };
  expect(await model.complete(asking, signal)).toEqual({ text: '{"sufficient": false}', isCut: false });
});

describe('a model of inference from a folder', () => {
  test('tells how probable it is that a text follows from another', async () => {
    await writeTinyClassifier(join(work, 'nli'), {
      labels: ['contradiction', 'ENTAILMENT', 'neutral'],
      weights: { x: [9, 0, 0], q: [0, 0, 9] },
      bias: [0, 3, 0],
    });
    const local = await openEntailment(options('nli'));
    opened = local;
    const pairs = [
      { premise: 'x a b', hypothesis: 'a b' },
      { premise: 'a b', hypothesis: 'x a' },
      { premise: 'a b', hypothesis: 'a q' },
      { premise: 'a '.repeat(62), hypothesis: 'a' },
    ];
    const [yes, contradicted, open, tooLong] = await local.model.entails(pairs, signal);
    expect(yes).toBeCloseTo(Math.exp(3) / (Math.exp(3) + 2), 5);
    expect(contradicted).toBeLessThan(0.01);
    expect(open).toBeLessThan(0.01);
    expect(tooLong).toBeNull();
  });

  test('of which no label says so is not used', async () => {
    const labels = ['LABEL_0', 'LABEL_1'];
    await writeTinyClassifier(join(work, 'other'), { labels, weights: {}, bias: [0, 0] });
    await expect(openEntailment(options('other'))).rejects.toThrow(
      'PV_SOME_MODEL: the model cannot be used: it needs a label `entailment` and at least one other label',
    );
  });
});

describe('a reranker from a folder', () => {
  test('says how well a text answers a question', async () => {
    const model = { labels: ['no', 'yes'], weights: { x: [-1, 1] }, bias: [0.5, -0.5] };
    await writeTinyClassifier(join(work, 'reranker'), model);
    const local = await openReranker(options('reranker'));
    opened = local;
    const texts = ['a b', 'x a', 'a x x', `x ${'a '.repeat(90)}x`];
    expect(await local.model.score('x x x', texts, signal)).toEqual([-1, 1, 3, 1]);
  });

  test('of three labels is not used', async () => {
    const labels = ['a', 'b', 'c'];
    await writeTinyClassifier(join(work, 'three'), { labels, weights: {}, bias: [0, 0, 0] });
    await expect(openReranker(options('three'))).rejects.toThrow('it has 3 labels');
  });
});

test('a folder whose model does not load is refused, with the setting that names it', async () => {
  await writeTinyClassifier(join(work, 'broken'), { labels: ['a'], weights: {}, bias: [0] });
  await writeFile(join(work, 'broken', 'onnx', 'model.onnx'), 'no model');
  await expect(openReranker(options('broken'))).rejects.toThrow(
    'PV_SOME_MODEL: the model cannot be used: it cannot be loaded (',
  );
});

test('a verdict rests on a finite number for each label, or on none', () => {
  expect(readLogits([[1, 2], null], 2, 2)).toEqual([[1, 2], null]);
  for (const output of [undefined, [[1, 2]], [[1], null], [[1, Number.NaN], null], 'yes']) {
    expect(() => readLogits(output, 2, 2)).toThrow(expect.objectContaining({ code: 'MODEL_UNAVAILABLE' }));
  }
});
