import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ERASURES_STREAM } from '../../../events/catalog/audit.ts';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { askStream } from '../../../events/catalog/knowledge.ts';
import { createCodec } from '../../../events/define.ts';
import { BelegError } from '../../../events/errors.ts';
import { startProjection } from '../../../events/projections/runner.ts';
import type { EventStore } from '../../../events/store/store.ts';
import { verifyRecord } from '../../../events/proof/verify.ts';
import { openText } from '../../../events/vault/seal.ts';
import { appendAtEnd } from '../../foundation/streams/append-at-end.suite.ts';
import { ManualClock } from '../../../testing/faults/manual-clock.suite.ts';
import { FaultyStore } from '../../../testing/faults/faulty-store.suite.ts';
import { auditProjection } from '../projection.ts';
import { seeded } from '../../../events/seeded.ts';
import { commentOf, ErasurePlace, filesHolding, ratingOf, requestOf } from './place.suite.ts';
import { startRetention } from './retention.ts';
import { PATIENT } from '../../../events/patient.suite.ts';

const AT = '2026-03-01T08:00:00.000Z';
const unavailable = { code: 'AUDIT_UNAVAILABLE' };

/** Tables that do not catch up within the time. */
const LATE_TABLES = {
  waitFor: (): Promise<void> => Promise.reject(new BelegError('DEADLINE_EXCEEDED')),
  hold: <T>(work: () => Promise<T>): Promise<T> => work(),
};

let place: ErasurePlace;

beforeEach(async () => {
  place = await ErasurePlace.open();
});
afterEach(() => place.remove());

describe('erasing a request', () => {
  test('leaves its text in no file and no table; ids, figures and proofs stay, and so do all others', async () => {
    const eraser = place.eraser();
    for (const id of ['r-1', 'r-2']) {
      await place.answer(id);
      await place.rate(id);
      await place.projection.waitFor(await place.comment(id), PATIENT);
    }
    const key = place.keyOf('r-1');
    expect(place.filesOf('r-1')).toContain('audit.db-wal');
    expect(filesHolding(place.folder, key)).toEqual(['keys.db-wal']);

    expect(await place.erase(eraser, 'r-1')).toEqual({ request_id: 'r-1', erased_at: AT, repeated: false });
    expect(place.filesOf('r-1')).toEqual([]);
    expect(filesHolding(place.folder, key)).toEqual([]);
    expect(place.filesOf('r-2')).toEqual(['audit.db']);
    expect(place.rows('SELECT * FROM interactions ORDER BY request_id')).toMatchObject([
      {
        request_id: 'r-1',
        question: null,
        answer: null,
        sources: null,
        conflicts: null,
        clarification_question: null,
        planned_queries: null,
        citations: '["URL-1"]',
        status: 'answered',
        latency_ms: 7,
        rating: 'up',
      },
      { request_id: 'r-2', answer: expect.stringContaining('Kürzung') },
    ]);
    expect(place.rows('SELECT rating, feedback FROM ratings')[0]).toEqual({ rating: 'up', feedback: null });
    expect(place.rows('SELECT comment_id, comment FROM comments')[0]).toEqual({
      comment_id: 1,
      comment: null,
    });
    expect(place.rows('SELECT * FROM requests')[0]).toMatchObject({ request_id: 'r-1', erased_at: AT });
    for await (const event of place.store.readStream(askStream('r-1'))) {
      expect((await place.codec.decode(event))!.data).toMatchObject({ request_id: 'r-1' });
    }
    expect((await verifyRecord(place.store)).findings).toEqual([]);
    expect(await place.erasures()).toEqual(['ErasureRequested r-1', 'TextErased r-1']);
  });

  test('again says when it was done, and does nothing', async () => {
    const eraser = place.eraser();
    await place.answer('r-1');
    await place.erase(eraser, 'r-1');
    place.now = () => new Date('2026-04-01T00:00:00.000Z');
    const hold = vi.spyOn(place.projection, 'hold');
    expect(await place.erase(eraser, 'r-1')).toEqual({ request_id: 'r-1', erased_at: AT, repeated: true });
    expect(hold).not.toHaveBeenCalled();
    expect(await place.erasures()).toHaveLength(2);
  });

  test('is refused where nothing is on record, and then nothing is', async () => {
    const eraser = place.eraser();
    await expect(place.erase(eraser, 'r-9')).rejects.toMatchObject({ code: 'UNKNOWN_REQUEST_ID' });
    expect(await place.erasures()).toEqual([]);
  });

  test('is refused, and waits for nothing, where the eraser closes while it looks at the record', async () => {
    const eraser = place.eraser();
    await place.answer('r-1');
    const erasing = place.erase(eraser, 'r-1');
    const closing = eraser.close();
    await expect(erasing).rejects.toMatchObject(unavailable);
    await closing;
    expect(await place.erasures()).toEqual([]);
  });

  test('whose tables take too long says that it is on record', async () => {
    await place.answer('r-1');
    const eraser = place.eraser({ projection: LATE_TABLES });
    await expect(place.erase(eraser, 'r-1')).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      detail: expect.stringMatching(/^the erasure is on record/u),
    });
  });

  test('shares the work with all that come with it, and with its own repetitions', async () => {
    const eraser = place.eraser();
    const ids = Array.from({ length: 60 }, (_, n) => `r-${n}`);
    await Promise.all(ids.map((id) => place.answer(id)));
    const hold = vi.spyOn(place.projection, 'hold');
    const append = vi.spyOn(place.store, 'append');
    await Promise.all([...ids, ...ids].map((id) => place.erase(eraser, id)));
    expect(hold.mock.calls.length).toBeLessThanOrEqual(2);
    expect(append.mock.calls.length).toBeLessThanOrEqual(8);
    expect(await place.erasures()).toHaveLength(120);
    expect(place.filesOf(...ids)).toEqual([]);
  });

  test('lets no text back into the tables that arrives after it, where its key is still in a memory', async () => {
    await place.answer('r-1');
    const key = place.keyOf('r-1');
    const late = await Promise.all([place.seal(ratingOf('r-1')), place.seal(commentOf('r-1'))]);
    await place.erase(place.eraser(), 'r-1');
    for (const { stream, event } of late) await appendAtEnd(place.store, stream, [event]);
    // Tables of another process that does not know yet that the key was erased.
    const codec = createCodec(CATALOG, {
      ...place.vault,
      open: async (name, sealed, context) => openText(key, name, sealed, context),
    });
    const file = join(place.folder, 'other.db');
    const other = startProjection({ store: place.store, codec, projection: auditProjection, file });
    const last = await Array.fromAsync(place.store.readAll({ direction: 'backwards', limit: 1 }));
    await other.waitFor(last[0]!.position, PATIENT);
    const rows = place.rows('SELECT rating, feedback, comment FROM ratings, comments', file);
    await other.stop();
    expect(rows).toEqual([{ rating: 'up', feedback: null, comment: null }]);
    expect(
      ['feedback', 'comment'].flatMap((what) => filesHolding(place.folder, Buffer.from(`»${what}`))),
    ).toEqual([]);
  });
});

