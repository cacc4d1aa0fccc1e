import { expect, test } from 'vitest';
import { ownStrategies } from './named.ts';

test('a file, a program, one that is shipped, and several with shares', () => {
  expect(ownStrategies('./My-Momentum.ts')).toMatchObject([
    { name: 'my-momentum', source: './My-Momentum.ts', runs: { kind: 'file' }, share: null },
  ]);
  expect(ownStrategies('exec:python3 "my folder/rule.py" --fast')).toMatchObject([
    { name: 'rule', runs: { kind: 'program', command: ['python3', 'my folder/rule.py', '--fast'] } },
  ]);
  expect(ownStrategies('exec:python3.11 rule.py --model=1.5 --rate 0.2 prices.csv')).toMatchObject([
    { name: 'rule' },
  ]);
  expect(ownStrategies('a.ts=60%, b.js=30%,momentum=10%')).toMatchObject([
    { name: 'a', share: 0.6 },
    { name: 'b', share: 0.3 },
    { name: 'momentum', share: 0.1, runs: { kind: 'shipped' } },
  ]);
});

test.each([
  ['a.ts,b.ts', /need a share each/],
  ['a.ts=60%,b.ts=50%', /more than 100 %/],
  ['x/a.ts=50%,y/a.ts=50%', /name of its own/],
  ['a.ts=0%', /more than 0 %/],
  ['momentun', /must be a file that ends in .ts or .js, or one of momentum, mean-reversion/],
  ['exec:', /needs a command/],
])('%s is refused', (text, reason) => {
  expect(() => ownStrategies(text)).toThrow(reason);
});
