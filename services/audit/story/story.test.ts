import { beforeEach, describe, expect, test } from 'vitest';
import { ERASURES_STREAM } from '../../../events/catalog/audit.ts';
import { paperBrokerStream } from '../../../events/catalog/broker.ts';
import { INDEX_STREAM } from '../../../events/catalog/knowledge.ts';
import { marketStream } from '../../../events/catalog/market.ts';
import { accountStream } from '../../../events/catalog/trading.ts';
import { Story as StorySchema } from '../../../events/messages/audit.ts';
import type { Position, RecordedEvent } from '../../../events/store/store.ts';
import { readAfter } from './read-after.ts';
import { tellStory } from './story.ts';
import type { Story } from './plot.ts';
import { ANSWER, answered, asked, QUESTION, retrieved, ToldRecord, type Draft } from './told-record.suite.ts';
import {
  answeredAsk,
  cancelledOrder,
  comment,
  draftOf,
  fill,
  refusedAsk,
  resumedTraining,
  submission,
} from './told-stories.suite.ts';

let record: ToldRecord;
beforeEach(() => {
  record = new ToldRecord();
});

/** The states that were reached, in their order. */
const wayOf = ({ machine }: Story): string => machine.path.join(' > ');

const events = ({ entries }: Story): string[] => entries.map(({ event }) => event);
const states = ({ entries }: Story): (string | null)[] => entries.map(({ state }) => state);

async function tell(id: string): Promise<Story> {
  const story = await tellStory(record, id);
  expect(StorySchema.parse(story)).toEqual(story);
  return story;
}

async function erase(id: string, call: string = `erase/${id}`): Promise<void> {
  const cause = { request: id, call };
  const requested = { request_id: id, reason: 'asked for', by: 'operator' };
  await record.add(ERASURES_STREAM, [{ type: 'ErasureRequested', data: requested }], cause);
  record.keys.erased.add(id);
  await record.add(ERASURES_STREAM, [{ type: 'TextErased', data: { request_id: id } }], cause);
}

/** An event in the stream of reindexes. */
const reindex = (type: string, id: string, call: string): Promise<void> =>
  record.wait(5).add(INDEX_STREAM, [draftOf(type, id)], { request: id, call });

/** Asks this often under one request id, with a question of this many characters. */
async function askOften(times: number, length: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const question = `${n} ${'ä'.repeat(length)}`;
    await record.ask('often', 10, asked('often', question), `call-${n}`);
  }
}

