import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { SessionData } from '../../events/messages/market.ts';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import { loadSignalModel, type SignalModel } from './backtest-model.ts';
import { SMALL_SPEC, writeSmallWeights } from './small-weights.suite.ts';

const sessions = ['2024-01-02', '2024-01-03', '2024-01-05'].map((date): SessionData => ({
  date,
  bars: {},
  splits: {},
  dividends: {},
}));
const OTHER_SPEC = { ...SMALL_SPEC, sequence_length: 60 };

let folder: string;
let saved: string;

beforeEach(async () => {
  folder = temporaryFolder();
  saved = join(folder, 'saved', 'weights.safetensors');
  await mkdir(dirname(saved));
});

test('by default they are the saved ones, of the network that is configured', async () => {
  const weights = await writeSmallWeights(saved, '2024-01-02');
  expect(await loadSignalModel(undefined, { spec: SMALL_SPEC, folder })).toMatchObject({
    weights,
    trainedUntil: '2024-01-02',
  });
  await expect(loadSignalModel(undefined, { spec: OTHER_SPEC, folder })).rejects.toMatchObject({
    code: 'WEIGHTS_MISMATCH',
    detail: expect.stringContaining('sequence_length 20 instead of 60') as string,
  });
});

test('those of a named file may be of any network', async () => {
  const file = join(folder, 'other.safetensors');
  const weights = await writeSmallWeights(file, null);
  expect(await loadSignalModel(file, { spec: OTHER_SPEC, folder })).toMatchObject({ weights });
});

async function load(trainedUntil: string | null): Promise<SignalModel> {
  await writeSmallWeights(saved, trainedUntil);
  return loadSignalModel(undefined, { spec: SMALL_SPEC, folder });
}

test('the test begins where training has seen nothing', async () => {
  expect((await load('2024-01-03')).outOfSample(sessions)).toBe('2024-01-05');
  expect((await load('2024-01-04')).outOfSample(sessions)).toBe('2024-01-05');
  expect((await load('2020-01-01')).outOfSample(sessions)).toBe('2024-01-02');
  expect((await load(null)).outOfSample(sessions)).toBeNull();
  const all = await load('2024-01-05');
  expect(() => all.outOfSample(sessions)).toThrow(/the model was trained on all sessions/);
});

test('missing and damaged ones are named', async () => {
  await expect(loadSignalModel(undefined, { spec: SMALL_SPEC, folder })).rejects.toMatchObject({
    code: 'WEIGHTS_MISSING',
    detail: expect.stringContaining(saved) as string,
  });
  await writeSmallWeights(saved, null);
  const bytes = await readFile(saved);
  bytes[bytes.length - 1]! ^= 1;
  await writeFile(saved, bytes);
  await expect(loadSignalModel(undefined, { spec: SMALL_SPEC, folder })).rejects.toMatchObject({
    code: 'WEIGHTS_DAMAGED',
  });
});
