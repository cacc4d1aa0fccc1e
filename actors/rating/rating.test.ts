import { describe, expect, it } from 'vitest';
import { answerData } from '../../events/catalog/answer-given.suite.ts';
import type { AskEvent } from '../../events/catalog/catalog.ts';
import { AnswerRated } from '../../events/catalog/feedback.ts';
import { AnswerGiven, AskFailed, PassagesRetrieved, QuestionAsked } from '../../events/catalog/knowledge.ts';
import type { EventCause } from '../../events/define.ts';
import { given } from '../given.suite.ts';
import { ASK } from '../streams/knowledge.ts';
import { ratingStatus } from '../ask/evolve.ts';
import type { RateAnswer } from './rating.ts';

const cause = (call: string): EventCause => ({
  stream: 'ask-r',
  at: '2022-03-01T00:00:00.000Z',
  correlationId: 'r',
  causationId: call,
  key: 'r',
});
const asked = (call: string): AskEvent =>
  QuestionAsked.create(
    { request_id: 'r', question: '?', language: 'de', mode: 'knowledge', top_k: 8, context: null },
    cause(call),
  );
const retrieved = (call: string): AskEvent =>
  PassagesRetrieved.create(
    { queries: ['?'], hits: [], coverage: 0, covered: false, index: 'i' },
    cause(call),
  );
const answered = (call: string): AskEvent => AnswerGiven.create(answerData('r'), cause(call));
const failed = (call: string): AskEvent =>
  AskFailed.create({ request_id: 'r', code: 'INTERNAL' }, cause(call));
const rated = (rating: 'up' | 'down', call: string): AskEvent =>
  AnswerRated.create({ request_id: 'r', rating, feedback: null, updated: false }, cause(call));
const answer = (call: string): AskEvent[] => [asked(call), retrieved(call), answered(call)];

const up: RateAnswer = { request_id: 'r', rating: 'up', feedback: 'gut' };

describe('rating an answer', () => {
  it('records the first rating', () => {
    given(ASK, ...answer('a'))
      .when(up)
      .then({
        type: 'AnswerRated',
        data: { request_id: 'r', rating: 'up', feedback: 'gut', updated: false },
      });
  });

  it('flags a further one as an update, the same rating again as well', () => {
    for (const before of ['down', 'up'] as const) {
      given(ASK, ...answer('a'), rated(before, 'b'))
        .when(up)
        .thenLike({ data: { rating: 'up', updated: true } });
    }
  });

  it('rates the newest answer: asked again under the same request id, it is unrated', () => {
    given(ASK, ...answer('a'), rated('up', 'b'), ...answer('c'))
      .when(up)
      .thenLike({ data: { updated: false } });
  });

  it('still rates the earlier answer while a further ask runs, and after it failed', () => {
    const before = [...answer('a'), rated('up', 'b'), asked('c')];
    given(ASK, ...before)
      .when(up)
      .thenLike({ data: { updated: true } });
    given(ASK, ...before, failed('c'))
      .when(up)
      .thenLike({ data: { updated: true } });
  });

  it('knows no request that was never answered', () => {
    given(ASK).when(up).refuses('UNKNOWN_REQUEST_ID');
    given(ASK, asked('a')).when(up).refuses('UNKNOWN_REQUEST_ID');
    given(ASK, asked('a'), failed('a')).when(up).refuses('UNKNOWN_REQUEST_ID');
  });
});

const status = (...events: AskEvent[]) => ratingStatus(given(ASK, ...events).state);

describe('the state of a rating', () => {
  it('goes from unanswered to unrated, and from there between up and down', () => {
    expect(status()).toBe('unanswered');
    expect(status(asked('a'), retrieved('a'))).toBe('unanswered');
    expect(status(...answer('a'))).toBe('unrated');
    expect(status(...answer('a'), rated('up', 'b'))).toBe('up');
    expect(status(...answer('a'), rated('up', 'b'), rated('down', 'c'))).toBe('down');
    expect(status(...answer('a'), rated('down', 'b'), rated('up', 'c'))).toBe('up');
  });

  it('stays while a further ask is under way, and where it fails; its answer is unrated', () => {
    const before = [...answer('a'), rated('up', 'b'), asked('c'), retrieved('c')];
    expect(status(...before)).toBe('up');
    expect(status(...before, failed('c'))).toBe('up');
    expect(status(...before, rated('down', 'd'))).toBe('down');
    expect(status(...before, answered('c'))).toBe('unrated');
  });

  it('is corrupt where something is rated that was never answered', () => {
    given(ASK, rated('up', 'a')).isCorrupt();
    given(ASK, asked('a'), rated('up', 'b')).isCorrupt();
  });
});

describe('the stream of an ask', () => {
  it('holds asks of the same request id that overlap', () => {
    const { state } = given(
      ASK,
      asked('a'),
      asked('b'),
      retrieved('a'),
      answered('a'),
      retrieved('b'),
      answered('b'),
    );
    expect(state.running).toEqual({});
    expect(state.answer?.id).toBe(answered('b').id);
  });

  it('refuses to fold what the lifecycle does not allow', () => {
    given(ASK, retrieved('a')).isCorrupt();
    given(ASK, asked('a'), answered('a')).isCorrupt();
    given(ASK, asked('a'), asked('a')).isCorrupt();
  });
});