describe('the story of a request', () => {
  test('tells each event in its order, with its state, its time and who caused it', async () => {
    const story = await tell(await answeredAsk(record));
    expect(story).toMatchObject({ kind: 'ask', streams: ['ask-demo-1', 'comments'], omitted: 0 });
    expect(wayOf(story)).toBe('new > asked > retrieved > drafted > verified > drafted > verified > answered');
    expect(states(story).slice(-3)).toEqual(['answered', null, null]);
    expect(story.entries[2]).toMatchObject({
      event: 'AnswerDrafted',
      after_ms: 256,
      data: { draft: ANSWER },
    });
    expect(story.entries[8]).toMatchObject({
      event: 'CommentRecorded',
      correlation_id: 'demo-1',
      causation_id: 'comment/An das Team weitergegeben',
    });
    const way = { from: 'drafted', event: 'DraftVerified', to: 'verified', taken: 2 };
    expect(story.machine.transitions).toContainEqual(way);
    expect(story.machine.states).toContainEqual({ name: 'answered', final: true });
  });

  test('has the comments and the erasure of this request alone', async () => {
    await answeredAsk(record, 'other');
    await refusedAsk(record);
    await comment(record, 'other', 'theirs');
    await comment(record, 'demo-2', 'ours');
    await erase('other');
    await erase('demo-2');
    await comment(record, 'other', 'theirs again');
    const story = await tell('demo-2');
    const beyond = ['CommentRecorded', 'ErasureRequested', 'TextErased'];
    expect(events(story).slice(-3)).toEqual(beyond);
    expect(story.streams).toEqual(['ask-demo-2', 'comments', 'erasures']);
    expect(story.entries.every(({ data }) => (data['request_id'] ?? 'demo-2') === 'demo-2')).toBe(true);
  });

  test('shows an erasure that is asked for and not done yet', async () => {
    await refusedAsk(record);
    const requested = { request_id: 'demo-2', reason: 'asked for', by: 'retention' };
    const cause = { request: 'r', call: 'c' };
    await record.add(ERASURES_STREAM, [{ type: 'ErasureRequested', data: requested }], cause);
    const story = await tell('demo-2');
    expect(events(story).at(-1)).toBe('ErasureRequested');
    expect(story.entries[0]!.data['question']).toBe(QUESTION);
  });

  test('reads null where text was erased, and keeps ids and figures', async () => {
    await refusedAsk(record);
    await erase('demo-2');
    const { entries } = await tell('demo-2');
    expect(entries[0]!.data).toMatchObject({ question: null, language: 'de', top_k: 8 });
    expect(entries[3]!.data).toMatchObject({ answer: null, status: 'refused', latency_ms: 412 });
  });

  test('says so where text is sealed and its key is not at hand', async () => {
    await answeredAsk(record);
    record.keys.isMissing = true;
    const { entries } = await tell('demo-1');
    expect(entries[0]!.data).toMatchObject({ question: '(sealed)', context: null, language: 'de' });
    expect(entries[1]!.data).toMatchObject({ queries: '(sealed)', coverage: 0.83 });
    expect(entries[8]!.data).toMatchObject({ comment: '(sealed)' });
  });

  test.each([true, false])('finds an erasure among many later ones (its key at hand: %s)', async (atHand) => {
    await refusedAsk(record);
    await erase('demo-2');
    for (let n = 0; n < 300; n++) {
      const later: Draft = { type: 'TextErased', data: { request_id: `later-${n}` } };
      await record.add(ERASURES_STREAM, [later], { request: 'r', call: `c-${n}` });
    }
    record.keys.isMissing = !atHand;
    expect(events(await tell('demo-2')).slice(-2)).toEqual(['ErasureRequested', 'TextErased']);
  });

  test('tells of a damaged event what is stored, and of the others all', async () => {
    await refusedAsk(record);
    const decode: typeof record.codec.decode = async (event) => {
      if (event.type === 'QuestionAsked') throw new Error('cannot be opened');
      return record.codec.decode(event);
    };
    const { entries } = await tellStory({ store: record.store, codec: { decode } }, 'demo-2');
    expect(entries[0]!.data).toMatchObject({ question: '(sealed)', language: 'de' });
    expect(entries[3]!.data['question']).toBe(QUESTION);
  });

  test('takes the way of the ask that began last where an id came again, and shows both', async () => {
    const id = 'again';
    await record.ask(id, 0, asked(id, 'first'), 'one');
    await record.ask(id, 1, asked(id, 'second'), 'two');
    await record.ask(id, 1, retrieved(), 'one');
    await record.ask(id, 1, retrieved(), 'two');
    await record.ask(id, 1, { type: 'AskFailed', data: { request_id: id, code: 'INTERNAL' } }, 'two');
    await record.ask(id, 1, answered(id, 'refused', 0), 'one');
    const story = await tell(id);
    expect(states(story)).toEqual(['asked', 'asked', 'retrieved', 'retrieved', 'failed', 'answered']);
    expect(story.entries.map((entry) => entry.causation_id)).toEqual([
      'one',
      'two',
      'one',
      'two',
      'two',
      'one',
    ]);
    expect(story.machine.path).toEqual(['new', 'asked', 'retrieved', 'failed']);
  });

  test('stands still at an event that cannot follow, and goes on', async () => {
    const id = 'damaged';
    await record.ask(id, 0, asked(id));
    await record.ask(id, 1, answered(id, 'answered', 0));
    await record.ask(id, 1, retrieved());
    expect(states(await tell(id))).toEqual(['asked', null, 'retrieved']);
  });

  test('fails with UNKNOWN_REQUEST_ID where nothing is on record, of whatever form the id is', async () => {
    await answeredAsk(record);
    await cancelledOrder(record);
    for (const id of ['demo', 'o-0000000000000000', '']) {
      await expect(tellStory(record, id)).rejects.toMatchObject({ code: 'UNKNOWN_REQUEST_ID' });
    }
  });

  test('of a reindex is what it did, not what another one did', async () => {
    await reindex('ReindexStarted', 'one', 'a');
    await reindex('ReindexFailed', 'one', 'a');
    await reindex('ReindexStarted', 'two', 'b');
    await reindex('IndexBuilt', 'two', 'b');
    const story = await tell('one');
    expect(story).toMatchObject({ kind: 'reindex', machine: { path: ['idle', 'building', 'idle'] } });
    expect(events(story)).toEqual(['ReindexStarted', 'ReindexFailed']);
    expect(events(await tell('two'))).toEqual(['ReindexStarted', 'IndexBuilt']);
  });
});

