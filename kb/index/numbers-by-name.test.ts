import { expect, test } from 'vitest';

import { atOnce } from '../steps.ts';
import { NumbersByName } from './numbers-by-name.ts';

const numbersOf = (names: readonly string[]): NumbersByName =>
  atOnce(NumbersByName.reading(names.length, (number) => names[number]!));

test('things are found by their names, the first one first', () => {
  const numbers = numbersOf(['Urlaub', 'Pause', '', 'Urlaub', 'Übertrag']);
  expect(['Urlaub', 'Pause', '', 'Übertrag', 'urlaub'].map((name) => numbers.of(name))).toEqual([
    0,
    1,
    2,
    4,
    undefined,
  ]);
  expect([numbers.all('Urlaub'), numbers.all('Pause'), numbers.all('Frist')]).toEqual([[0, 3], [1], []]);
});

test('nothing is found where there is nothing', () => {
  expect([numbersOf([]).of('x'), numbersOf([]).all('x')]).toEqual([undefined, []]);
});

test('many things, some with the same name, are all found, in order', () => {
  const names = Array.from({ length: 3_000 }, (_, number) => `name ${number % 700}`);
  const numbers = numbersOf(names);
  const expected = Object.values(Object.groupBy(names.keys(), (number) => names[number]!));
  expect(names.slice(0, 700).map((name) => numbers.all(name))).toEqual(expected);
});
