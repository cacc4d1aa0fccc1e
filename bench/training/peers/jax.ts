import { readFile } from 'node:fs/promises';
import { blockUntilReady, defaultDevice, init, jit, nn, numpy as np, tree, valueAndGrad } from '@jax-js/jax';
import { serve, type Network } from '../serve.ts';
import { initialOf, type Batch, type Numbers, type Task } from '../task.ts';

const VERSION = (
  JSON.parse(await readFile(new URL('../package.json', import.meta.resolve('@jax-js/jax')), 'utf8')) as {
    version: string;
  }
).version;

type Parameters = Record<string, np.Array>;

/** `first` and `second`: moments of gradients. */
type State = Record<'parameters' | 'first' | 'second', Parameters>;

/** The learning rate of a step, and what corrects the moments, which start at 0: 1 / (1 - beta^steps). */
type Hyper = Record<'rate' | 'first' | 'second', np.Array>;

/**
 * In jax-js on its wasm backend, which has one thread in Node. A whole step is one compiled function. An operation
 * consumes the arrays that it is given; `ref` keeps one for another use.
 */
class JaxNetwork implements Network {
  readonly library = `jax-js ${VERSION}, wasm`;
  readonly #task: Task;
  readonly #train = jit((state: State, inputs: np.Array, targets: np.Array, hyper: Hyper) =>
    this.#trained(state, inputs, targets, hyper),
  );
  readonly #infer = jit((parameters: Parameters, inputs: np.Array) => this.#forward(parameters, inputs));
  #state: State;
  #steps = 0;

  constructor(task: Task, numbers: Numbers) {
    this.#task = task;
    const initial = initialOf(task, numbers);
    const each = (make: (name: string, shape: number[]) => np.Array): Parameters =>
      Object.fromEntries(task.parameters.map(({ name, shape }) => [name, make(name, [...shape])]));
    this.#state = {
      parameters: each((name, shape) => np.array(initial.get(name)!, { shape })),
      first: each((_, shape) => np.zeros(shape)),
      second: each((_, shape) => np.zeros(shape)),
    };
  }

  async step({ inputs, targets }: Batch): Promise<number> {
    const { batch_size, outputs, optimizer, learning_rates } = this.#task;
    const rate = learning_rates[Math.min(this.#steps, learning_rates.length - 1)]!;
    this.#steps++;
    const [state, loss] = this.#train(
      this.#state,
      this.#rows(inputs),
      np.array(targets.slice(), { shape: [batch_size, outputs] }),
      {
        rate: np.array(rate),
        first: np.array(1 / (1 - optimizer.beta1 ** this.#steps)),
        second: np.array(1 / (1 - optimizer.beta2 ** this.#steps)),
      },
    );
    this.#state = state;
    // Arrays are lazy: what is not awaited here would be paid for by the next step.
    await blockUntilReady(state);
    return (await loss.data())[0]!;
  }

  async predict(inputs: Float32Array<ArrayBuffer>): Promise<Float32Array> {
    const outputs = this.#infer(tree.ref(this.#state.parameters), this.#rows(inputs));
    return (await outputs.data()) as Float32Array;
  }

  #rows(inputs: Float32Array<ArrayBuffer>): np.Array {
    const { batch_size, spec } = this.#task;
    // A copy, because the array takes over what it is given.
    return np.array(inputs.slice(), { shape: [batch_size * spec.sequence_length, spec.features] });
  }

  #forward(p: Parameters, rows: np.Array): np.Array {
    const { batch_size: batch, spec } = this.#task;
    const { sequence_length: days, hidden_channels: width } = spec;
    let x = linear(p, 'input', rows)
      .reshape([batch, days, width])
      .add(p['positions']!)
      .reshape([batch * days, width]);
    for (let n = 0; n < spec.layers; n++) {
      const [attention, feedforward] = [`block${n}.attention`, `block${n}.feedforward`];
      // As ours: of the last block only the last day is read.
      const asking = n === spec.layers - 1 ? 1 : days;
      const attended = this.#attention(p, attention, norm(p, `${attention}.norm`, x.ref), asking);
      x = this.#lastDays(x, asking).add(attended);
      const wide = linear(p, `${feedforward}.wide`, norm(p, `${feedforward}.norm`, x.ref));
      x = x.add(linear(p, `${feedforward}.output`, nn.relu(wide)));
    }
    return linear(p, 'head', norm(p, 'norm', x));
  }

  #attention(p: Parameters, name: string, x: np.Array, asking: number): np.Array {
    const { batch_size: batch, spec } = this.#task;
    const { sequence_length: days, hidden_channels: width, num_heads: heads } = spec;
    const channels = width / heads;
    const all = linear(p, `${name}.qkv`, x)
      .reshape([batch, days, 3, heads, channels])
      .transpose([2, 0, 3, 1, 4]);
    const [q, k, v] = np.split(all, 3).map((part) => part.reshape([batch, heads, days, channels]));
    const asked = asking === days ? q! : q!.slice([], [], [days - asking]);
    const scores = np.matmul(asked, k!.transpose([0, 1, 3, 2])).mul(channels ** -0.5);
    const heard = np.matmul(nn.softmax(scores), v!).transpose([0, 2, 1, 3]);
    return linear(p, `${name}.output`, heard.reshape([batch * asking, width]));
  }

  #lastDays(x: np.Array, last: number): np.Array {
    const { batch_size: batch, spec } = this.#task;
    const { sequence_length: days, hidden_channels: width } = spec;
    if (last === days) return x;
    return x
      .reshape([batch, days, width])
      .slice([], [days - last])
      .reshape([batch * last, width]);
  }

  /** AdamW, after the gradients are clipped by the norm of all of them. */
  #trained(
    { parameters, first, second }: State,
    inputs: np.Array,
    targets: np.Array,
    hyper: Hyper,
  ): [State, np.Array] {
    const { parameters: layout, optimizer } = this.#task;
    const { beta1, beta2, epsilon, weightDecay, clip } = optimizer;
    const lossOf = (p: Parameters, x: np.Array, y: np.Array): np.Array =>
      np.mean(np.square(this.#forward(p, x).sub(y)));
    const [loss, gradients] = valueAndGrad(lossOf)(tree.ref(parameters), inputs, targets);
    let squares = np.array(0);
    for (const { name } of layout) {
      squares = squares.add(np.sum(np.square(gradients[name]!.ref)));
    }
    const scale = np.minimum(np.array(clip).div(np.sqrt(squares).add(1e-6)), 1);
    const next: State = { parameters: {}, first: {}, second: {} };
    for (const { name, decay } of layout) {
      const gradient = gradients[name]!.mul(scale.ref);
      const mean = first[name]!.mul(beta1).add(gradient.ref.mul(1 - beta1));
      const spread = second[name]!.mul(beta2).add(np.square(gradient).mul(1 - beta2));
      const old = parameters[name]!;
      const kept = decay ? old.mul(np.array(1).sub(hyper.rate.ref.mul(weightDecay))) : old;
      const change = mean.ref
        .mul(hyper.first.ref)
        .div(np.sqrt(spread.ref.mul(hyper.second.ref)).add(epsilon));
      next.parameters[name] = kept.sub(change.mul(hyper.rate.ref));
      next.first[name] = mean;
      next.second[name] = spread;
    }
    tree.dispose([scale, hyper]);
    return [next, loss];
  }
}

function linear(p: Parameters, name: string, x: np.Array): np.Array {
  return np.matmul(x, p[`${name}.weight`]!).add(p[`${name}.bias`]!);
}

function norm(p: Parameters, name: string, x: np.Array): np.Array {
  return nn.standardize(x).mul(p[`${name}.gain`]!).add(p[`${name}.bias`]!);
}

await serve(async (task, numbers) => {
  await init('wasm');
  defaultDevice('wasm');
  return new JaxNetwork(task, numbers);
});
