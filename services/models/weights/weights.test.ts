import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedFolder } from '../../../events/temporary-folder.suite.ts';
import { initialParameters, layoutOf } from '../network/parameters.ts';
import { decodeSafetensors } from './safetensors.ts';
import { assertFits, readWeights, writeWeights, type Weights } from './weights.ts';

const spec = {
  features: 2,
  sequence_length: 4,
  hidden_channels: 8,
  num_heads: 2,
  layers: 1,
  dropout: 0.1,
};
const score = { return: 0.1, volatility: -0.2 };
const weights: Weights = {
  spec,
  features: ['log_return', 'rsi_14'],
  scaler: {
    inputs: { mean: [0.1, 50], deviation: [0.02, 1 / 3] },
    targets: { mean: [0, 0.01], deviation: [0.02, 0.005] },
  },
  parameters: initialParameters(spec, 1),
  run: 'run-1',
  trainedUntil: '2020-03-31',
  seed: 1,
  scores: { network: score, ridge: score, mean: { return: 0, volatility: 0 } },
};

describe('weights', () => {
  const folder = sharedFolder();
  let file: string;
  beforeAll(() => {
    file = join(folder, 'weights.safetensors');
  });

  it('are read as they were written, and known by their hash', async () => {
    const hash = await writeWeights(file, weights);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await readWeights(file, hash)).toEqual({ weights, hash });
    expect(await writeWeights(file, weights)).toBe(hash);
    expect(readdirSync(folder)).toEqual(['weights.safetensors']);
  });

  it('as they were initialised have no run', async () => {
    const fresh = { ...weights, run: null, trainedUntil: null, scores: null };
    const hash = await writeWeights(file, fresh);
    expect((await readWeights(file, hash)).weights).toEqual(fresh);
  });

  it('have the names and shapes of the layout, so that others can read them', async () => {
    await writeWeights(file, weights);
    const { tensors } = decodeSafetensors(readFileSync(file));
    for (const { name, shape, offset, size } of layoutOf(spec)) {
      const data = weights.parameters.subarray(offset, offset + size);
      expect(tensors.get(name)).toEqual({ dtype: 'F32', shape, data: Float32Array.from(data) });
    }
  });

  it('that are not there are missing', async () => {
    await expect(readWeights(join(folder, 'none'))).rejects.toMatchObject({ code: 'WEIGHTS_MISSING' });
  });

  it('with a number that is none are damaged, however well they are sealed', async () => {
    for (const wrong of [NaN, Infinity]) {
      const parameters = weights.parameters.with(3, wrong);
      await writeWeights(file, { ...weights, parameters });
      await expect(readWeights(file)).rejects.toMatchObject({ code: 'WEIGHTS_DAMAGED' });
    }
  });

  it('of a size that no network has are damaged, and not read', async () => {
    writeFileSync(file, '');
    truncateSync(file, 1024 ** 3);
    await expect(readWeights(file)).rejects.toMatchObject({ code: 'WEIGHTS_DAMAGED' });
    rmSync(file);
  });

  it('that were changed are damaged', async () => {
    await writeWeights(file, weights);
    const bytes = readFileSync(file);
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(file, bytes);
    await expect(readWeights(file)).rejects.toMatchObject({
      code: 'WEIGHTS_DAMAGED',
      detail: 'The saved weights are damaged: its checksum is wrong: the file was changed or damaged',
    });
  });

  it('that are sound but others than expected are damaged', async () => {
    const expected = await writeWeights(file, weights);
    await writeWeights(file, { ...weights, seed: 2 });
    await expect(readWeights(file, expected)).rejects.toMatchObject({ code: 'WEIGHTS_DAMAGED' });
  });

  it('of a disk that fails are neither missing nor damaged', async () => {
    await expect(readWeights(folder)).rejects.toMatchObject({ code: 'EISDIR' });
  });

  it('fit their own network, with another dropout too', () => {
    expect(() => assertFits(weights, { ...spec, dropout: 0.5 }, weights.features)).not.toThrow();
  });

  it('do not fit another one, and say what differs', () => {
    const other = { ...spec, hidden_channels: 16, layers: 2 };
    expect(() => assertFits(weights, other, ['rsi_14', 'log_return'])).toThrow(
      expect.objectContaining({
        code: 'WEIGHTS_MISMATCH',
        detail:
          'The saved weights have hidden_channels 8 instead of 16; layers 1 instead of 2; ' +
          'features log_return, rsi_14 instead of rsi_14, log_return',
      }),
    );
    for (const name of ['sequence_length', 'num_heads'] as const) {
      expect(() => assertFits(weights, { ...spec, [name]: 7 }, weights.features)).toThrow(`${name} `);
    }
  });
});