describe('the story of an order', () => {
  const ID = 'o-afbf52202cb3641f';
  const OTHER = 'o-00000000000000aa';
  const account = accountStream('main');
  const report = (cursor: string) => ({ request: ID, call: `report/${cursor}` });
  const cancelled: Draft = {
    type: 'OrderCancelled',
    data: { order_id: ID, ticker: 'AAPL', reason: 'requested', cursor: '5' },
  };
  const discrepancy: Draft = {
    type: 'DiscrepancyFound',
    data: { kind: 'overfill', order_id: ID, ticker: 'AAPL', detail: 'too much', cursor: '6' },
  };

  test('joins what the account and its paper broker recorded of it', async () => {
    await record.add(account, [submission(OTHER)], report('x'));
    await cancelledOrder(record);
    await record.add(account, [fill(OTHER, 't-9', '100')], report('y'));
    const story = await tell(ID);
    expect(story).toMatchObject({ kind: 'order', streams: [account, paperBrokerStream('main')], omitted: 0 });
    expect(states(story).join(' > ')).toBe(
      'submitted >  > accepted >  > partially_filled > pending_cancel >  > cancelled',
    );
    expect(wayOf(story)).toBe('submitted > accepted > partially_filled > pending_cancel > cancelled');
    expect(story.entries[0]!.data).toMatchObject({ origin: 'strategy', weights: '3fa1c0de'.repeat(8) });
    expect(story.entries[5]).toMatchObject({ correlation_id: 'desk-77', after_ms: 86_400_000 });
  });

  test('is found among those of other accounts', async () => {
    await record.add(accountStream('other'), [submission(OTHER)], report('x'));
    await cancelledOrder(record);
    expect((await tell(OTHER)).streams).toEqual(['account-other']);
  });

  test('has a fill that came after the cancellation', async () => {
    await record.add(account, [submission(ID), cancelled], report('1'));
    await record.add(account, [submission(OTHER)], report('2'));
    await record.add(account, [fill(ID, 't-1', '30'), fill(ID, 't-2', '70')], report('3'));
    const story = await tell(ID);
    expect(states(story)).toEqual(['submitted', 'cancelled', 'cancelled', 'filled']);
    expect(story.machine.path).toEqual(['submitted', 'cancelled', 'filled']);
  });

  test('has a dispute after its end, and what was booked because of it', async () => {
    await record.add(account, [submission(ID), fill(ID, 't-1', '100')], report('1'));
    await record.add(account, [submission(OTHER)], report('2'));
    await record.add(account, [discrepancy, fill(ID, 't-2', '5')], report('3'));
    const story = await tell(ID);
    expect(events(story)).toEqual(['OrderSubmitted', 'OrderFilled', 'DiscrepancyFound', 'OrderFilled']);
    expect(states(story)).toEqual(['submitted', 'filled', null, null]);
  });
});

test('a run of training is told with what became of its weights', async () => {
  await resumedTraining(record, 'other');
  const run = await resumedTraining(record);
  const story = await tell(run);
  expect(story).toMatchObject({ kind: 'training', streams: ['models', `training-${run}`] });
  expect(wayOf(story)).toBe('idle > preparing > training > interrupted > preparing > training > trained');
  expect(states(story)[0]).toBeNull();
  expect(events(story).at(-1)).toBe('ModelPutToUse');
  const stays = story.machine.transitions.find(({ event }) => event === 'TrainingEpochFinished');
  expect(stays).toMatchObject({ from: 'training', to: 'training', taken: 3 });
});

