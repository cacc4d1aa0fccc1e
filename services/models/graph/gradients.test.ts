import { describe, expect, test } from 'vitest';
import { relu } from '../network/forward.ts';
import { add, multiply, subtract } from './arithmetic.ts';
import { dropout, meanSquaredError } from '../network/training-graph.ts';
import { Graph } from './graph.ts';
import { layerNormalization, softmax } from './normalization.ts';
import { gemm, matmul, matmulTransposed } from './product.ts';
import { concat, pad, reshape, slice, split, transpose } from './rearrangement.ts';
import { reduceMean, reduceSum } from './reduction.ts';
import { centralDifferences, relativeError, running, type Fed } from './running.suite.ts';
import { elements, type Precision, type Shape, type Tensor } from './tensor.ts';

type Build = (graph: Graph, ...inputs: Tensor[]) => Tensor;

const OPERATORS: readonly (readonly [name: string, shapes: readonly Shape[], build: Build])[] = [
  [
    'add',
    [
      [2, 3],
      [2, 3],
    ],
    add,
  ],
  [
    'add, repeated along first axes',
    [
      [2, 3, 4],
      [3, 4],
    ],
    add,
  ],
  [
    'add, repeated along an axis of one',
    [
      [2, 1, 4],
      [2, 3, 1],
    ],
    add,
  ],
  ['add, a value to itself', [[2, 3]], (graph, a) => add(graph, a, a)],
  [
    'subtract',
    [
      [2, 3],
      [2, 3],
    ],
    subtract,
  ],
  ['subtract, the repeated one second', [[2, 3], [3]], subtract],
  [
    'subtract, the repeated one first',
    [
      [1, 3],
      [2, 3],
    ],
    subtract,
  ],
  [
    'multiply',
    [
      [2, 3],
      [2, 3],
    ],
    multiply,
  ],
  [
    'multiply, repeated',
    [
      [2, 3, 2],
      [3, 1],
    ],
    multiply,
  ],
  ['multiply, by itself', [[4]], (graph, a) => multiply(graph, a, a)],
  ['multiply, by a number', [[4]], (graph, a) => multiply(graph, a, graph.scalar(-2.5))],
  ['reduceSum', [[2, 3, 2]], (graph, a) => reduceSum(graph, a, [0, 2])],
  ['reduceMean', [[2, 3, 2]], (graph, a) => reduceMean(graph, a, [1])],
  ['reshape', [[2, 6]], (graph, a) => reshape(graph, a, [3, 4])],
  ['transpose', [[2, 3, 4]], (graph, a) => transpose(graph, a, [2, 0, 1])],
  [
    'split, every part used',
    [[2, 5]],
    (graph, a) => {
      const [left, right] = split(graph, a, 1, [2, 3]);
      return add(graph, reduceSum(graph, left!, [1]), multiply(graph, right!, right!));
    },
  ],
  ['split, one part used', [[4, 2]], (graph, a) => split(graph, a, 0, [1, 2, 1])[1]!],
  [
    'concat',
    [
      [2, 2],
      [2, 3],
    ],
    (graph, a, b) => concat(graph, [a, b], 1),
  ],
  ['concat, a value twice', [[2, 2]], (graph, a) => concat(graph, [a, multiply(graph, a, a)], 0)],
  ['slice', [[2, 5, 2]], (graph, a) => slice(graph, a, 1, 1, 4)],
  ['pad', [[2, 3]], (graph, a) => pad(graph, a, 1, 2, 1)],
  ['gemm', [[4, 3], [3, 2], [2]], gemm],
  [
    'matmul',
    [
      [2, 2, 3, 4],
      [2, 2, 4, 2],
    ],
    matmul,
  ],
  [
    'matmul, of two axes',
    [
      [3, 4],
      [4, 2],
    ],
    matmul,
  ],
  [
    'matmulTransposed',
    [
      [2, 2, 3, 4],
      [2, 2, 5, 4],
    ],
    matmulTransposed,
  ],
  ['softmax', [[3, 5]], softmax],
  ['layerNormalization', [[2, 3, 6], [6], [6]], layerNormalization],
  ['relu', [[3, 5]], relu],
  [
    'meanSquaredError',
    [
      [3, 2],
      [3, 2],
    ],
    meanSquaredError,
  ],
];

