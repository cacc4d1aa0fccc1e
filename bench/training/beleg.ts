import { env, InferenceSession, Tensor } from 'onnxruntime-node';
import { inferenceGraph } from '../../services/models/network/inference-graph.ts';
import { biasCorrections } from '../../services/models/network/schedule.ts';
import { trainingGraph } from '../../services/models/network/training-graph.ts';
import { serve, type Network } from './serve.ts';
import type { Batch, Numbers, Task } from './task.ts';

interface Sessions {
  readonly training: InferenceSession;
  readonly inference: InferenceSession;
}

/** Ours. What it predicts is by the initial parameters: like in use, they are fixed in the graph. */
class OnnxNetwork implements Network {
  readonly library = `beleg, ONNX Runtime ${env.versions.node}`;
  readonly #task: Task;
  readonly #sessions: Sessions;
  /** A step reads the one and writes the other. */
  readonly #states: readonly [State, State];
  readonly #loss = new Tensor(new Float32Array(1), [1]);
  readonly #norm = new Tensor(new Float32Array(1), [1]);
  #steps = 0;

  constructor(task: Task, { parameters }: Numbers, sessions: Sessions) {
    this.#task = task;
    this.#sessions = sessions;
    this.#states = [stateOf(parameters), stateOf(new Float32Array(parameters.length))];
  }

  async step({ inputs, targets }: Batch): Promise<number> {
    const { batch_size, outputs, learning_rate } = this.#task;
    const before = this.#states[this.#steps % 2 === 0 ? 0 : 1];
    const after = this.#states[this.#steps % 2 === 0 ? 1 : 0];
    this.#steps++;
    const hyper = Float32Array.of(learning_rate, ...biasCorrections(this.#steps));
    await this.#sessions.training.run(
      {
        ...before,
        x: this.#windows(inputs),
        y: new Tensor(targets, [batch_size, outputs]),
        hp: new Tensor(hyper, [3]),
      },
      { p2: after.p, m2: after.m, v2: after.v, loss: this.#loss, norm: this.#norm },
    );
    return this.#loss.data[0]!;
  }

  async predict(inputs: Float32Array<ArrayBuffer>): Promise<Float32Array> {
    const { prediction } = await this.#sessions.inference.run({ x: this.#windows(inputs) });
    return prediction!.data as Float32Array;
  }

  #windows(inputs: Float32Array<ArrayBuffer>): Tensor {
    const { batch_size, spec } = this.#task;
    return new Tensor(inputs, [batch_size, spec.sequence_length, spec.features]);
  }
}

interface State {
  readonly p: Tensor;
  readonly m: Tensor;
  readonly v: Tensor;
}

function stateOf(parameters: Float32Array): State {
  const { length } = parameters;
  return {
    p: new Tensor(parameters, [length]),
    m: new Tensor(new Float32Array(length), [length]),
    v: new Tensor(new Float32Array(length), [length]),
  };
}

await serve(async (task, numbers, threads) => {
  const options: InferenceSession.SessionOptions = {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    extra: { session: { intra_op: { allow_spinning: '0' }, set_denormal_as_zero: '1' } },
  };
  const { spec, batch_size: batch } = task;
  const { parameters } = numbers;
  const training = await InferenceSession.create(trainingGraph(spec, batch).bytes, options);
  const inference = await InferenceSession.create(inferenceGraph(spec, { batch, parameters }), options);
  return new OnnxNetwork(task, numbers, { training, inference });
});
