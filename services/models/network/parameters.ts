import { gaussian, uniform } from './random.ts';
import { OUTPUTS, type NetworkSpec } from './spec.ts';

/** A tensor of the network, as a part of one vector with all parameters. */
export interface Parameter {
  readonly name: string;
  readonly shape: readonly number[];
  /** The index of the tensor's first element in the vector. */
  readonly offset: number;
  readonly size: number;
  /** Whether weight decay applies: to matrices, but not to biases, gains and positions. */
  readonly decay: boolean;
}

type Kind = 'matrix' | 'positions' | 'gain' | 'bias';

/** The standard deviation of initial positions. With a fifth of it, the network did not learn to tell days apart. */
const POSITION_DEVIATION = 0.1;

/** The hidden channels of a feed-forward layer per channel of the network. (Vaswani and others, 2017) */
const WIDENING = 4;

/** All parameters of a network, in the order of the vector. Weights (matrices) are inputs × outputs. */
export function layoutOf(spec: NetworkSpec): readonly Parameter[] {
  let offset = 0;
  return kindsOf(spec).map(([name, kind, shape]) => {
    const size = shape.reduce((product, length) => product * length, 1);
    const parameter = { name, shape, offset, size, decay: kind === 'matrix' };
    offset += size;
    return parameter;
  });
}

/** The number of all parameters. */
export function countParameters(spec: NetworkSpec): number {
  return layoutOf(spec).reduce((sum, { size }) => sum + size, 0);
}

/** Matrices are Glorot-uniform, gains 1 and biases 0. (Glorot, Bengio, 2010) */
export function initialParameters(spec: NetworkSpec, seed: number): Float32Array<ArrayBuffer> {
  const layout = layoutOf(spec);
  const vector = new Float32Array(countParameters(spec));
  for (const [at, [, kind, [inputs = 0, outputs = 0]]] of kindsOf(spec).entries()) {
    const { offset, size } = layout[at]!;
    const limit = Math.sqrt(6 / (inputs + outputs));
    for (let index = 0; index < size; index++) {
      vector[offset + index] = initialValue(kind, limit, seed, at + 1, index);
    }
  }
  return vector;
}

function initialValue(kind: Kind, limit: number, seed: number, stream: number, index: number): number {
  switch (kind) {
    case 'matrix':
      return limit * (2 * uniform(seed, stream, index) - 1);
    case 'positions':
      return POSITION_DEVIATION * gaussian(seed, stream, index);
    case 'gain':
      return 1;
    case 'bias':
      return 0;
  }
}

type Kinds = readonly (readonly [name: string, kind: Kind, shape: readonly number[]])[];

function kindsOf({ features, sequence_length, hidden_channels: hidden, layers }: NetworkSpec): Kinds {
  return [
    ...linear('input', features, hidden),
    ['positions', 'positions', [sequence_length, hidden]],
    ...Array.from({ length: layers }, (_, block) => [
      ...norm(`block${block}.attention.norm`, hidden),
      ...linear(`block${block}.attention.qkv`, hidden, 3 * hidden),
      ...linear(`block${block}.attention.output`, hidden, hidden),
      ...norm(`block${block}.feedforward.norm`, hidden),
      ...linear(`block${block}.feedforward.wide`, hidden, WIDENING * hidden),
      ...linear(`block${block}.feedforward.output`, WIDENING * hidden, hidden),
    ]).flat(),
    ...norm('norm', hidden),
    ...linear('head', hidden, OUTPUTS.length),
  ];
}

function linear(name: string, inputs: number, outputs: number): Kinds {
  return [
    [`${name}.weight`, 'matrix', [inputs, outputs]],
    [`${name}.bias`, 'bias', [outputs]],
  ];
}

function norm(name: string, columns: number): Kinds {
  return [
    [`${name}.gain`, 'gain', [columns]],
    [`${name}.bias`, 'bias', [columns]],
  ];
}
