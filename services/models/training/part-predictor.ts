import '../onnx-runtime/no-telemetry.ts';
import { Tensor, type InferenceSession } from 'onnxruntime-node';
import { fillBatch, type Dataset, type Part } from '../data/dataset.ts';
import { inferenceGraph } from '../network/inference-graph.ts';
import { OUTPUTS, type NetworkSpec } from '../network/spec.ts';
import { openSession } from '../onnx-runtime/session.ts';
import type { Provider } from './training.ts';

/** Predicts with parameters that are still being trained: the graph takes them as an input. Scaled in, scaled out. */
export class PartPredictor {
  readonly #session: InferenceSession;
  readonly #shape: readonly [days: number, features: number];
  readonly #x: Float32Array;
  readonly #y: Float32Array;

  /** @param batch windows of a run, at most. */
  static async open(
    spec: NetworkSpec,
    batch: number,
    on: { provider: Provider; threads: number },
  ): Promise<PartPredictor> {
    return new PartPredictor(spec, batch, await openSession(inferenceGraph(spec, { batch: 'any' }), on));
  }

  private constructor(spec: NetworkSpec, batch: number, session: InferenceSession) {
    this.#session = session;
    this.#shape = [spec.sequence_length, spec.features];
    this.#x = new Float32Array(batch * spec.sequence_length * spec.features);
    this.#y = new Float32Array(batch * OUTPUTS.length);
  }

  /**
   * Windows × outputs, of each window of the part. Between two batches other events are heard. Rejects with the signal's
   * reason.
   */
  async of(
    parameters: Float32Array,
    dataset: Dataset,
    { rows }: Part,
    signal: AbortSignal,
  ): Promise<Float32Array> {
    const predicted = new Float32Array(rows.length * OUTPUTS.length);
    const batch = this.#y.length / OUTPUTS.length;
    for (let at = 0; at < rows.length; at += batch) {
      const count = Math.min(batch, rows.length - at);
      fillBatch(dataset, rows, at, count, this.#x, this.#y);
      predicted.set(await this.run(parameters, this.#x, count), at * OUTPUTS.length);
      signal.throwIfAborted();
    }
    return predicted;
  }

  /** One batch: of the first `count` windows of `x`. */
  async run(parameters: Float32Array, x: Float32Array, count: number): Promise<Float32Array> {
    const [days, features] = this.#shape;
    const { prediction } = await this.#session.run({
      p: new Tensor('float32', parameters, [parameters.length]),
      x: new Tensor('float32', x.subarray(0, count * days * features), [count, days, features]),
    });
    return prediction!.data as Float32Array;
  }

  /** Not while a batch is under way. */
  close(): Promise<void> {
    return this.#session.release();
  }
}

/** Mean over all outputs of a part's windows, whose predictions these are. */
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
