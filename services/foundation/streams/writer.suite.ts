import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { COMMENTS } from '../../../actors/streams/knowledge.ts';
import { STREAMS } from '../../../actors/streams/streams.ts';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { createCodec, createDecoder, type DomainEvent } from '../../../events/define.ts';
import { verifyChain } from '../../../events/proof/verify-stream.ts';
import type { EventStore, RecordedEvent } from '../../../events/store/store.ts';
import { NO_KEYS, type Vault } from '../../../events/vault/vault.ts';
import { SAMPLES, type Sample } from './kinds.suite.ts';
import { ScriptedStore, type Fate } from './scripted-store.suite.ts';
import { StreamWriter } from './writer.ts';
import { StreamWriters } from './writers.ts';

type Writer = StreamWriter<unknown, unknown, DomainEvent<string, unknown>, unknown>;

/** Sealed text stays readable here; sealing is tested elsewhere. */
const vault = {
  seal: async (_key: string, text: string) => ({ $sealed: Buffer.from(text).toString('base64') }),
  confirm: () => undefined,
} as unknown as Vault;
const codec = createCodec(CATALOG, vault);
const decoder = createDecoder(CATALOG, NO_KEYS);

/** One stream of one kind, with writers like those of several processes. */
export class Place {
  readonly stream = `test-${randomUUID()}`;
  readonly store: ScriptedStore;
  readonly lost: unknown[] = [];
  readonly sample: Sample;
  /** Events that were there before `next` was called. */
  begun = 0;
  reads = 0;
  readonly appends: number[] = [];
  #n = 0;
  #held: { begun: PromiseWithResolvers<void>; released: PromiseWithResolvers<void> } | undefined;

  constructor(store: EventStore, sample: Sample) {
    this.sample = sample;
    this.store = new ScriptedStore(store, this.stream);
    this.store.onAppend = ({ length }) => this.appends.push(length);
  }

