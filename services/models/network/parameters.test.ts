import { expect, test } from 'vitest';
import { countParameters, initialParameters, layoutOf } from './parameters.ts';
import type { NetworkSpec } from './spec.ts';

const SPEC: NetworkSpec = {
  features: 8,
  sequence_length: 60,
  hidden_channels: 64,
  num_heads: 4,
  layers: 2,
  dropout: 0.1,
};

const initial = initialParameters(SPEC, 42);
const part = (name: string) => {
  const { offset, size } = layoutOf(SPEC).find((parameter) => parameter.name === name)!;
  return initial.subarray(offset, offset + size);
};

test('parameters lie one behind the other, each with a name of its own', () => {
  const layout = layoutOf(SPEC);
  let end = 0;
  for (const { offset, size, shape } of layout) {
    expect(offset).toBe(end);
    expect(size).toBe(shape.reduce((product, length) => product * length, 1));
    end += size;
  }
  expect(end).toBe(countParameters(SPEC));
  expect(countParameters(SPEC)).toBe(104_642);
  expect(new Set(layout.map(({ name }) => name)).size).toBe(layout.length);
});

test('weight decay pulls at the matrices of linear layers only', () => {
  for (const { name, decay } of layoutOf(SPEC)) expect(decay).toBe(name.endsWith('.weight'));
});

test('gains begin at 1, biases at 0', () => {
  expect(part('block1.attention.norm.gain').every((value) => value === 1)).toBe(true);
  expect(part('norm.bias').every((value) => value === 0)).toBe(true);
  expect(part('head.bias').every((value) => value === 0)).toBe(true);
});

test("matrices fill Glorot's range evenly", () => {
  const weights = part('block0.feedforward.wide.weight');
  const limit = Math.sqrt(6 / (64 + 256));
  expect(Math.max(...weights.map(Math.abs))).toBeLessThanOrEqual(limit);
  expect(deviationOf(weights) / (limit / Math.sqrt(3))).toBeCloseTo(1, 1);
});

test('positions have a standard deviation of a tenth', () => {
  expect(deviationOf(part('positions'))).toBeCloseTo(0.1, 2);
});

test('the same seed gives the same parameters, another one others; no two matrices are alike', () => {
  expect(initialParameters(SPEC, 42)).toEqual(initial);
  expect(initialParameters(SPEC, 43)).not.toEqual(initial);
  expect(part('block0.attention.qkv.weight')).not.toEqual(part('block1.attention.qkv.weight'));
});

function deviationOf(values: Float32Array): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length);
}
