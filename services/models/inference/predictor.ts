import type { Forecast } from '../../../actors/strategy/forecast.ts';
import { KeyedQueue } from '../../../events/keyed-queue.ts';
import { inferenceGraph } from '../network/inference-graph.ts';
import { OUTPUTS } from '../network/spec.ts';
import type { Weights } from '../weights/weights.ts';

/** A trained network that is loaded for predictions. */
export type Predictor = Awaited<ReturnType<typeof openPredictor>>;

interface PredictorOptions {
  /** The most windows in a batch. While a batch is calculated, the process does nothing else. */
  readonly batch?: number;
  readonly threads?: number;
}

/** Loads a network into ONNX Runtime, on the CPU. Rejects if ONNX Runtime would send telemetry, or cannot load it. */
export async function openPredictor(
  { spec, parameters, scaler }: Pick<Weights, 'spec' | 'parameters' | 'scaler'>,
  { batch = 16, threads = 1 }: PredictorOptions = {},
) {
  // ONNX Runtime reads this variable once when it loads, so it must be set before the import.
  if (process.env['ORT_DISABLE_TELEMETRY'] !== '1') {
    throw new Error('ORT_DISABLE_TELEMETRY=1 must be set in the environment');
  }
  const { Tensor } = await import('onnxruntime-node');
  const { openSession } = await import('../onnx-runtime/session.ts');
  const model = inferenceGraph(spec, { batch, parameters, scaler });
  const session = await openSession(model, { provider: 'cpu', threads });
  const size = spec.sequence_length * spec.features;
  const input = new Float32Array(batch * size);
  const output = new Float32Array(batch * OUTPUTS.length);
  const feeds = { x: new Tensor('float32', input, [batch, spec.sequence_length, spec.features]) };
  const fetches = { prediction: new Tensor('float32', output, [batch, OUTPUTS.length]) };
  const turns = new KeyedQueue();
  let closed = false;

  async function predictAll(windows: readonly Float32Array[]): Promise<Forecast[]> {
    const forecasts: Forecast[] = [];
    for (let from = 0; from < windows.length; from += batch) {
      const some = windows.slice(from, from + batch);
      // The rest of the buffer still contains windows of an earlier batch, whose results are ignored.
      for (const [at, window] of some.entries()) input.set(window, at * size);
      // Each batch runs in a turn of the event loop of its own.
      await session.run(feeds, fetches);
      for (const at of some.keys()) {
        const [expected, volatility] = output.subarray(at * OUTPUTS.length);
        forecasts.push({ return: expected!, volatility: volatility! });
      }
    }
    return forecasts;
  }

  return {
    async predict(windows: readonly Float32Array[]) {
      if (closed) throw new Error('the predictor is closed');
      const other = windows.find(({ length }) => length !== size);
      if (other !== undefined)
        throw new RangeError(`a window has ${other.length} numbers instead of ${size}`);
      return turns.run('session', () => predictAll(windows));
    },
    async close(): Promise<void> {
      if (closed) return;
      closed = true;
      await turns.run('session', () => session.release());
    },
  };
}