test('an update of the market data is told ticker by ticker', async () => {
  for (const type of ['MarketUpdateStarted', 'TickerUpdated', 'TickerUpdateFailed', 'MarketUpdateFinished']) {
    await record.wait(9).add(marketStream('u-1'), [draftOf(type, 'u-1')], { request: 'u-1', call: type });
  }
  const story = await tell('u-1');
  expect(story).toMatchObject({ kind: 'market-update', machine: { path: ['idle', 'running', 'finished'] } });
});

describe('a very long story', () => {
  test('keeps its first and its last entries, and counts the others', async () => {
    const stream = marketStream('u');
    const cause = { request: 'u', call: 'c' };
    await record.add(stream, [draftOf('MarketUpdateStarted', 'u')], cause);
    const updated = draftOf('TickerUpdated', 'u');
    for (let n = 0; n < 1_099; n += 157) {
      await record.wait(10).add(stream, Array<Draft>(157).fill(updated), cause);
    }
    const story = await tell('u');
    expect(story.entries).toHaveLength(1_000);
    expect(story.omitted).toBe(100);
    expect(story.entries[499]!.revision).toBe(499);
    expect(story.entries[500]).toMatchObject({ revision: 600, after_ms: 0 });
    expect(story.entries.at(-1)!.revision).toBe(1_099);
    const stays = story.machine.transitions.find(({ event }) => event === 'TickerUpdated');
    expect(stays?.taken).toBe(1_099);
  });

  test('shortens long texts and says by how much, and changes nothing else', async () => {
    await askOften(40, 20_000);
    const story = await tell('often');
    expect(Buffer.byteLength(JSON.stringify(story))).toBeLessThan(700 * 1024);
    expect(story.entries).toHaveLength(40);
    expect(story.entries[7]!.data).toMatchObject({ request_id: 'often', language: 'de', top_k: 8 });
    const question = story.entries[7]!.data['question'] as string;
    const [, kept, more] = /^7 (ä+)… \((\d+) more characters\)$/.exec(question)!;
    expect(kept!.length + Number(more)).toBe(20_000);
  });

  test('of many large entries leaves out those in the middle', async () => {
    const tickers = Array.from({ length: 2_000 }, (_, i) => `TICKER-${i}`);
    const started = { type: 'MarketUpdateStarted', data: { update_id: 'u', source: 'csv', tickers } };
    for (let n = 0; n < 40; n++) {
      await record.wait(1).add(marketStream('u'), [started], { request: 'u', call: String(n) });
    }
    const story = await tell('u');
    expect(Buffer.byteLength(JSON.stringify(story))).toBeLessThan(700 * 1024);
    expect(story.omitted).toBe(40 - story.entries.length);
    const half = Math.floor(story.entries.length / 2);
    const kept = story.entries.map(({ revision }) => revision);
    expect(kept.slice(0, half)).toEqual(Array.from({ length: half }, (_, i) => i));
    expect(kept.at(half)).toBe(half + story.omitted);
    expect(kept.at(-1)).toBe(39);
    expect(story.entries[0]!.data['tickers']).toEqual(tickers);
    // Neither side of the bus looks through what the events say.
    expect(StorySchema.parse(story).entries[0]!.data['tickers']).toBe(story.entries[0]!.data['tickers']);
  });
});

test('what stands behind a place in the record is found, wherever that place is', async () => {
  for (let n = 0; n < 40; n++) {
    const stream = n % 3 === 0 ? 'comments' : 'other';
    const draft = { type: 'CommentRecorded', data: { request_id: 'x', comment: String(n) } };
    await record.add(stream, [draft], { request: 'x', call: String(n) });
  }
  const comments = await Array.fromAsync(record.store.readStream('comments'));
  const all = await Array.fromAsync(record.store.readAll());
  for (const position of ['', ...all.map((event) => event.position)] as Position[]) {
    const found: RecordedEvent[] = await Array.fromAsync(readAfter(record.store, 'comments', position));
    expect(found).toEqual(comments.filter((event) => event.position > position));
  }
  expect(await Array.fromAsync(readAfter(record.store, 'nothing', '' as Position))).toEqual([]);
});
