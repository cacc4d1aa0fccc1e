import { COMMENTS_STREAM } from '../../../../events/catalog/feedback.ts';
import { askStream } from '../../../../events/catalog/knowledge.ts';
import { accountStream } from '../../../../events/catalog/trading.ts';
import type { RecordedEvent } from '../../../../events/store/store.ts';
import type { Acknowledged, ToldAnswer, ToldHealth } from './told.ts';

/** An event with the time at which the event store took it. */
export type TakenEvent = RecordedEvent & { readonly takenAt: number };

/** One row of the table. */
export interface Row {
  readonly what: string;
  readonly acknowledged: number;
  readonly missing: number;
  readonly doubled: number;
  readonly outOfOrder: number;
}

export interface Tally {
  readonly rows: readonly Row[];
  /** How often health was `ok` while an answer had waited for too long or was lost. */
  readonly okWhileWaiting: number;
  /** All faults, with ids. Empty if all is well. */
  readonly faults: readonly string[];
}

/** How long an answer may wait to be recorded while health says `ok`. */
const MAY_WAIT_MS = 2_000;
/** The error of comparing the clocks of two processes on a busy machine. */
const MEASURE_MS = 1_000;

/** An acknowledged fact, and the events that prove it. */
interface Claim {
  readonly name: string;
  readonly sentAt: number;
  readonly toldAt: number;
  readonly events: readonly RecordedEvent[];
}

/** Compares the record with what clients were told. Nothing is decrypted: ids, types and revisions are enough. */
export function tally(record: readonly TakenEvent[], told: Acknowledged): Tally {
  const faults: string[] = [];
  const streams = Map.groupBy(record, ({ stream }) => stream);
  const ofType = (stream: string, type: string): TakenEvent[] =>
    (streams.get(stream) ?? []).filter((event) => event.type === type);

  const answers = told.answers.filter(({ requestId }) => !told.destroyed.has(requestId));
  const givenTo = ({ requestId }: ToldAnswer) => ofType(askStream(requestId), 'AnswerGiven');
  const comments = Map.groupBy(streams.get(COMMENTS_STREAM) ?? [], ({ data }) => fieldOf(data, 'request_id'));
  const account = streams.get(accountStream('main')) ?? [];
  const withdrawn = new Set(
    account.filter(({ type }) => type === 'OrderWithdrawn').map(({ data }) => fieldOf(data, 'order_id')),
  );
  const submitted = Map.groupBy(
    account.filter(
      ({ type, data }) => type === 'OrderSubmitted' && !withdrawn.has(fieldOf(data, 'order_id')),
    ),
    ({ data }) => fieldOf(data, 'client_order_id'),
  );
  const cancelled = Map.groupBy(
    account.filter(({ type }) => type === 'OrderCancelRequested'),
    ({ data }) => fieldOf(data, 'order_id'),
  );

  const rows = [
    row(
      'answers that can be rated',
      answers.filter(({ isRecorded }) => isRecorded),
      (answer) => ({ name: answer.requestId, events: givenTo(answer) }),
    ),
    row(
      'answers on their way to the record',
      answers.filter(({ isRecorded }) => !isRecorded),
      (answer) => ({ name: answer.requestId, events: givenTo(answer) }),
    ),
    row('ratings', told.ratings, ({ requestId, rating }) => ({
      name: `${requestId} ${rating}`,
      events: ofType(askStream(requestId), 'AnswerRated').filter(
        ({ data }) => fieldOf(data, 'rating') === rating,
      ),
    })),
    row('comments', told.comments, ({ requestId, commentId }) => {
      const events = comments.get(requestId) ?? [];
      const isThere = events.some(({ revision }) => Number(revision) === commentId - 1);
      return { name: `${requestId} as number ${commentId}`, events: isThere ? events : [] };
    }),
    row('orders', told.orders, ({ clientOrderId, orderId }) => {
      const events = submitted.get(clientOrderId) ?? [];
      const isThere = events.some(({ data }) => fieldOf(data, 'order_id') === orderId);
      return { name: `${clientOrderId} as ${orderId}`, events: isThere ? events : [] };
    }),
    row('cancellations', told.cancels, ({ orderId }) => ({
      name: orderId,
      events: cancelled.get(orderId) ?? [],
    })),
  ];

  // Requests without an acknowledgement may be on record once or not at all.
  const toldOf = new Set(answers.map(({ requestId }) => askStream(requestId)));
  for (const stream of streams.keys()) {
    if (toldOf.has(stream) || !stream.startsWith('ask-')) continue;
    const { length } = ofType(stream, 'AnswerGiven');
    if (length > 1) faults.push(`${stream} was asked once, and has ${length} answers`);
  }
  const ids = new Set(record.map(({ id }) => id));
  if (ids.size !== record.length) faults.push(`${record.length - ids.size} events are on record twice`);

  const tooEarly = okWhileWaiting(answers, givenTo, told.health);
  faults.push(...tooEarly);
  return { rows, okWhileWaiting: tooEarly.length, faults };

  function row<T extends { readonly sentAt: number; readonly toldAt: number }>(
    what: string,
    acknowledged: readonly T[],
    find: (told: T) => Pick<Claim, 'name' | 'events'>,
  ): Row {
    const claims = acknowledged.map((each): Claim => ({ ...each, ...find(each) }));
    const missing = claims.filter(({ events }) => events.length === 0);
    const doubled = claims.filter(({ events }) => events.length > 1);
    const late = outOfOrder(claims);
    faults.push(
      ...missing.map(({ name }) => `${what}: ${name} is not on record`),
      ...doubled.map(({ name, events }) => `${what}: ${name} is on record ${events.length} times`),
      ...late.map(({ name }) => `${what}: ${name} stands before one that was acknowledged earlier`),
    );
    return {
      what,
      acknowledged: claims.length,
      missing: missing.length,
      doubled: doubled.length,
      outOfOrder: late.length,
    };
  }
}

