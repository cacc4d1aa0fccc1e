import { expect, it } from 'vitest';
import { Account, POLICY } from '../../actors/trading/account.suite.ts';
import { StrategyAnswer } from '../../actors/strategy/answer.ts';
import { parseMoney } from '../../events/decimal.ts';
import type { SessionData } from '../../events/messages/market.ts';
import type { HostedStrategy } from './hosted.ts';
import { OwnStrategies } from './run-own-strategies.ts';

const BAR = { open: 100, high: 100, low: 100, close: 100, volume: 1_000 };
const SESSION: SessionData = { date: '2024-01-02', bars: { AAA: BAR }, splits: {}, dividends: {} };

it('submits nothing that was refused before a death, though it could be placed by now', async () => {
  const account = new Account({}, '1000');
  account.do({
    type: 'use-strategy',
    strategy: 'mine',
    source: './mine.ts',
    hash: 'h',
    parameters: {},
    share: null,
  });
  account.do({ type: 'open-session', session: SESSION });
  account.do({ type: 'close-session', session: SESSION.date, closes: new Map() });
  const answer = StrategyAnswer.parse({
    orders: [{ ticker: 'AAA', action: 'buy', type: 'market', quantity: 50 }],
  });
  account.do({ type: 'decide-strategy', strategy: 'mine', session: SESSION, answer });
  const recorded = new Set<string>();
  const strategies = new OwnStrategies({
    account: {
      name: 'main',
      read: (look) => look(account.state),
      submit: (command, call) => {
        if (recorded.has(call)) return;
        account.do(command);
        recorded.add(call);
      },
      settle: () => undefined,
    },
    policy: POLICY,
    strategies: [
      {
        source: { name: 'mine', source: './mine.ts', runs: { kind: 'file', path: './mine.ts' }, share: null },
        strategy: { name: 'mine', history: 0 } as HostedStrategy,
      },
    ],
    onFault: () => undefined,
  });
  await strategies.submit(SESSION);
  expect(account.drafts.at(-1)).toMatchObject({
    type: 'StrategyOrderRefused',
    data: { order: 0, reason: expect.stringContaining('INSUFFICIENT_FUNDS') },
  });

  account.do({
    type: 'move-cash',
    amount: parseMoney('100000'),
    reason: 'more',
    client_cash_id: null,
  });
  const before = account.drafts.length;
  await strategies.submit(SESSION);
  expect(account.drafts.slice(before)).toEqual([]);
});
