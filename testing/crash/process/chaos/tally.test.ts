import { expect, test } from 'vitest';
import { tally, type TakenEvent } from './tally.ts';
import { Acknowledged } from './told.ts';

let position = 0;

/** An event in the form in which the tally reads it. */
function event(
  stream: string,
  revision: number,
  type: string,
  data: Record<string, unknown>,
  takenAt: number,
): TakenEvent {
  const id = `e${position}`;
  const metadata = { at: '', version: 1, $correlationId: '', $causationId: id, hash: '' };
  return {
    stream,
    type,
    data: data as TakenEvent['data'],
    takenAt,
    id,
    metadata,
    revision: BigInt(revision),
    position: String(position++) as unknown as TakenEvent['position'],
  };
}

const answer = (id: string, takenAt: number, revision = 4): TakenEvent =>
  event(`ask-${id}`, revision, 'AnswerGiven', { request_id: id }, takenAt);

const told = (): Acknowledged => new Acknowledged();

test('what was acknowledged and is on record once is no fault', () => {
  // given
  const all = told();
  all.answers.push({ requestId: 'r1', isRecorded: true, sentAt: 0, toldAt: 10 });
  all.answers.push({ requestId: 'r2', isRecorded: false, sentAt: 0, toldAt: 10 });
  all.ratings.push({ requestId: 'r1', rating: 'up', sentAt: 20, toldAt: 30 });
  all.comments.push({ requestId: 'r1', commentId: 1, sentAt: 40, toldAt: 50 });
  all.orders.push({ clientOrderId: 'c1', orderId: 'o1', sentAt: 0, toldAt: 10 });
  all.cancels.push({ orderId: 'o1', sentAt: 20, toldAt: 30 });
  // when
  const { rows, faults } = tally(
    [
      answer('r1', 5),
      event('ask-r1', 5, 'AnswerRated', { rating: 'up' }, 25),
      event('comments', 0, 'CommentRecorded', { request_id: 'r1' }, 45),
      event('account-main', 3, 'OrderSubmitted', { order_id: 'o1', client_order_id: 'c1' }, 5),
      event('account-main', 4, 'OrderCancelRequested', { order_id: 'o1' }, 25),
      answer('r2', 1_500),
    ],
    all,
  );
  // then
  expect(faults).toEqual([]);
  expect(rows.map(({ what, acknowledged }) => [what, acknowledged])).toEqual([
    ['answers that can be rated', 1],
    ['answers on their way to the record', 1],
    ['ratings', 1],
    ['comments', 1],
    ['orders', 1],
    ['cancellations', 1],
  ]);
});

test('what is not on record is named', () => {
  // given
  const all = told();
  all.answers.push({ requestId: 'r1', isRecorded: true, sentAt: 0, toldAt: 10 });
  all.answers.push({ requestId: 'r2', isRecorded: false, sentAt: 0, toldAt: 10 });
  all.ratings.push({ requestId: 'r1', rating: 'down', sentAt: 20, toldAt: 30 });
  all.comments.push({ requestId: 'r1', commentId: 2, sentAt: 40, toldAt: 50 });
  all.orders.push({ clientOrderId: 'c1', orderId: 'o1', sentAt: 0, toldAt: 10 });
  all.orders.push({ clientOrderId: 'c2', orderId: 'o2', sentAt: 0, toldAt: 10 });
  all.cancels.push({ orderId: 'o1', sentAt: 20, toldAt: 30 });
  // when
  const { faults } = tally(
    [
      event('ask-r1', 5, 'AnswerRated', { rating: 'up' }, 25),
      event('comments', 0, 'CommentRecorded', { request_id: 'r1' }, 45),
      event('account-main', 3, 'OrderSubmitted', { order_id: 'other', client_order_id: 'c1' }, 5),
      event('account-main', 4, 'OrderSubmitted', { order_id: 'o2', client_order_id: 'c2' }, 5),
      event('account-main', 5, 'OrderWithdrawn', { order_id: 'o2' }, 5),
    ],
    all,
  );
  // then
  expect(faults).toEqual([
    'answers that can be rated: r1 is not on record',
    'answers on their way to the record: r2 is not on record',
    'ratings: r1 down is not on record',
    'comments: r1 as number 2 is not on record',
    'orders: c1 as o1 is not on record',
    'orders: c2 as o2 is not on record',
    'cancellations: o1 is not on record',
  ]);
});