/** A request that was sent after another one had been acknowledged must come after it in their stream. */
function outOfOrder(claims: readonly Claim[]): Claim[] {
  const late: Claim[] = [];
  for (const inStream of Map.groupBy(
    claims.filter(({ events }) => events.length > 0),
    ({ events }) => events[0]!.stream,
  ).values()) {
    const bySent = inStream.toSorted((one, other) => one.sentAt - other.sentAt);
    const byTold = inStream.toSorted((one, other) => one.toldAt - other.toldAt);
    let [before, newest] = [0, -1n];
    for (const claim of bySent) {
      for (; before < byTold.length && byTold[before]!.toldAt < claim.sentAt; before++) {
        const { revision } = byTold[before]!.events[0]!;
        if (revision > newest) newest = revision;
      }
      if (claim.events[0]!.revision < newest) late.push(claim);
    }
  }
  return late;
}

/** The times at which health was `ok` although an answer had waited for too long, or was never recorded. */
function okWhileWaiting(
  answers: readonly ToldAnswer[],
  givenTo: (answer: ToldAnswer) => readonly TakenEvent[],
  health: readonly ToldHealth[],
): string[] {
  const waits = answers
    .map((answer) => ({
      requestId: answer.requestId,
      from: answer.toldAt + MAY_WAIT_MS + MEASURE_MS,
      until: (givenTo(answer)[0]?.takenAt ?? Infinity) - MEASURE_MS,
    }))
    .filter(({ from, until }) => from < until);
  return health
    .filter(({ status }) => status === 'ok')
    .flatMap(({ sentAt, toldAt }) => {
      const waiting = waits.filter(({ from, until }) => from < sentAt && toldAt < until);
      if (waiting.length === 0) return [];
      const { requestId, from } = waiting[0]!;
      const seconds = ((sentAt - from + MAY_WAIT_MS + MEASURE_MS) / 1_000).toFixed(1);
      return [
        `health said ok at ${new Date(toldAt).toISOString()} while ${waiting.length} answers waited, ${requestId} for ${seconds} s`,
      ];
    });
}

const fieldOf = (data: unknown, field: string): string =>
  String((data as Readonly<Record<string, unknown>>)[field]);
