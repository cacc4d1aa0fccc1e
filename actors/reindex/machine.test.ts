import { createActor, fromPromise } from 'xstate';
import { describe, expect, it } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import { reindexMachine, requestReindex, type BuildResult } from './machine.ts';
import type { IndexBuiltData } from './reindex.ts';

const data: IndexBuiltData = {
  index: 'hash-2',
  passages: 10,
  sources: 5,
  added: 1,
  changed: 0,
  removed: 0,
  duration_ms: 3,
  built_at: '2022-03-01T00:00:00.000Z',
};
const first = { requestId: 'r', callId: 'call-1' };
const second = { requestId: 'r', callId: 'call-2' };

function start(build: () => Promise<BuildResult>, swap: (index: unknown) => Promise<void>) {
  const actor = createActor(
    reindexMachine.provide({
      actors: { build: fromPromise(build), swap: fromPromise(({ input }) => swap(input.index)) },
    }),
  );
  const recorded: string[] = [];
  actor.on('record', ({ command }) => recorded.push(command.type));
  actor.start();
  return { actor, recorded };
}

const built = (): Promise<BuildResult> => Promise.resolve({ outcome: 'built', index: 'new', data });

const fault = (): Promise<never> => Promise.reject(new BelegError('INDEX_NOT_READY'));

describe('the reindex machine', () => {
  it('builds, swaps the new index in, and says what changed', async () => {
    const swapped: unknown[] = [];
    const { actor, recorded } = start(built, (index) => {
      swapped.push(index);
      return Promise.resolve();
    });
    await expect(requestReindex(actor, first)).resolves.toEqual(data);
    expect(swapped).toEqual(['new']);
    expect(recorded).toEqual(['FinishReindex']);
    expect(actor.getSnapshot().value).toBe('idle');
  });

  it('keeps the old index when the knowledge base has faults, and can try again', async () => {
    const results: BuildResult[] = [
      { outcome: 'invalid', faults: 3 },
      { outcome: 'built', index: 'new', data },
    ];
    const swapped: unknown[] = [];
    const { actor, recorded } = start(
      () => Promise.resolve(results.shift()!),
      (index) => {
        swapped.push(index);
        return Promise.resolve();
      },
    );
    await expect(requestReindex(actor, first)).rejects.toMatchObject({
      code: 'KB_INVALID',
      detail: 'The knowledge base has 3 faults',
    });
    expect(swapped).toEqual([]);
    await expect(requestReindex(actor, second)).resolves.toEqual(data);
    expect(recorded).toEqual(['FailReindex', 'FinishReindex']);
  });

  it.each(['build', 'swap'])('reports a fault of %s and goes back to idle', async (where) => {
    const { actor, recorded } = start(where === 'build' ? fault : built, fault);
    await expect(requestReindex(actor, first)).rejects.toMatchObject({ code: 'INDEX_NOT_READY' });
    expect(recorded).toEqual(['FailReindex']);
    expect(actor.getSnapshot().value).toBe('idle');
  });
});
