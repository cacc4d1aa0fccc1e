import '../onnx-runtime/no-telemetry.ts';
import { Tensor } from 'onnxruntime-node';
import { fillBatch, type Dataset, type Part } from '../data/dataset.ts';
import { inferenceGraph } from '../network/inference-graph.ts';
import { OUTPUTS, type NetworkSpec } from '../network/spec.ts';
import { openSession } from '../onnx-runtime/session.ts';
import type { Provider } from './trainer-port.ts';

/**
 * Predicts with parameters that are still in training: the graph takes them as an input. Inputs and outputs are scaled.
 *
 * @param batch the most windows of a run.
 */
export async function openPartPredictor(
  spec: NetworkSpec,
  batch: number,
  on: { provider: Provider; threads: number },
) {
  const session = await openSession(inferenceGraph(spec, { batch: 'any' }), on);
  const { sequence_length: days, features } = spec;
  const x = new Float32Array(batch * days * features);
  const y = new Float32Array(batch * OUTPUTS.length);

  /** Predicts a batch: the first `count` windows of `x`. */
  async function run(parameters: Float32Array, x: Float32Array, count: number): Promise<Float32Array> {
    const { prediction } = await session.run({
      p: new Tensor('float32', parameters, [parameters.length]),
      x: new Tensor('float32', x.subarray(0, count * days * features), [count, days, features]),
    });
    return prediction!.data as Float32Array;
  }

  return {
    run,
    /**
     * Predicts all windows of the part: windows × outputs. The event loop gets a turn between two batches. Rejects with
     * the signal's reason.
     */
    async of(parameters: Float32Array, dataset: Dataset, { rows }: Part, signal: AbortSignal) {
      const predicted = new Float32Array(rows.length * OUTPUTS.length);
      for (let at = 0; at < rows.length; at += batch) {
        const count = Math.min(batch, rows.length - at);
        fillBatch(dataset, rows, at, count, x, y);
        predicted.set(await run(parameters, x, count), at * OUTPUTS.length);
        signal.throwIfAborted();
      }
      return predicted;
    },
    /** Closes. It must not be called while a batch is under way. */
    close: () => session.release(),
  };
}

/** The mean squared error over all outputs of a part's windows. */
export function squaredError(predicted: Float32Array, targets: Float32Array, rows: Int32Array): number {
  let sum = 0;
  for (const [window, row] of rows.entries()) {
    for (let output = 0; output < OUTPUTS.length; output++) {
      const error = predicted[window * OUTPUTS.length + output]! - targets[row * OUTPUTS.length + output]!;
      sum += error ** 2;
    }
  }
  return sum / predicted.length;
}
