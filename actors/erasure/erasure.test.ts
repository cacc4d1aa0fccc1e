import { describe, expect, it } from 'vitest';
import { ERASURES_STREAM, ErasureRequested, TextErased } from '../../events/catalog/audit.ts';
import type { ErasureEvent } from '../../events/catalog/catalog.ts';
import { given } from '../given.suite.ts';
import { ERASURES } from '../streams/knowledge.ts';

const AT = '2026-03-01T00:00:00.000Z';
const cause = (call: string) => ({
  stream: ERASURES_STREAM,
  at: AT,
  correlationId: `of-${call}`,
  causationId: call,
  key: '',
});
const asked = (id: string): ErasureEvent =>
  ErasureRequested.create(
    { request_id: id, reason: 'consent withdrawn', by: 'operator' },
    cause(`ask-${id}`),
  );
const done = (id: string): ErasureEvent => TextErased.create({ request_id: id }, cause(`done-${id}`));

const erase = (id: string) =>
  ({ type: 'request-erasure', request_id: id, reason: 'because', by: 'operator' }) as const;
const complete = (id: string) => ({ type: 'complete-erasure', request_id: id }) as const;

describe('erasing a request', () => {
  it('puts the intent on record first', () => {
    given(ERASURES, asked('b'), done('b'))
      .when(erase('a'))
      .then({ type: 'ErasureRequested', data: { request_id: 'a', reason: 'because', by: 'operator' } });
  });

  it('is asked for once, and done once', () => {
    given(ERASURES, asked('a')).when(erase('a')).thenNothing();
    given(ERASURES, asked('a'), done('a')).when(erase('a')).thenNothing();
    given(ERASURES, asked('a'))
      .when(complete('a'))
      .then({ type: 'TextErased', data: { request_id: 'a' } });
    given(ERASURES, asked('a'), done('a')).when(complete('a')).thenNothing();
    given(ERASURES).when(complete('a')).thenNothing();
  });

  it('says what is still to be done, who asked for it, and when the rest was done', () => {
    const { state } = given(ERASURES, asked('a'), asked('__proto__'), done('a'));
    expect([...state.erased]).toEqual([['a', AT]]);
    expect([...state.pending]).toEqual([
      ['__proto__', { id: asked('__proto__').id, correlationId: 'of-ask-__proto__' }],
    ]);
  });

  it('refuses to fold what the lifecycle does not allow', () => {
    given(ERASURES, done('a')).isCorrupt();
    given(ERASURES, asked('a'), asked('a')).isCorrupt();
    given(ERASURES, asked('a'), done('a'), asked('a')).isCorrupt();
  });
});
