import { afterEach, beforeEach, expect, test } from 'vitest';
import { QUESTION, Workspace } from '../processes/application.suite.ts';
import { crashProcess } from './process.ts';
import { nothingAcknowledged } from './process/load.ts';
import { checkRecord } from './process/record-check.ts';

test('kills of the whole process lose and double nothing', { timeout: 600_000 }, async () => {
  const report = await crashProcess({ kills: 8, seed: 20_260_101 });
  expect(report.faults).toEqual([]);
  expect(report.answers).toBeGreaterThan(0);
  expect(report.comments).toBeGreaterThan(0);
  expect(report.orders).toBeGreaterThan(0);
});

let workspace: Workspace;
beforeEach(async () => {
  workspace = await Workspace.create();
});
afterEach(() => workspace.remove());

test('the check would notice what is lost', async () => {
  const { application, client } = await workspace.start();
  await client.ask(QUESTION, 'r1');
  await client.comment('r1', 'wirklich');
  await application.close();
  const acknowledged = nothingAcknowledged();
  acknowledged.answers.set('r1', 2);
  acknowledged.ratings.set('nie', { requestId: 'r1' });
  acknowledged.comments.set('wirklich', { requestId: 'r1', commentId: 2 });
  acknowledged.orders.set('mine', 'o-1');
  expect(await checkRecord(workspace.environment(), acknowledged)).toEqual([
    'answer of r1: 1 of 2 on record',
    'rating nie: lost',
    'comment wirklich: not at 2',
    'order o-1: lost',
  ]);
});
