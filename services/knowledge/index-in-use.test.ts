import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readSettings } from '../composition/settings.ts';
import { Workspace } from '../../testing/processes/application.suite.ts';
import { openKnowledge } from './index-in-use.ts';
import { PATIENT } from '../../events/patient.suite.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.create();
});
afterAll(() => workspace.remove());

test('an index closes when it was replaced and what runs on it is done; the one in service when all stops', async () => {
  const knowledge = await openKnowledge(readSettings(workspace.environment()));
  const older = knowledge.index;
  const newer = await knowledge.build();
  const closed: string[] = [];
  vi.spyOn(older, 'close').mockImplementation(async () => void closed.push('older'));
  vi.spyOn(newer, 'close').mockImplementation(async () => void closed.push('newer'));

  const first = knowledge.hold();
  knowledge.swap(newer);
  const second = knowledge.hold();
  expect([first.index, second.index]).toEqual([older, newer]);
  expect(closed).toEqual([]);
  first[Symbol.dispose]();
  await vi.waitFor(() => expect(closed).toEqual(['older']), PATIENT);

  const stopped = knowledge.close();
  expect(closed).toEqual(['older']);
  second[Symbol.dispose]();
  await stopped;
  expect(closed).toEqual(['older', 'newer']);
});