test('what is on record twice is named, also where nobody was told of it', () => {
  // given
  const all = told();
  all.answers.push({ requestId: 'r1', isRecorded: true, sentAt: 0, toldAt: 10 });
  all.orders.push({ clientOrderId: 'c1', orderId: 'o1', sentAt: 0, toldAt: 10 });
  const twice = answer('r3', 5, 0);
  // when
  const { faults } = tally(
    [
      answer('r1', 5, 4),
      answer('r1', 6, 9),
      answer('r2', 5, 4),
      answer('r2', 6, 9),
      event('account-main', 3, 'OrderSubmitted', { order_id: 'o1', client_order_id: 'c1' }, 5),
      event('account-main', 4, 'OrderSubmitted', { order_id: 'o9', client_order_id: 'c1' }, 5),
      twice,
      { ...twice, stream: 'other' },
    ],
    all,
  );
  // then
  expect(faults).toEqual([
    'answers that can be rated: r1 is on record 2 times',
    'orders: c1 as o1 is on record 2 times',
    'ask-r2 was asked once, and has 2 answers',
    '1 events are on record twice',
  ]);
});

test('what was sent after another one was acknowledged stands behind it', () => {
  // given
  const all = told();
  all.comments.push({ requestId: 'r1', commentId: 2, sentAt: 0, toldAt: 10 });
  all.comments.push({ requestId: 'r2', commentId: 1, sentAt: 20, toldAt: 30 });
  // These two were sent at the same time, so either may come first.
  all.comments.push({ requestId: 'r3', commentId: 4, sentAt: 40, toldAt: 60 });
  all.comments.push({ requestId: 'r4', commentId: 3, sentAt: 50, toldAt: 70 });
  // when
  const { faults } = tally(
    ['r2', 'r1', 'r4', 'r3'].map((id, n) => event('comments', n, 'CommentRecorded', { request_id: id }, 0)),
    all,
  );
  // then
  expect(faults).toEqual(['comments: r2 as number 1 stands before one that was acknowledged earlier']);
});

test('health may not say ok while an answer has waited for more than two seconds, or is lost', () => {
  // given
  const all = told();
  all.answers.push({ requestId: 'late', isRecorded: false, sentAt: 0, toldAt: 10_000 });
  all.answers.push({ requestId: 'gone', isRecorded: false, sentAt: 0, toldAt: 40_000 });
  const says = (status: string, at: number): void =>
    void all.health.push({ status, spooled: 0, lost: 0, sentAt: at, toldAt: at + 10 });
  for (const at of [12_500, 15_000, 30_500, 50_000]) says('ok', at);
  says('degraded', 16_000);
  // when
  const { okWhileWaiting, faults } = tally([answer('late', 30_000)], all);
  // then
  expect(okWhileWaiting).toBe(2);
  expect(faults).toEqual([
    'answers on their way to the record: gone is not on record',
    'health said ok at 1970-01-01T00:00:15.010Z while 1 answers waited, late for 5.0 s',
    'health said ok at 1970-01-01T00:00:50.010Z while 1 answers waited, gone for 10.0 s',
  ]);
});

test('what a fault has taken from the disk nobody could keep', () => {
  const all = told();
  all.answers.push({ requestId: 'r1', isRecorded: false, sentAt: 0, toldAt: 10 });
  all.destroyed.add('r1');
  expect(tally([], all).faults).toEqual([]);
});