test('whatever was recorded, replaced and erased: nothing of it is in any file', async () => {
  const random = seeded(20);
  const eraser = place.eraser();
  const live: string[] = [];
  const erased: string[] = [];
  const lengthOf = (): number => (random() < 0.1 ? 9_000 : Math.floor(random() ** 2 * 1_500));
  for (let round = 0; round < 3; round++) {
    const news = Array.from({ length: 30 }, (_, n) => `r-${round}-${n}`);
    await Promise.all(news.map((id) => place.answer(id, lengthOf())));
    live.push(...news);
    const some = (share: number) => live.filter(() => random() < share);
    await Promise.all([
      ...some(0.3).map((id) => place.rate(id, lengthOf())),
      ...some(0.2).map((id) => place.comment(id, lengthOf())),
      ...some(0.1).map((id) => place.answer(id, lengthOf())),
    ]);
    const chosen = Array.from({ length: 15 }, () => live.splice(Math.floor(random() * live.length), 1)[0]!);
    await Promise.all(chosen.map((id) => place.erase(eraser, id)));
    erased.push(...chosen);
    expect(place.filesOf(...erased)).toEqual([]);
  }
  expect(place.filesOf(...live)).toEqual(['audit.db']);
  expect(place.rows('SELECT count(*) AS n FROM requests WHERE erased_at IS NOT NULL')).toEqual([{ n: 45 }]);
  expect((await verifyRecord(place.store)).findings).toEqual([]);
});

/** Fails from the n-th step of erasing on; `lands`: that step is done all the same. */
function cutOff(n: number, lands: boolean) {
  let steps = 0;
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    steps += 1;
    if (steps > n || (steps === n && !lands)) throw new BelegError('STORE_UNAVAILABLE');
    const result = await work();
    if (steps === n) throw new BelegError('STORE_UNAVAILABLE');
    return result;
  };
  const { store, vault, projection } = place;
  return {
    retryMs: 1_000_000,
    store: {
      append: (...given) => step(() => store.append(...given)),
      readStream: (...given) => store.readStream(...given),
      end: () => store.end(),
      subscribe: (options) => store.subscribe(options),
    } as EventStore,
    vault: { ...vault, erase: (name: string) => step(() => vault.erase(name)) },
    projection: {
      waitFor: (...given: Parameters<typeof projection.waitFor>) => step(() => projection.waitFor(...given)),
      hold: <T>(work: () => Promise<T>) => step(() => projection.hold(work)),
    },
  };
}

