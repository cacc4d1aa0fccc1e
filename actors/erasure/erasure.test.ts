import { describe, expect, it } from 'vitest';
import { ERASURES_STREAM, ErasureRequested, TextErased } from '../../events/catalog/audit.ts';
import type { ErasureEvent } from '../../events/catalog/catalog.ts';
import { decide, evolve, initialState } from './erasure.ts';

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
const given = (...events: ErasureEvent[]) => events.reduce(evolve, initialState());

const erase = (id: string) =>
  ({ type: 'RequestErasure', request_id: id, reason: 'because', by: 'operator' }) as const;
const complete = (id: string) => ({ type: 'CompleteErasure', request_id: id }) as const;

describe('erasing a request', () => {
  it('puts the intent on record first', () => {
    expect(decide(erase('a'), given(asked('b'), done('b')))).toEqual([
      { type: 'ErasureRequested', data: { request_id: 'a', reason: 'because', by: 'operator' } },
    ]);
  });

  it('is asked for once, and done once', () => {
    expect(decide(erase('a'), given(asked('a')))).toEqual([]);
    expect(decide(erase('a'), given(asked('a'), done('a')))).toEqual([]);
    expect(decide(complete('a'), given(asked('a')))).toEqual([
      { type: 'TextErased', data: { request_id: 'a' } },
    ]);
    expect(decide(complete('a'), given(asked('a'), done('a')))).toEqual([]);
    expect(decide(complete('a'), given())).toEqual([]);
  });

  it('says what is still to be done, who asked for it, and when the rest was done', () => {
    const state = given(asked('a'), asked('__proto__'), done('a'));
    expect([...state.erased]).toEqual([['a', AT]]);
    expect([...state.pending]).toEqual([
      ['__proto__', { id: asked('__proto__').id, correlationId: 'of-ask-__proto__' }],
    ]);
  });

  it('refuses to fold what the lifecycle does not allow', () => {
    const corrupt = expect.objectContaining({ code: 'STREAM_CORRUPT' }) as Error;
    expect(() => given(done('a'))).toThrow(corrupt);
    expect(() => given(asked('a'), asked('a'))).toThrow(corrupt);
    expect(() => given(asked('a'), done('a'), asked('a'))).toThrow(corrupt);
  });
});
