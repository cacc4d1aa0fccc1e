import '../onnx-runtime/no-telemetry.ts';
import { Tensor, type InferenceSession } from 'onnxruntime-node';
import { countParameters } from '../network/parameters.ts';
import { fillMask } from '../network/random.ts';
import { hyperparameters } from '../network/learning-rate.ts';
import { OUTPUTS, type NetworkSpec, type TrainingSettings } from '../network/spec.ts';
import { trainingGraph, type Mask } from '../network/training-graph.ts';
import type { Checkpoint } from '../weights/checkpoint.ts';
import { openSession } from '../onnx-runtime/session.ts';
import type { Provider } from './trainer-port.ts';

/** What a step changes: the parameters and both moments of AdamW, one vector each. */
type OptimizerState = Pick<Checkpoint, 'parameters' | 'moments'>;

export interface OptimizationPlan {
  readonly spec: NetworkSpec;
  readonly settings: TrainingSettings;
  /** The windows of a step. */
  readonly batch: number;
  /** The number of steps of the whole run. The schedule of the learning rate depends on it. */
  readonly steps: number;
}

/** Trains a network step by step. All buffers are allocated at the beginning, none in a step. */
export class Optimization {
  /** The inputs of a step, which the caller fills: batch × days × features, and batch × 2. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly #plan: OptimizationPlan;
  readonly #session: InferenceSession;
  readonly #masks: readonly Uint8Array[];
  readonly #hyperparameters = new Float32Array(3);
  readonly #loss = new Float32Array(1);
  readonly #norm = new Float32Array(1);
  readonly #shared: Readonly<Record<string, Tensor>>;
  readonly #outputs: Readonly<Record<string, Tensor>>;
  /** Two states: a step reads one and writes the other; then they are swapped. */
  #now: OptimizerState;
  #next: OptimizerState;

  /** Rejects if the provider is not available or cannot hold the network. */
  static async open(
    plan: OptimizationPlan,
    on: { provider: Provider; threads: number },
  ): Promise<Optimization> {
    const { bytes, masks } = trainingGraph(plan.spec, plan.batch);
    return new Optimization(plan, await openSession(bytes, on), masks);
  }

  private constructor(plan: OptimizationPlan, session: InferenceSession, masks: readonly Mask[]) {
    const { spec, batch } = plan;
    this.#plan = plan;
    this.#session = session;
    this.#masks = masks.map(({ size }) => new Uint8Array(size));
    this.x = new Float32Array(batch * spec.sequence_length * spec.features);
    this.y = new Float32Array(batch * OUTPUTS.length);
    this.#now = initialState(new Float32Array(countParameters(spec)));
    this.#next = initialState(new Float32Array(countParameters(spec)));
    this.#shared = {
      x: new Tensor('float32', this.x, [batch, spec.sequence_length, spec.features]),
      y: new Tensor('float32', this.y, [batch, OUTPUTS.length]),
      hp: vector(this.#hyperparameters),
      ...Object.fromEntries(
        masks.map(({ name, shape }, at) => [name, new Tensor('bool', this.#masks[at]!, shape)]),
      ),
    };
    this.#outputs = { loss: vector(this.#loss), norm: vector(this.#norm) };
  }

  /** The windows of a step. */
  get batch(): number {
    return this.#plan.batch;
  }

  /**
   * The state after the last completed step. The step after the next overwrites these arrays, so copy whatever you
   * keep.
   */
  get state(): OptimizerState {
    return this.#now;
  }

  set state({ parameters, moments }: OptimizerState) {
    this.#now.parameters.set(parameters);
    this.#now.moments.first.set(moments.first);
    this.#now.moments.second.set(moments.second);
  }

  /**
   * Learns from the batch in `x` and `y`.
   *
   * @param step from 1 to `steps`; it gives the learning rate and the dropout masks.
   * @returns the loss before the step.
   */
  async step(step: number): Promise<number> {
    const { spec, settings, steps } = this.#plan;
    this.#hyperparameters.set(hyperparameters(settings, step, steps));
    for (const [stream, mask] of this.#masks.entries()) {
      fillMask(mask, settings.seed, step, stream, spec.dropout);
    }
    const now = this.#now;
    const next = this.#next;
    await this.#session.run(
      {
        ...this.#shared,
        p: vector(now.parameters),
        m: vector(now.moments.first),
        v: vector(now.moments.second),
      },
      {
        ...this.#outputs,
        p2: vector(next.parameters),
        m2: vector(next.moments.first),
        v2: vector(next.moments.second),
      },
    );
    [this.#now, this.#next] = [this.#next, this.#now];
    return this.#loss[0]!;
  }

  /** Closes. It must not be called while a step is under way. */
  close(): Promise<void> {
    return this.#session.release();
  }
}

/** The state before the first step. */
export const initialState = (parameters: Float32Array): OptimizerState => ({
  parameters,
  moments: { first: new Float32Array(parameters.length), second: new Float32Array(parameters.length) },
});

const vector = (data: Float32Array): Tensor => new Tensor('float32', data, [data.length]);
