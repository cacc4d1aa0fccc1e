import { gaussian } from '../network/random.ts';
import { initialParameters } from '../network/parameters.ts';
import { openOnDevice } from './device.ts';
import { initialState } from './optimization.ts';
import { openPartPredictor } from './part-predictor.ts';
import { threadsOf } from '../onnx-runtime/threads.ts';
import type { BenchmarkJob, BenchmarkResult } from './trainer-port.ts';

const WARM_UP_MS = 500;
const MEASURED_MS = 2_500;
/** At least this many runs are measured, even on a slow machine. */
const FEWEST = 3;

/** Measures training steps and inference batches in this process, for about 7 s unless the network is very large. */
export async function measureTraining({
  spec,
  settings,
  provider,
  threads,
}: BenchmarkJob): Promise<BenchmarkResult> {
  const batch = settings.batch_size;
  const on = { provider, threads: threadsOf(threads) };
  const fill = (x: Float32Array, y: Float32Array): void => {
    for (const at of x.keys()) x[at] = gaussian(settings.seed, 1, at);
    for (const at of y.keys()) y[at] = gaussian(settings.seed, 2, at);
  };
  const { optimization, device } = await openOnDevice({ spec, settings, batch, steps: 1 }, on, fill);
  const predictor = await openPartPredictor(spec, batch, { ...on, provider: device.provider });
  const parameters = initialParameters(spec, settings.seed);
  fill(optimization.x, optimization.y);
  optimization.state = initialState(parameters);
  // Every run repeats the first step, so that learning does not change the time.
  const step = await medianMs(() => optimization.step(1));
  const inference = await medianMs(() => predictor.run(parameters, optimization.x, batch));
  const memory = process.memoryUsage.rss();
  await optimization.close();
  await predictor.close();
  return {
    training_time_ms: step,
    inference_time_ms: inference,
    training_throughput: (batch * 1_000) / step,
    inference_throughput: (batch * 1_000) / inference,
    memory_allocated_gb: memory / 1e9,
    device,
  };
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const warmAt = performance.now() + WARM_UP_MS;
  do await work();
  while (performance.now() < warmAt);
  const times: number[] = [];
  const overAt = performance.now() + MEASURED_MS;
  while (times.length < FEWEST || performance.now() < overAt) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  return times[times.length >> 1]!;
}