  get #options() {
    return {
      store: {
        append: this.store.append.bind(this.store),
        readStream: (...request: Parameters<EventStore['readStream']>) => {
          this.reads += 1;
          return this.#toItsEnd(this.store.readStream(...request));
        },
      },
      codec,
      now: () => new Date('2026-01-15T08:00:00Z'),
      context: this.sample.context,
      onLost: (error: unknown) => this.lost.push(error),
    };
  }

  /** Delays the next read: it sees the stream as it is now, and ends when the test says so. */
  holdNextReading(): { readonly begun: Promise<void>; readonly goOn: () => void } {
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    this.#held = { begun, released };
    return { begun: begun.promise, goOn: released.resolve };
  }

  async *#toItsEnd(events: AsyncIterable<RecordedEvent>): AsyncGenerator<RecordedEvent> {
    yield* events;
    const held = this.#held;
    this.#held = undefined;
    held?.begun.resolve();
    await held?.released.promise;
  }

  /** Opens a writer on the stream as it is. */
  open(changes: { shared?: boolean; hasty?: boolean; now?: () => Date } = {}): Promise<Writer> {
    return StreamWriter.open(this.sample.definition, this.stream, { ...this.#options, ...changes });
  }

  /** Opens a writer for a stream without events. */
  create(changes: { shared?: boolean } = {}): Writer {
    return new StreamWriter(this.sample.definition, this.stream, { ...this.#options, ...changes });
  }

  /** A writer of a stream of which something is on record. */
  async begin(changes: { shared?: boolean } = {}): Promise<Writer> {
    const writer = this.create(changes);
    for (const event of this.sample.recorded?.(this.stream) ?? []) {
      await writer.append([await codec.encode(event)], { correlationId: 'begin', callId: 'begin' });
    }
    for (const command of this.sample.begin ?? []) {
      const n = (this.#n += 1);
      await writer.submit(command, { correlationId: 'begin', callId: `begin-${n}` });
    }
    this.begun = Number(writer.revision) + 1;
    await this.next(writer);
    this.appends.length = 0;
    return writer;
  }

  /** Submits the next command, in a call of its own. */
  next(writer: Writer, changes: { timeMs?: number; callId?: string } = {}) {
    const n = (this.#n += 1);
    const { timeMs, callId = `call-${n}` } = changes;
    const deadline = timeMs === undefined ? undefined : new Date(Date.now() + timeMs);
    return writer.submit(this.sample.command(n), { correlationId: `r-${n}`, callId, deadline });
  }

  events(): Promise<RecordedEvent[]> {
    return Array.fromAsync(this.store.readStream(this.stream));
  }

  /** The state of the writer is the fold of the record, with each event once and in one chain. */
  async expectRecorded(writer: Writer): Promise<RecordedEvent[]> {
    const events = await this.events();
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(await verifyChain(this.stream, this.store.readStream(this.stream))).toMatchObject({ faults: [] });
    let state: unknown = this.sample.definition.initial();
    for (const event of events) {
      state = this.sample.definition.evolve(state, (await decoder.decode(event))!);
    }
    expect(writer.state).toEqual(state);
    expect(writer.revision).toBe(BigInt(events.length) - 1n);
    return events;
  }
}

const UNAVAILABLE = { code: 'STORE_UNAVAILABLE' };
const CLOSED = { code: 'SERVICE_UNAVAILABLE' };
const CONFLICT = { code: 'WRONG_EXPECTED_REVISION' };

/** The contract of every writer, for any kind of stream and any store. */
export function writerContract(name: string, openStore: () => Promise<EventStore>): void {
  describe(`StreamWriter over ${name}`, () => {
    let store: EventStore;

    beforeAll(async () => {
      store = await openStore();
    });
    afterAll(() => store.close());

    describe.each(SAMPLES.map((sample) => [sample.definition.kind, sample] as const))('%s', (_, sample) => {
      let place: Place;
      let writer: Writer;

      beforeEach(async () => {
        place = new Place(store, sample);
        writer = await place.begin();
      });

      test('what comes together goes into one append, in order, and nothing is read before', async () => {
        const outcomes = (await Promise.all([1, 2, 3].map(() => place.next(writer)))).flat();
        expect([place.appends, place.reads]).toEqual([[3], 0]);
        const events = (await place.expectRecorded(writer)).slice(-3);
        const placesOf = (all: typeof outcomes | typeof events) =>
          all.map(({ id, revision }) => [id, revision]);
        expect(placesOf(outcomes)).toEqual(placesOf(events));
      });

      test.each(['refused', 'muted', 'late'] as const)(
        'an append that is %s is found out by the identical one',
        async (fate) => {
          const followed: string[] = [];
          writer.follow((events) => followed.push(...idsOf(events)));
          place.store.fates.push(fate, fate);
          const tried: string[] = [];
          place.store.onAppend = (events) => {
            tried.push(JSON.stringify(events));
            void place.store.late.shift()?.();
          };
          const outcomes = (await Promise.all([place.next(writer), place.next(writer)])).flat();
          expect(tried.length).toBeGreaterThan(1);
          expect(new Set(tried).size).toBe(1);
          expect(idsOf(await place.expectRecorded(writer)).slice(-2)).toEqual(idsOf(outcomes));
          expect(followed).toEqual(idsOf(outcomes));
        },
      );

      test('who looks and finds fault fails alone; what comes with it is on record, and followers hear of it', async () => {
        const followed: string[] = [];
        writer.follow((events) => followed.push(...idsOf(events)));
        const looked = writer.read(() => {
          throw new RangeError('not there');
        });
        const [, outcome] = await Promise.all([
          expect(looked).rejects.toThrow(RangeError),
          place.next(writer),
        ]);
        expect(idsOf(await place.expectRecorded(writer)).slice(-outcome.length)).toEqual(idsOf(outcome));
        expect(followed).toEqual(idsOf(outcome));
      });

      test('a caller is told at its deadline; what it asked is settled before anything else', async () => {
        place.store.mode = 'down';
        await expect(place.next(writer, { timeMs: 100 })).rejects.toMatchObject({
          ...UNAVAILABLE,
          retryAfter: 1,
        });
        const later = place.next(writer);
        place.store.mode = 'up';
        const [last] = await later;
        const events = await place.expectRecorded(writer);
        expect(events.at(-1)!.id).toBe(last!.id);
        expect(events).toHaveLength(place.begun + 3);
        expect(place.lost).toEqual([]);
      });

      test('who waits for no second try is told at the first failure; what came of it is found out all the same', async () => {
        const hasty = await place.open({ hasty: true });
        place.store.fates.push('muted');
        await expect(place.next(hasty)).rejects.toMatchObject(UNAVAILABLE);
        const [outcome] = await place.next(hasty);
        expect(idsOf(await place.expectRecorded(hasty))).toContain(outcome!.id);
      });

      test('of a caller that is past its deadline nothing gets on record', async () => {
        // Like a machine whose clock is an hour behind.
        const tooLate = {
          code: 'DEADLINE_EXCEEDED',
          detail: expect.stringMatching(/arrived 360\d s after its deadline; .* compare the clocks/),
        };
        await expect(place.next(writer, { timeMs: -3_600_000 })).rejects.toMatchObject(tooLate);
        const deadline = new Date(Date.now() - 3_600_000);
        const call = { correlationId: 'r', callId: 'late', deadline };
        await expect(writer.read(() => 'seen', call)).rejects.toMatchObject(tooLate);
        await place.next(writer);
        expect(await place.expectRecorded(writer)).toHaveLength(place.begun + 2);
      });

      test('the same call again is answered as the first time, by another process too', async () => {
        const call = { correlationId: 'r', callId: 'same' };
        const first = await writer.submit(sample.command(100), call);
        const before = await place.events();
        const stored = before.filter(({ id }) => idsOf(first).includes(id));
        for (const again of [writer, await place.open()]) {
          const answer = await again.append(stored, call);
          expect(answer.map(({ id, revision }) => [id, revision])).toEqual(
            first.map(({ id, revision }) => [id, revision]),
          );
        }
        expect(await place.events()).toEqual(before);
      });

      test('a holder that another one has followed is fenced out, and nothing of it is written', async () => {
        await place.next(await place.open());
        const before = await place.events();
        await expect(place.next(writer)).rejects.toMatchObject(CONFLICT);
        expect(place.lost).toMatchObject([CONFLICT]);
        await expect(place.next(writer)).rejects.toMatchObject(CLOSED);
        expect(await place.events()).toEqual(before);
      });

      test('a holder is fenced out by another that has written the very same', async () => {
        // given
        const after = await place.open({ now: () => new Date('2026-01-15T08:00:01Z') });
        const call = { correlationId: 'r', callId: 'of both' };
        // when
        await after.submit(sample.command(100), call);
        // then
        const late = writer.submit(sample.command(100), call);
        await expect(late).rejects.toMatchObject({ code: 'WRONG_EXPECTED_REVISION' });
        expect(writer.isLost).toBe(true);
        expect(after.isLost).toBe(false);
      });

      test('where several may write, each decides on what stands there', async () => {
        const [one, other] = [place.create({ shared: true }), place.create({ shared: true })];
        for (let n = 0; n < 2; n++) {
          await place.next(one);
          await Promise.all([place.next(one), place.next(other)]);
        }
        const state = await other.read((read) => read);
        expect(await place.expectRecorded(other)).toHaveLength(place.begun + 7);
        expect(await one.read((read) => read)).toEqual(state);
        expect(place.lost).toEqual([]);
      });

      test('where several may write, what is asked while the record is read waits for a later reading', async () => {
        const [one, other] = [place.create({ shared: true }), place.create({ shared: true })];
        await place.next(one);
        const reading = place.holdNextReading();
        const first = one.read(() => one.revision);
        await reading.begun;
        await place.next(other);
        const second = one.read(() => one.revision);
        reading.goOn();
        await first;
        expect(await second).toBe(other.revision);
      });

      test('after a crash the next process has what was acknowledged, and what lands late fences it out', async () => {
        place.store.fates.push(...Array<Fate>(50).fill('late'));
        const tried = new Promise<void>((resolve) => {
          place.store.onAppend = () => setImmediate(resolve);
        });
        const cut = place.next(writer);
        await tried;
        const next = await place.open();
        await place.expectRecorded(next);
        await place.store.late[0]!();
        place.store.fates.length = 0;
        await cut;
        await expect(place.next(next)).rejects.toMatchObject(CONFLICT);
        await place.expectRecorded(await place.open());
      });

      test('a writer that closes finishes what it has taken, and does not wait for a store that is away', async () => {
        const taken = place.next(writer);
        await writer.close();
        await taken;
        await expect(place.next(writer)).rejects.toMatchObject(CLOSED);
        const next = await place.open();
        place.store.mode = 'down';
        const waiting = place.next(next);
        await Promise.all([expect(waiting).rejects.toMatchObject(UNAVAILABLE), next.close()]);
        expect(place.lost).toEqual([]);
      });
    });

    test('there is a sample of each kind', () => {
      const others = STREAMS.filter((kind) => !SAMPLES.some(({ definition }) => definition === kind));
      expect(others.map(({ kind }) => kind)).toEqual(['knowledge-index']);
    });

    test('what is too large for any append fails alone; what comes with it is on record, and followers hear of it', async () => {
      const place = new Place(
        store,
        SAMPLES.find(({ definition }) => definition === COMMENTS)!,
      );
      const writer = place.create();
      const followed: string[] = [];
      writer.follow((events) => followed.push(...idsOf(events)));
      const submit = (comment: string) =>
        writer.submit({ request_id: 'r', comment }, { correlationId: 'r', callId: comment.slice(0, 9) });
      const [before, , after] = await Promise.all([
        submit('before'),
        expect(submit('x'.repeat(1_200_000))).rejects.toMatchObject({ code: 'APPEND_TOO_LARGE' }),
        submit('after'),
      ]);
      const recorded = idsOf(await place.expectRecorded(writer));
      expect(recorded).toEqual(idsOf([...before, ...after]));
      expect(followed).toEqual(recorded);
    });

    test('there is one writer of a stream, also where two open it at once', async () => {
      const place = new Place(store, SAMPLES[0]!);
      const options = { store, codec, now: () => new Date(), context: place.sample.context };
      const writers = new StreamWriters<unknown, unknown, DomainEvent<string, unknown>, unknown>(
        place.sample.definition,
        options,
      );
      const [one, other] = await Promise.all([writers.open(place.stream), writers.open(place.stream)]);
      expect(other).toBe(one);
    });

    test('beyond what may wait there is no queue', async () => {
      const place = new Place(store, SAMPLES[0]!);
      const writer = place.create();
      place.store.mode = 'down';
      const waiting = Array.from({ length: 10_000 }, () => place.next(writer).catch(() => undefined));
      await expect(place.next(writer, { timeMs: 10_000 })).rejects.toMatchObject({
        code: 'OVERLOADED',
        retryAfter: 1,
      });
      await writer.close();
      await Promise.all(waiting);
    });
  });
}

const idsOf = (events: readonly { readonly id: string }[]): string[] => events.map(({ id }) => id);
