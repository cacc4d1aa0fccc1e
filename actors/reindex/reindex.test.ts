import { describe, expect, it } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import { given } from '../given.suite.ts';
import { INDEX } from '../streams/knowledge.ts';
import type { IndexCommand, IndexEventDraft } from './reindex.ts';

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

const fail = (error: unknown): IndexCommand => ({ type: 'fail-reindex', error, faults: 2 });

describe('the index stream', () => {
  const start: IndexCommand = { type: 'start-reindex', request_id: 'r' };

  it('starts when idle: at first, after a build, after a failure', () => {
    for (const history of [[], [started, built], [started, failed]]) {
      given(INDEX, ...history)
        .when(start)
        .then(started);
    }
  });

  it('refuses a start while one runs', () => {
    given(INDEX, started).when(start).refuses('REINDEX_RUNNING');
  });

  it('ends what was started, once', () => {
    const finish: IndexCommand = { type: 'finish-reindex', built: built.data };
    given(INDEX, started).when(finish).then(built);
    given(INDEX, started, built).when(finish).thenNothing();
  });

  it('records a failure by its code, and anything unforeseen as INTERNAL', () => {
    given(INDEX, started)
      .when(fail(new BelegError('KB_INVALID')))
      .then(failed);
    given(INDEX, started)
      .when(fail(new Error('disk')))
      .then({ type: 'ReindexFailed', data: { code: 'INTERNAL', faults: 2 } });
    given(INDEX)
      .when(fail(new Error('disk')))
      .thenNothing();
  });

  it('closes after a crash what the crash broke off', () => {
    const abandon: IndexCommand = { type: 'abandon-reindex' };
    given(INDEX, started)
      .when(abandon)
      .then({ type: 'ReindexFailed', data: { code: 'INTERNAL', faults: 0 } });
    given(INDEX, started, built).when(abandon).thenNothing();
  });

  it('keeps the index in service through a failed build', () => {
    expect(given(INDEX, started, built, started, failed).state).toEqual({ status: 'idle', index: 'hash' });
  });
});
