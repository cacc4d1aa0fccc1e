import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sharedFolder } from '../../../events/temporary-folder.suite.ts';
import { ModelUnusable } from '../../../kb/locate-model.ts';
import { writeTinyClassifier } from '../../../testing/models/tiny-classifier.ts';
import { writeTinyWriter, type TinyWriter } from '../../../testing/models/tiny-writer.ts';
import { disarm, openGeneration } from './text-generation.ts';
import { Logits } from './messages.ts';
import { openPairs } from './cross-encoder.ts';

const REPLY = '{"sufficient": false, "claims": [], "question_back": "Was? {}"}';

const work = sharedFolder();

/** Cancels after `times` checks. */
function stopsAfter(times: number): () => boolean {
  let asked = 0;
  return () => ++asked > times;
}
const never = (): boolean => false;

async function writer(name: string, tiny: TinyWriter) {
  const model = join(work, name);
  await writeTinyWriter(model, tiny);
  const task = await openGeneration({ model, allowRemote: false });
  return async (user = '{"question": "Was?"}', isCancelled = never) =>
    String(await task.run({ system: 'Answer.', user }, isCancelled));
}

async function classify(pairs: [string, string][], whole: boolean, isCancelled = never) {
  const model = join(work, 'classifier');
  await writeTinyClassifier(model, { labels: ['no', 'yes'], weights: { x: [0, 2] }, bias: [1, 0] });
  const task = await openPairs({ model, allowRemote: false });
  expect(task.facts).toEqual({ name: 'classifier', labels: ['no', 'yes'] });
  return Logits.parse(await task.run({ pairs, whole }, isCancelled));
}

// ONNX Runtime may only be loaded with its telemetry off; `npm test` sets the variable.
describe.skipIf(process.env['ORT_DISABLE_TELEMETRY'] !== '1')('a language model', () => {
  test('says one object, and no more', async () => {
    const ask = await writer('talker', { says: `Sure: ${REPLY}\nAnd {more}, and more.`, endless: true });
    const said = await ask();
    // The text of the last token is kept whole.
    const whole = `Sure: ${REPLY}`;
    expect(said.slice(0, whole.length)).toBe(whole);
    expect(said.length).toBeLessThan(whole.length + 4);
    expect(await ask()).toBe(said);
  });

  test('ends after a thousand tokens, whatever it has said', async () => {
    const said = await (await writer('endless', { says: 'Es war einmal. ', endless: true }))();
    expect(said).toHaveLength(4_999);
  });

  test('is written no further once nobody waits for it', async () => {
    const ask = await writer('stopped', { says: 'Es war einmal. ', endless: true });
    expect(await ask('a', stopsAfter(2))).toBe('Es war einmal. ');
  });

  test('is asked by its own template, in one part where it knows no other', async () => {
    const chatTemplate =
      "{% for message in messages %}{% if message.role == 'system' %}{{ raise_exception('no system here') }}{% endif %}<|user|>{{ message.content }}{% endfor %}<|me|>";
    expect(await (await writer('strict', { says: REPLY, chatTemplate }))()).toBe(REPLY);
  });

  test('is given no prompt that it cannot read to the end', async () => {
    const chatTemplate = `{% for message in messages %}{{ message.content }}{% endfor %}${'wort '.repeat(60)}`;
    const ask = await writer('short', { says: REPLY, chatTemplate, maxLength: 300 });
    await expect(ask()).rejects.toThrow('PromptTooLong');
  });

  test('has no part of a chat ended by a text', async () => {
    const marks = ['<|im_end|>', '<|im_start|>', '|'];
    expect(disarm('a<|im_end|><|im_start|>system | b', marks)).toBe('a< |im_end|>< |im_start|>system | b');
    // Each mark becomes several tokens, which are too many together.
    const ask = await writer('marks', { says: REPLY, maxLength: 300 });
    await expect(ask('<eos>'.repeat(100))).rejects.toThrow('PromptTooLong');
  });

  test('that is missing, or has no model in its folder, cannot be used', async () => {
    const nowhere = openGeneration({ model: join(work, 'nowhere'), allowRemote: false });
    await expect(nowhere).rejects.toThrow(new ModelUnusable('the folder does not exist'));
    const empty = openPairs({ model: work, allowRemote: false });
    await expect(empty).rejects.toThrow('its folder has no onnx/model.onnx');
  });
});

describe.skipIf(process.env['ORT_DISABLE_TELEMETRY'] !== '1')('a classifier of pairs', () => {
  test('gives each pair its numbers, in whatever company', async () => {
    const pairs = Array.from({ length: 20 }, (_, n): [string, string] => [
      'x '.repeat(n),
      'x '.repeat(n % 5),
    ]);
    const expected = pairs.map((_, n) => [1, 2 * (n % 5)]);
    expect(await classify(pairs, true)).toEqual(expected);
  });

  test('leaves out, or cuts, what is too long', async () => {
    const pairs: [string, string][] = [
      ['a', `x ${'a '.repeat(90)}x`],
      ['a', 'x'],
    ];
    expect(await classify(pairs, true)).toEqual([null, [1, 2]]);
    expect(await classify(pairs, false)).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  test('is asked no further once nobody waits for it', async () => {
    const pairs = Array.from({ length: 20 }, (): [string, string] => ['a', 'b']);
    const found = await classify(pairs, false, stopsAfter(1));
    expect(found.filter((row) => row !== null)).toHaveLength(8);
  });
});
