import { describe, expect, it } from 'vitest';
import { gridOf, neighboursOf, parseAxis, sampleOf } from './parameter-space.ts';

describe('the values of a parameter', () => {
  it.each([
    ['fast=5..20:5', [5, 10, 15, 20]],
    ['fast=5..19:5', [5, 10, 15]],
    ['x=0.1..0.3:0.1', [0.1, 0.2, 0.3]],
    ['x=-1..1:1', [-1, 0, 1]],
    ['slow=20,30,20', [20, 30]],
    ['slow=7', [7]],
  ])('%s', (text, values) => {
    expect(parseAxis(text).values).toEqual(values);
  });

  it.each(['fast', 'fast=', 'fast=a', 'fast=1,,2', 'fast=5..1:1', 'fast=1..5:0', '=1', 'fast=1..5'])(
    '%s cannot be read',
    (text) => {
      expect(() => parseAxis(text)).toThrow(/is no range of a parameter: write fast=5\.\.20:5/);
    },
  );

  it('are not without end', () => {
    expect(() => parseAxis('x=0..1:0.00001')).toThrow(/has 100001 values/);
  });
});

describe('combinations', () => {
  const axes = [parseAxis('fast=1,2'), parseAxis('slow=10,20,30')];
  const grid = gridOf(axes);

  it('are all of the grid, the last axis fastest', () => {
    expect(grid.map(({ fast, slow }) => `${fast}/${slow}`)).toEqual([
      '1/10',
      '1/20',
      '1/30',
      '2/10',
      '2/20',
      '2/30',
    ]);
    expect(gridOf([])).toEqual([{}]);
  });

  it('by chance are the same for a seed, and none twice', () => {
    const some = sampleOf(grid, 4, 1);
    expect(some).toEqual(sampleOf(grid, 4, 1));
    expect(new Set(some.map((one) => JSON.stringify(one))).size).toBe(4);
    expect(sampleOf(grid, 99, 1)).toEqual(grid);
  });

  it('have neighbours one step away', () => {
    expect(neighboursOf({ fast: 1, slow: 20 }, axes, grid)).toEqual([
      { fast: 1, slow: 10 },
      { fast: 1, slow: 30 },
      { fast: 2, slow: 20 },
    ]);
  });
});