const random = numbers(1);

describe.each(OPERATORS)('%s', (_, shapes, build) => {
  const points = shapes.map((shape) => random(elements(shape)));

  test('has the gradient that finite differences find', async () => {
    const bytes = differentiated('float64', shapes, build);
    await running(bytes, 'float64', async (run) => {
      const found = await run(fed(shapes, points));
      for (const [at, point] of points.entries()) {
        const slopes = await centralDifferences(
          async (moved) => (await run(fed(shapes, points.with(at, moved))))['sum']![0]!,
          point,
        );
        expect(relativeError(found[`gradient${at}`]!, slopes)).toBeLessThan(1e-7);
      }
    });
  });

  test('has the same gradient in float32', async () => {
    const precise = await results('float64', shapes, build, points);
    const found = await results('float32', shapes, build, points);
    for (const [name, values] of Object.entries(precise)) {
      expect(relativeError(found[name]!, values)).toBeLessThan(2e-5);
    }
  });
});

test('dropout keeps what its mask keeps, raised, on the way forward and back', async () => {
  const graph = new Graph('float64');
  const x = graph.variable(graph.input('x', [4]));
  const y = dropout(graph, x, graph.input('mask', [4], { type: 'bool' }), 0.2);
  graph.output('y', y);
  graph.output('gradient', graph.gradients(reduceSum(graph, y, [0]), [x])[0]!);
  const feeds = {
    x: { values: Float64Array.of(1, 2, 3, 4), shape: [4] },
    mask: { values: Uint8Array.of(1, 0, 0, 1), shape: [4] },
  };
  const found = await running(graph.encoded(), 'float64', (run) => run(feeds));
  expect([...found['y']!]).toEqual([1.25, 0, 0, 5]);
  expect([...found['gradient']!]).toEqual([1.25, 0, 0, 1.25]);
});

test('relu has a slope of 0 at 0', async () => {
  const bytes = differentiated('float32', [[2]], relu);
  const found = await running(bytes, 'float32', (run) => run(fed([[2]], [Float64Array.of(0, -0)])));
  expect(found['gradient0']!.every((slope) => slope === 0)).toBe(true);
});

/** A weighted sum of the operator's outputs, and its gradients with respect to the inputs. */
function differentiated(precision: Precision, shapes: readonly Shape[], build: Build) {
  const graph = new Graph(precision);
  const inputs = shapes.map((shape, at) => graph.variable(graph.input(`input${at}`, shape)));
  const output = build(graph, ...inputs);
  const weights = graph.constant(numbers(7)(elements(output.shape)), output.shape);
  const weighed = multiply(graph, output, weights);
  const sum = reduceSum(graph, weighed, [...output.shape.keys()]);
  graph.output('sum', sum);
  for (const [at, gradient] of graph.gradients(sum, inputs).entries())
    graph.output(`gradient${at}`, gradient);
  return graph.encoded();
}

function results(
  precision: Precision,
  shapes: readonly Shape[],
  build: Build,
  points: readonly Float64Array[],
) {
  const bytes = differentiated(precision, shapes, build);
  return running(bytes, precision, (run) => run(fed(shapes, points)));
}

function fed(shapes: readonly Shape[], points: readonly Float64Array[]): Record<string, Fed> {
  return Object.fromEntries(shapes.map((shape, at) => [`input${at}`, { values: points[at]!, shape }]));
}

/** Numbers from -1.5 to 1.5, none closer than 0.01 to 0, where relu has a kink; float32 holds them exactly. */
function numbers(seed: number): (count: number) => Float64Array {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const value = (state / 2 ** 32) * 3 - 1.5;
    return Math.fround(value + Math.sign(value) * 0.01);
  };
  return (count) => Float64Array.from({ length: count }, next);
}