describe('what is cut off in the middle', () => {
  test('anywhere is undone, or completed by whoever comes next', async () => {
    for (const n of [1, 2, 3, 4, 5]) {
      for (const lands of [false, true]) {
        const id = `r-${n}-${lands}`;
        const before = await place.erasures();
        await place.projection.waitFor(await place.answer(id), PATIENT);
        const cut = place.eraser(cutOff(n, lands));
        await expect(place.erase(cut, id)).rejects.toMatchObject(unavailable);
        await cut.close();
        const isUndone = n === 1 && !lands;
        expect(await place.erasures()).toHaveLength(
          before.length + (isUndone ? 0 : n < 3 || (n === 3 && !lands) ? 1 : 2),
        );
        const next = place.eraser();
        const events = before.length + (isUndone ? 0 : 2);
        await vi.waitFor(
          () => expect(place.rows('PRAGMA user_version')).toEqual([{ user_version: events }]),
          PATIENT,
        );
        expect(place.filesOf(id)).toEqual(isUndone ? ['audit.db-wal'] : []);
        await next.close();
      }
    }
    expect((await place.erasures()).filter((line) => line.startsWith('Text'))).toHaveLength(9);
  });

  test('by a store that is away is refused, and completed once it is back where the intent was taken', async () => {
    await place.answer('r-1');
    const store = new FaultyStore(place.store);
    const eraser = place.eraser({ store });
    store.mode = 'down';
    await expect(place.erase(eraser, 'r-1')).rejects.toMatchObject(unavailable);
    store.mode = 'up';
    expect(await place.erasures()).toEqual([]);
    store.mode = 'mute';
    await expect(place.erase(eraser, 'r-1')).rejects.toMatchObject(unavailable);
    store.mode = 'up';
    await vi.waitFor(async () => expect(await place.erasures()).toHaveLength(2), PATIENT);
    // Until its file is compacted it is still being completed, and who asks joins it.
    await vi.waitFor(() => expect(place.rows('PRAGMA user_version')).toEqual([{ user_version: 2 }]), PATIENT);
    expect(await place.erase(eraser, 'r-1')).toEqual({ request_id: 'r-1', erased_at: AT, repeated: true });
    expect(place.filesOf('r-1')).toEqual([]);
  });

  test('with its process is completed although its request gets on record only after the next one has read', async () => {
    // given
    await place.answer('r-1');
    await place.answer('r-2');
    await place.erase(place.eraser(), 'r-2');
    // when
    await place.append(requestOf('r-1'));
    // then
    await vi.waitFor(() => expect(place.rows('PRAGMA user_version')).toEqual([{ user_version: 4 }]), PATIENT);
    expect((await place.erasures()).slice(2)).toEqual(['ErasureRequested r-1', 'TextErased r-1']);
    expect(place.filesOf('r-1')).toEqual([]);
  });

  test('by another writer of the stream is decided again', async () => {
    await place.answer('r-1');
    await place.answer('r-2');
    const [stale, other] = [place.eraser(), place.eraser()];
    await place.erase(stale, 'r-1');
    await expect(place.erase(other, 'r-1')).resolves.toMatchObject({ erased_at: AT });
    await place.erase(other, 'r-2');
    await expect(place.erase(stale, 'r-2')).resolves.toMatchObject({ erased_at: AT });
    expect(await place.erasures()).toHaveLength(4);
  });

  test('by somebody who reads the old pages is told, and done when they let go', async () => {
    await place.answer('r-1');
    await place.projection.waitFor(await place.rate('r-1'), PATIENT);
    const reader = new DatabaseSync(place.file, { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM interactions').get();
    const eraser = place.eraser();
    await expect(place.erase(eraser, 'r-1')).rejects.toMatchObject({
      ...unavailable,
      detail: expect.stringContaining('another program is reading the file') as string,
    });
    expect(place.filesOf('r-1')).not.toEqual([]);
    expect(place.rows('SELECT question FROM interactions')).toEqual([{ question: null }]);
    reader.close();
    await vi.waitFor(() => expect(place.rows('PRAGMA user_version')).toEqual([{ user_version: 2 }]), PATIENT);
    expect(place.filesOf('r-1')).toEqual([]);
  });
});

test('a rebuild that has text already is waited for', async () => {
  await Promise.all(Array.from({ length: 40 }, (_, n) => place.answer(`r-${n}`, 2_000)));
  const eraser = place.eraser();
  const rebuilding = place.projection.rebuild();
  await vi.waitFor(() => expect(place.filesOf('r-1').join()).toContain('rebuild'), {
    ...PATIENT,
    interval: 1,
  });
  await place.erase(eraser, 'r-1');
  expect(place.filesOf('r-1')).toEqual([]);
  await rebuilding;
  expect(place.rows("SELECT question FROM interactions WHERE request_id = 'r-1'")).toEqual([
    { question: null },
  ]);
});

describe('retention', () => {
  test('erases what is older than it may be, by its newest text, comments too; at once, and every hour', async () => {
    await place.answer('old', 100, '2026-01-29T07:59:59.999Z');
    await place.answer('on-the-day', 100, '2026-01-29T08:00:00.000Z');
    await place.answer('commented', 100, '2025-01-01T00:00:00.000Z');
    await place.comment('commented', 100, '2026-02-27T00:00:00.000Z');
    await place.answer('spooled-late', 100, '2025-01-01T00:00:00.000Z');
    const clock = new ManualClock(Date.parse('2026-03-01T08:00:00.000Z'));
    const logger = pino({ level: 'silent' });
    const end = startRetention({ days: 31, eraser: place.eraser(), logger, clock });
    const marked = (events: number) =>
      vi.waitFor(
        () => expect(place.rows('PRAGMA user_version')).toEqual([{ user_version: events }]),
        PATIENT,
      );
    await marked(4);
    expect((await place.erasures()).filter((line) => line.startsWith('Text'))).toEqual([
      'TextErased spooled-late',
      'TextErased old',
    ]);
    expect(place.filesOf('old', 'spooled-late')).toEqual([]);
    const [first] = await Array.fromAsync(place.store.readStream(ERASURES_STREAM));
    expect(first!.data).toMatchObject({ by: 'retention', reason: 'older than 2026-01-29T08:00:00.000Z' });
    await place.answer('new', 100, '2026-03-28T00:00:00.000Z');
    clock.advance(Date.parse('2026-03-30T01:00:00.000Z') - clock.now());
    await marked(8);
    expect(place.filesOf('on-the-day', 'commented')).toEqual([]);
    end();
    expect(clock.timers).toBe(0);
  });

  test.each([
    ['is set right within the hour', '2026-03-01T09:00:00.000Z', '2026-01-29T09:00:00.000Z'],
    ['still says so an hour later', null, '2027-01-29T09:00:00.000Z'],
  ])('a clock far ahead of the newest text erases nothing for an hour; it %s', (_, setTo, before) => {
    const clock = new ManualClock(Date.parse('2027-03-01T08:00:00.000Z'));
    const erased: string[] = [];
    const warnings: string[] = [];
    const logger = pino({}, { write: (line: string) => warnings.push(line) });
    const end = startRetention({
      days: 31,
      eraser: { eraseOlderThan: (at) => erased.push(at), newestText: () => '2026-02-27T00:00:00.000Z' },
      logger,
      clock: {
        now: () => (setTo === null || warnings.length === 0 ? clock.now() : Date.parse(setTo)),
        every: (ms, look) => clock.every(ms, look),
      },
    });
    expect(erased).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('the clock is 367 days ahead')]);
    clock.advance(3_600_000);
    end();
    expect(erased).toEqual([before]);
  });

  test('erases nothing before the tables know a text', () => {
    const eraseOlderThan = vi.fn<(before: string) => void>();
    const clock = new ManualClock(Date.parse('2026-03-01T08:00:00.000Z'));
    startRetention({
      days: 31,
      eraser: { eraseOlderThan, newestText: () => null },
      logger: pino({ level: 'silent' }),
      clock,
    })();
    expect(eraseOlderThan).not.toHaveBeenCalled();
  });

  test('goes through more than a batch with one compaction, and lets nobody wait meanwhile', async () => {
    const ids = Array.from({ length: 1_100 }, (_, n) => `r-${n}`);
    await Promise.all(ids.map((id) => place.ask(id)));
    await place.answer('asked-for', 10, '2026-03-01T00:00:00.000Z');
    const hold = vi.spyOn(place.projection, 'hold');
    const eraser = place.eraser();
    eraser.eraseOlderThan('2026-02-01T00:00:00.000Z');
    await vi.waitFor(async () => expect(await place.erasures()).toHaveLength(2_200), PATIENT);
    await place.erase(eraser, 'asked-for');
    expect(hold.mock.calls.length).toBeLessThanOrEqual(2);
    expect(place.rows('SELECT count(*) AS n FROM requests WHERE erased_at IS NULL')).toEqual([{ n: 0 }]);
    await place.stop();
    await place.start();
    expect((await verifyRecord(place.store)).findings).toEqual([]);
  });
});
