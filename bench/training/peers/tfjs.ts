import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { serve, type Network } from '../serve.ts';
import { initialOf, type Batch, type Numbers, type Task } from '../task.ts';

/** In TensorFlow.js on its wasm backend, which has one thread in Node. */
class TensorflowNetwork implements Network {
  readonly library = `TensorFlow.js ${tf.version.tfjs}, wasm`;
  readonly #task: Task;
  readonly #parameters = new Map<string, tf.Variable>();
  /** Moving averages of the gradients, and of their squares. */
  readonly #moments = new Map<string, { first: tf.Variable; second: tf.Variable }>();
  #steps = 0;

  constructor(task: Task, numbers: Numbers) {
    this.#task = task;
    const initial = initialOf(task, numbers);
    for (const { name, shape } of task.parameters) {
      const zeros = () => tf.variable(tf.zeros([...shape]), false);
      this.#parameters.set(name, tf.variable(tf.tensor(initial.get(name)!, [...shape]), true, name));
      this.#moments.set(name, { first: zeros(), second: zeros() });
    }
  }

  async step({ inputs, targets }: Batch): Promise<number> {
    const { batch_size, outputs } = this.#task;
    const { value, grads } = tf.variableGrads(() =>
      tf
        .squaredDifference(this.#forward(inputs), tf.tensor(targets, [batch_size, outputs]))
        .mean<tf.Scalar>(),
    );
    tf.tidy(() => this.#update(grads));
    const [loss] = await value.data();
    tf.dispose([value, grads]);
    return loss!;
  }

  async predict(inputs: Float32Array): Promise<Float32Array> {
    const outputs = tf.tidy(() => this.#forward(inputs));
    const values = await outputs.data<'float32'>();
    outputs.dispose();
    return values;
  }

  #forward(inputs: Float32Array): tf.Tensor2D {
    const { batch_size: batch, spec } = this.#task;
    const { sequence_length: days, features, hidden_channels: width } = spec;
    const embedded = this.#linear(tf.tensor2d(inputs, [batch * days, features]), 'input');
    let x = tf
      .reshape(embedded, [batch, days, width])
      .add(this.#of('positions'))
      .reshape<tf.Tensor2D>([batch * days, width]);
    for (let n = 0; n < spec.layers; n++) {
      const [attention, feedforward] = [`block${n}.attention`, `block${n}.feedforward`];
      // As ours: of the last block only the last day is read.
      const asking = n === spec.layers - 1 ? 1 : days;
      const attended = this.#attention(this.#norm(x, `${attention}.norm`), attention, asking);
      x = this.#lastDays(x, asking).add(attended);
      const wide = this.#linear(this.#norm(x, `${feedforward}.norm`), `${feedforward}.wide`);
      x = x.add(this.#linear(tf.relu(wide), `${feedforward}.output`));
    }
    return this.#linear(this.#norm(x, 'norm'), 'head');
  }

  #attention(x: tf.Tensor2D, name: string, asking: number): tf.Tensor2D {
    const { batch_size: batch, spec } = this.#task;
    const { sequence_length: days, hidden_channels: width, num_heads: heads } = spec;
    const [q, k, v] = tf
      .split(this.#linear(x, `${name}.qkv`), 3, 1)
      .map((part) => tf.transpose(part.reshape([batch, days, heads, width / heads]), [0, 2, 1, 3]));
    const asked = asking === days ? q! : tf.slice(q!, [0, 0, days - asking, 0]);
    const scores = tf.matMul(asked, k!, false, true).mul(1 / Math.sqrt(width / heads));
    const heard = tf.transpose(tf.matMul(tf.softmax(scores), v!), [0, 2, 1, 3]);
    return this.#linear(heard.reshape([batch * asking, width]), `${name}.output`);
  }

  #lastDays(x: tf.Tensor2D, last: number): tf.Tensor2D {
    const { batch_size: batch, spec } = this.#task;
    const { sequence_length: days, hidden_channels: width } = spec;
    if (last === days) return x;
    const windows = x.reshape<tf.Tensor3D>([batch, days, width]);
    return tf.slice(windows, [0, days - last, 0]).reshape([batch * last, width]);
  }

  #linear(x: tf.Tensor2D, name: string): tf.Tensor2D {
    return tf.matMul(x, this.#of<tf.Rank.R2>(`${name}.weight`)).add(this.#of(`${name}.bias`));
  }

  #norm(x: tf.Tensor2D, name: string): tf.Tensor2D {
    const centred = x.sub(x.mean(-1, true));
    const variance = centred.square().mean(-1, true);
    const normed = centred.mul(variance.add(1e-5).rsqrt());
    return normed.mul(this.#of(`${name}.gain`)).add(this.#of(`${name}.bias`));
  }

  /** AdamW, after the gradients are clipped by the norm of all of them. */
  #update(gradients: tf.NamedTensorMap): void {
    const { learning_rates, parameters, optimizer } = this.#task;
    const { beta1, beta2, epsilon, weightDecay, clip } = optimizer;
    const learningRate = learning_rates[Math.min(this.#steps, learning_rates.length - 1)]!;
    this.#steps++;
    const squares = Object.values(gradients).map((gradient) => gradient.square().sum());
    const scale = tf.minimum(tf.div(clip, tf.addN(squares).sqrt().add(1e-6)), 1);
    const rate = learningRate / (1 - beta1 ** this.#steps);
    const correction = 1 / (1 - beta2 ** this.#steps);
    for (const { name, decay } of parameters) {
      const parameter = this.#of(name);
      const { first, second } = this.#moments.get(name)!;
      const gradient = gradients[name]!.mul(scale);
      first.assign(first.mul(beta1).add(gradient.mul(1 - beta1)));
      second.assign(second.mul(beta2).add(gradient.square().mul(1 - beta2)));
      const kept = decay ? parameter.mul(1 - learningRate * weightDecay) : parameter;
      const spread = second.mul(correction).sqrt().add(epsilon);
      parameter.assign(kept.sub(first.mul(rate).div(spread)));
    }
  }

  #of<R extends tf.Rank = tf.Rank>(name: string): tf.Variable<R> {
    return this.#parameters.get(name) as tf.Variable<R>;
  }
}

await serve(async (task, numbers) => {
  const backend = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm');
  setWasmPaths(`${dirname(backend)}/`);
  await tf.setBackend('wasm');
  return new TensorflowNetwork(task, numbers);
});
