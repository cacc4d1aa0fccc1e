import { expect, test, vi } from 'vitest';
import { openOnDevice } from './device.ts';
import { Optimization, type OptimizationPlan } from './optimization.ts';

const plan: OptimizationPlan = {
  spec: { features: 2, sequence_length: 4, hidden_channels: 8, num_heads: 1, layers: 1, dropout: 0.1 },
  settings: { batch_size: 2, epochs: 1, learning_rate: 0.01, seed: 1 },
  batch: 2,
  steps: 1,
};
const example = (x: Float32Array, y: Float32Array): void => {
  for (const at of x.keys()) x[at] = Math.sin(at);
  for (const at of y.keys()) y[at] = Math.cos(at);
};

/** A fake GPU: the CPU under another name, whose first step gives a wrong result. */
async function openOnGpu(change: (gpu: Optimization) => void) {
  const open = Optimization.open.bind(Optimization);
  const spy = vi.spyOn(Optimization, 'open').mockImplementation(async (plan, { provider, threads }) => {
    const opened = await open(plan, { provider: 'cpu', threads });
    if (provider !== 'cpu') change(opened);
    return opened;
  });
  const { optimization, device } = await openOnDevice(plan, { provider: 'webgpu', threads: 1 }, example);
  await optimization.close();
  spy.mockRestore();
  return device;
}

test('a provider that computes what the CPU computes is used', async () => {
  expect(await openOnGpu(() => undefined)).toMatchObject({ provider: 'webgpu', fallback: null });
});

test('one that computes something else is not', async () => {
  const device = await openOnGpu((gpu) => {
    const step = gpu.step.bind(gpu);
    gpu.step = async (at) => {
      const loss = await step(at);
      gpu.state.moments.first[0]! += 1;
      return loss;
    };
  });
  expect(device).toMatchObject({
    provider: 'cpu',
    fallback: 'webgpu computes a different first step than the CPU',
  });
});

test('one that computes no numbers is not', async () => {
  const device = await openOnGpu((gpu) => {
    const step = gpu.step.bind(gpu);
    gpu.step = async (at) => {
      await step(at);
      gpu.state.moments.first.fill(Number.NaN);
      return Number.NaN;
    };
  });
  expect(device).toMatchObject({ provider: 'cpu', fallback: expect.stringContaining('first step') });
});

test('one that failed at the first step is not', async () => {
  const device = await openOnGpu((gpu) => {
    gpu.step = () => Promise.reject(new Error('device lost'));
  });
  expect(device).toMatchObject({ provider: 'cpu', fallback: 'webgpu failed at the first step' });
});
