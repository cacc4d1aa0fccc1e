import { describe, expect, it } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import { decide, evolve, initialState, type IndexCommand, type IndexEventDraft } from './reindex.ts';

const started: IndexEventDraft = { type: 'ReindexStarted', data: { request_id: 'r' } };
const built: IndexEventDraft = {
  type: 'IndexBuilt',
  data: {
    index: 'hash',
    passages: 1,
    sources: 1,
    added: 1,
    changed: 0,
    removed: 0,
    duration_ms: 1,
    built_at: '2022-03-01T00:00:00.000Z',
  },
};
const failed: IndexEventDraft = { type: 'ReindexFailed', data: { code: 'KB_INVALID', faults: 2 } };

const given = (...events: IndexEventDraft[]) => ({
  when: (command: IndexCommand) => decide(command, events.reduce(evolve, initialState)),
});

const fail = (error: unknown): IndexCommand => ({ type: 'FailReindex', error, faults: 2 });

describe('the index stream', () => {
  const start: IndexCommand = { type: 'StartReindex', request_id: 'r' };

  it('starts when idle: at first, after a build, after a failure', () => {
    for (const history of [[], [started, built], [started, failed]]) {
      expect(given(...history).when(start)).toEqual([started]);
    }
  });

  it('refuses a start while one runs', () => {
    expect(() => given(started).when(start)).toThrow(
      expect.objectContaining({ code: 'REINDEX_RUNNING' }) as Error,
    );
  });

  it('ends what was started, once', () => {
    const finish: IndexCommand = { type: 'FinishReindex', built: built.data };
    expect(given(started).when(finish)).toEqual([built]);
    expect(given(started, built).when(finish)).toEqual([]);
  });

  it('records a failure by its code, and anything unforeseen as INTERNAL', () => {
    expect(given(started).when(fail(new BelegError('KB_INVALID')))).toEqual([failed]);
    expect(given(started).when(fail(new Error('disk')))).toEqual([
      { type: 'ReindexFailed', data: { code: 'INTERNAL', faults: 2 } },
    ]);
    expect(given().when(fail(new Error('disk')))).toEqual([]);
  });

  it('closes after a crash what the crash broke off', () => {
    const abandon: IndexCommand = { type: 'AbandonReindex' };
    expect(given(started).when(abandon)).toEqual([
      { type: 'ReindexFailed', data: { code: 'INTERNAL', faults: 0 } },
    ]);
    expect(given(started, built).when(abandon)).toEqual([]);
  });

  it('keeps the index in service through a failed build', () => {
    const state = [started, built, started, failed].reduce(evolve, initialState);
    expect(state).toEqual({ status: 'idle', index: 'hash' });
  });
});
