import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedFolder } from '../../../events/temporary-folder.suite.ts';
import { countParameters } from '../network/parameters.ts';
import { readCheckpoint, writeCheckpoint, type Checkpoint } from './checkpoint.ts';

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0));
const count = fc.nat();
const SPEC = { features: 2, sequence_length: 4, hidden_channels: 8, num_heads: 2, layers: 1, dropout: 0.1 };
const LENGTH = countParameters(SPEC);
/** A vector with any bits, including NaN, infinities, -0 and denormal numbers. */
const vector = fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => {
  const repeated = Uint8Array.from({ length: 4 * LENGTH }, (_, at) => bytes[at % bytes.length]!);
  return new Float32Array(repeated.buffer);
});

const columns = (length: number) => fc.array(fc.double(), { minLength: length, maxLength: length });
const scaler = (length: number) => fc.record({ mean: columns(length), deviation: columns(length) });

const AnyCheckpoint: fc.Arbitrary<Checkpoint> = fc.record({
  spec: fc.constant(SPEC),
  settings: fc.constant({ batch_size: 4, epochs: 3, learning_rate: 0.001, seed: 7 }),
  features: fc.constant(['a', 'b']),
  scaler: fc.record({ inputs: scaler(2), targets: scaler(2) }),
  dataset: fc.string(),
  step: count,
  parameters: vector,
  moments: fc.record({ first: vector, second: vector }),
  best: fc.option(fc.record({ epoch: count, validationLoss: number, parameters: vector })),
  epochs: fc.array(
    fc.record({
      epoch: count,
      step: count,
      train_loss: number,
      validation_loss: number,
      validation: fc.record({ return: number, volatility: number }),
      best: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  lossSum: number,
});

/** Compares every number by its bits. */
const bits = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => {
    if (inner instanceof Float32Array) return Buffer.from(inner.buffer).toString('hex');
    if (typeof inner === 'number') return Buffer.from(Float64Array.of(inner).buffer).toString('hex');
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))
      : inner;
  });

describe('a checkpoint', () => {
  const folder = sharedFolder();
  let file: string;
  beforeAll(() => {
    file = join(folder, 'checkpoint.safetensors');
  });

  it('is read as it was written, bit for bit', async () => {
    await fc.assert(
      fc.asyncProperty(AnyCheckpoint, async (checkpoint) => {
        await writeCheckpoint(file, checkpoint);
        expect(bits(await readCheckpoint(file))).toBe(bits(checkpoint));
      }),
      { numRuns: 50 },
    );
  });

  it('that is not there is none', async () => {
    expect(await readCheckpoint(join(folder, 'none'))).toBeNull();
  });

  it('that was changed is damaged', async () => {
    const [checkpoint] = fc.sample(AnyCheckpoint, { numRuns: 1, seed: 1 });
    await writeCheckpoint(file, checkpoint!);
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(file, bytes);
    await expect(readCheckpoint(file)).rejects.toMatchObject({ fault: 'CHECKPOINT_DAMAGED' });
    writeFileSync(file, '');
    await expect(readCheckpoint(file)).rejects.toMatchObject({
      fault: 'CHECKPOINT_DAMAGED',
      message: 'The checkpoint is damaged: a file of 0 bytes is too short for tensors',
    });
  });

  it('of another network than its spec says is damaged', async () => {
    const [checkpoint] = fc.sample(AnyCheckpoint, { numRuns: 1, seed: 1 });
    const short = new Float32Array(LENGTH - 1);
    const moments = { first: short, second: short };
    await writeCheckpoint(file, { ...checkpoint!, parameters: short, moments, best: null });
    await expect(readCheckpoint(file)).rejects.toMatchObject({
      fault: 'CHECKPOINT_DAMAGED',
      message: `The checkpoint is damaged: the tensor parameters of [${LENGTH}] F32 is missing`,
    });
  });
});
