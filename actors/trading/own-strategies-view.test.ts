import { expect, test } from 'vitest';
import { Account } from './account.suite.ts';
import { viewOwnStrategies } from './own-strategies-view.ts';

const NAMED = new Map([
  ['mine', { source: './mine.ts', share: 0.4 }],
  ['other', { source: './other.ts', share: 0.6 }],
]);

test('a strategy that is named is shown from the start on, before the account takes it into use', () => {
  const account = new Account();
  const seen = () =>
    viewOwnStrategies(account.state, account.policy, NAMED).map(({ name, state, value, cash }) => ({
      name,
      state,
      value,
      cash,
    }));
  expect(seen()).toEqual([
    { name: 'mine', state: 'starting', value: 4_000, cash: 0 },
    { name: 'other', state: 'starting', value: 6_000, cash: 0 },
  ]);
  const { source, share } = NAMED.get('other')!;
  account.do({ type: 'use-strategy', strategy: 'other', source, hash: 'h', parameters: {}, share });
  expect(seen()).toMatchObject([
    { name: 'mine', state: 'starting' },
    { name: 'other', state: 'running', value: 6_000 },
  ]);
});
