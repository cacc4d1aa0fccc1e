import { expect, test } from 'vitest';
import { add, multiply } from './arithmetic.ts';
import { dropout } from '../network/training-graph.ts';
import { Graph } from './graph.ts';
import { layerNormalization } from './normalization.ts';
import { gemm, matmul, matmulTransposed } from './product.ts';
import { concat, pad, reshape, slice, split, transpose } from './rearrangement.ts';
import { reduceMean, reduceSum } from './reduction.ts';
import { running } from './running.suite.ts';
import { ShapeError, type Tensor } from './tensor.ts';

type Refused = readonly [
  message: string,
  build: (graph: Graph, of: (...shape: readonly number[]) => Tensor) => unknown,
];

const REFUSED: readonly Refused[] = [
  ['Add [2, 3] and [4]: sizes 3 and 4 cannot be broadcast', (graph, of) => add(graph, of(2, 3), of(4))],
  ['Gemm [2, 3] and [4, 5]: needs [N, K] and [K, M]', (graph, of) => gemm(graph, of(2, 3), of(4, 5), of(5))],
  ['Gemm [3, 5] and [4]: needs one bias per column', (graph, of) => gemm(graph, of(2, 3), of(3, 5), of(4))],
  [
    'MatMul [2, 3, 4] and [2, 3, 4]: needs […, M, K] and […, K, N]',
    (graph, of) => matmul(graph, of(2, 3, 4), of(2, 3, 4)),
  ],
  [
    'MatMul [2, 3, 4] and [3, 4, 5]: needs […, M, K] and […, K, N]',
    (graph, of) => matmul(graph, of(2, 3, 4), of(3, 4, 5)),
  ],
  [
    'MatMul [3, 4] and [4, 3]: needs […, M, K] and […, N, K]',
    (graph, of) => matmulTransposed(graph, of(3, 4), of(4, 3)),
  ],
  ['MatMul [3]: is not a matrix', (graph, of) => matmul(graph, of(3), of(3))],
  [
    'LayerNormalization [2, 4] and [3]: needs one gamma and one beta per column',
    (graph, of) => layerNormalization(graph, of(2, 4), of(4), of(3)),
  ],
  ['Reshape [2, 3] and [4]: the number of elements differs', (graph, of) => reshape(graph, of(2, 3), [4])],
  [
    'Transpose [2, 3]: [0, 0] is not a permutation of its axes',
    (graph, of) => transpose(graph, of(2, 3), [0, 0]),
  ],
  ['Split [2, 3]: the size of axis 1 is not 1 + 1', (graph, of) => split(graph, of(2, 3), 1, [1, 1])],
  [
    'Concat [2, 3] and [3, 3]: the shapes differ in axes other than 1',
    (graph, of) => concat(graph, [of(2, 3), of(3, 3)], 1),
  ],
  ['Slice [2, 3]: axis 1 has no range 2 … 4', (graph, of) => slice(graph, of(2, 3), 1, 2, 4)],
  ['Pad [2]: has no axis 1', (graph, of) => pad(graph, of(2), 1, 0, 1)],
  ['ReduceMean [2]: has no axis 1', (graph, of) => reduceMean(graph, of(2), [1])],
  ['ReduceSum [2]: needs at least one axis', (graph, of) => reduceSum(graph, of(2), [])],
  [
    'Dropout [2] and [2]: needs a mask with one value per element, not float32',
    (graph, of) => dropout(graph, of(2), of(2), 0.1),
  ],
  ['Constant [2]: 3 values do not fit this shape', (graph) => graph.constant([1, 2, 3], [2])],
];

test.each(REFUSED)('refuses while it is built: %s', (message, build) => {
  const graph = new Graph('float32');
  let inputs = 0;
  const building = () => build(graph, (...shape) => graph.input(`input${inputs++}`, shape));
  expect(building).toThrow(ShapeError);
  expect(building).toThrow(message);
});

test('refuses a gradient that has not the shape of what it is of', () => {
  const graph = new Graph('float32');
  const x = graph.variable(graph.input('x', [2]));
  const y = graph.node('Identity', [x], [2]);
  graph.record([x], [y], () => [() => graph.zeros([3])]);
  expect(() => graph.gradients(y, [x])).toThrow('Gradient [3] and [2]');
});

test('adds up the gradients of all ways from a variable, and gives zeros where there is none', async () => {
  const graph = new Graph('float64');
  const [x, unused] = [graph.variable(graph.input('x', [2])), graph.variable(graph.input('unused', [3]))];
  const y = add(graph, multiply(graph, x, x), multiply(graph, x, graph.scalar(3)));
  const [ofX, ofUnused] = graph.gradients(y, [x, unused]);
  graph.output('x′', ofX!);
  graph.output('unused′', ofUnused!);
  const found = await running(graph.encoded(), 'float64', (run) =>
    run({
      x: { values: Float64Array.of(1, -2), shape: [2] },
      unused: { values: new Float64Array(3), shape: [3] },
    }),
  );
  expect(found).toEqual({ 'x′': Float64Array.of(5, -1), 'unused′': new Float64Array(3) });
});

test('asks for no gradient of what is no variable', () => {
  const graph = new Graph('float32');
  const [x, fixed] = [graph.variable(graph.input('x', [1])), graph.input('fixed', [1])];
  const y = graph.node('Sum', [x, fixed], [1]);
  const asked: string[] = [];
  graph.record([x, fixed], [y], (gradient) =>
    ['x', 'fixed'].map((name) => () => {
      asked.push(name);
      return gradient;
    }),
  );
  graph.gradients(y, [x]);
  expect(asked).toEqual(['x']);
});

test('runs with any size of a first axis that was left open', async () => {
  const graph = new Graph('float32');
  const x = graph.input('x', [2, 3], { anyFirst: 'rows' });
  graph.output('y', reshape(graph, transpose(graph, reshape(graph, x, [2, 3, 1]), [0, 2, 1]), [6]), {
    anyFirst: 'elements',
  });
  await running(graph.encoded(), 'float32', async (run) => {
    for (const rows of [1, 2, 5]) {
      const values = Float64Array.from({ length: 3 * rows }, (_, at) => at);
      expect((await run({ x: { values, shape: [rows, 3] } }))['y']).toEqual(values);
    }
  });
});

test('the same graph gives the same bytes', () => {
  expect(squared()).toEqual(squared());
});

function squared(): Uint8Array {
  const graph = new Graph('float32');
  const x = graph.variable(graph.input('x', [2, 3]));
  graph.output('x′', graph.gradients(multiply(graph, x, x), [x])[0]!);
  return graph.encoded();
}
