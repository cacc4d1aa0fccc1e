import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { readSettings } from '../config.ts';
import { Workspace } from '../application.suite.ts';
import { openKnowledge } from './index-in-use.ts';
import { PATIENT } from '../../events/patient.suite.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.create();
});
afterAll(() => workspace.remove());

/** Work that goes on until it is let go. */
function work(): { begin: (index: KnowledgeIndex) => Promise<KnowledgeIndex>; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { begin: (index) => promise.then(() => index), end: resolve };
}

test('an index closes when it was replaced and what runs on it is done; the one in service when all stops', async () => {
  const knowledge = await openKnowledge(readSettings(workspace.environment()));
  const older = knowledge.index;
  const newer = await knowledge.build();
  const closed: string[] = [];
  vi.spyOn(older, 'close').mockImplementation(async () => void closed.push('older'));
  vi.spyOn(newer, 'close').mockImplementation(async () => void closed.push('newer'));

  const [first, second] = [work(), work()];
  const onOlder = knowledge.use(first.begin);
  knowledge.swap(newer);
  const onNewer = knowledge.use(second.begin);
  expect(closed).toEqual([]);
  first.end();
  expect(await onOlder).toBe(older);
  await vi.waitFor(() => expect(closed).toEqual(['older']), PATIENT);

  const stopped = knowledge.close();
  expect(closed).toEqual(['older']);
  second.end();
  expect(await onNewer).toBe(newer);
  await stopped;
  expect(closed).toEqual(['older', 'newer']);
});
