import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { QuestionAsked } from '../../../events/catalog/knowledge.ts';
import { createDecoder } from '../../../events/define.ts';
import { BelegError } from '../../../events/errors.ts';
import type { Json } from '../../../events/json.ts';
import { MemoryStore } from '../../../events/store/memory-store.suite.ts';
import { NO_KEYS } from '../../../events/vault/vault.ts';
import type { OpenRecord } from '../../foundation/record.ts';
import { toJsonLine } from '../../foundation/json.ts';
import { widthOf } from '../terminal.ts';
import type { ShownEvent } from './shown-event.ts';
import type { Position } from '../../../events/store/store.ts';
import { formatEvent, tailRecord, type TailOptions, type TailOutput } from './tail.ts';

const SEALED: Json = { $sealed: 'c2VjcmV0' };

async function add(store: MemoryStore, stream: string, minute: number, data: Json = {}, type = 'Noted') {
  let head = -1n;
  for await (const { revision } of store.readStream(stream)) head = revision;
  const at = `2026-01-01T08:${String(minute).padStart(2, '0')}:00.000Z`;
  const metadata = { at, version: 1, $correlationId: 'r', $causationId: 'c', key: 'r' };
  await store.append(stream, head, [{ id: randomUUID(), type, data, metadata }]);
}

const stopping: AbortController[] = [];
afterEach(() => {
  for (const stop of stopping.splice(0)) stop.abort();
});

/** Starts a tail and collects its lines. */
function start(
  store: OpenRecord['store'],
  options: Partial<TailOptions> = {},
  more: Partial<TailOutput> & Pick<Partial<OpenRecord>, 'codec' | 'since'> = {},
) {
  const stop = new AbortController();
  stopping.push(stop);
  const lines: string[] = [];
  let heard = Promise.withResolvers<void>();
  const { codec = createDecoder(CATALOG, NO_KEYS), since, ...output } = more;
  const record = { store, codec, ...(since === undefined ? {} : { since }) };
  const ended = tailRecord(
    record,
    { follow: true, ...options },
    {
      write: async (text) => {
        lines.push(text);
        heard.resolve();
        heard = Promise.withResolvers();
      },
      terminal: () => ({ columns: Infinity, colour: false }),
      signal: stop.signal,
      ...output,
    },
  );
  const until = async (count: number): Promise<string[]> => {
    while (lines.length < count) await Promise.race([heard.promise, ended]);
    return lines;
  };
  return { until, ended, lines, stop: () => stop.abort() };
}

const placesIn = (lines: readonly string[]): string[] => lines.map((line) => line.split('  ')[1]!);

async function linesOf(store: MemoryStore, options: Partial<TailOptions>): Promise<string[]> {
  const tail = start(store, { ...options, follow: false });
  await tail.ended;
  return tail.lines;
}

const failing = (error: Error): OpenRecord['store'] => ({
  readStream: async function* () {},
  readAll: async function* () {},
  end: async () => undefined,
  subscribe: () => {
    throw error;
  },
});

describe('beleg audit tail', () => {
  it('shows the ten newest of a selection, then those that come, until it is stopped', async () => {
    const store = new MemoryStore();
    for (let n = 0; n < 12; n++) await add(store, n % 4 === 3 ? 'other' : 'ask-1', n);
    await add(store, 'ask-10', 12);
    const tail = start(store, { stream: 'ask-1' });
    expect(placesIn(await tail.until(9))).toEqual(Array.from({ length: 9 }, (_, n) => `ask-1#${n}`));
    await add(store, 'other', 13);
    await add(store, 'ask-1', 14);
    expect(placesIn(await tail.until(10)).at(-1)).toBe('ask-1#9');
    tail.stop();
    await tail.ended;
    expect(placesIn(await linesOf(store, {}))).toHaveLength(10);
    expect(placesIn(await linesOf(store, { type: ['None'] }))).toEqual([]);
  });

  it('shows what comes while it begins once', async () => {
    const store = new MemoryStore();
    await add(store, 's', 1);
    const busy: OpenRecord['store'] = {
      readStream: (...given) => store.readStream(...given),
      end: () => store.end(),
      subscribe: (...given) => store.subscribe(...given),
      async *readAll(options) {
        if (options?.limit === undefined) await add(store, 's', 2);
        yield* store.readAll(options);
      },
    };
    const tail = start(busy);
    await tail.until(2);
    await add(store, 's', 3);
    expect(placesIn(await tail.until(3))).toEqual(['s#0', 's#1', 's#2']);
  });

  it('begins at a time, by the time of each event, and leaves out what is not before another', async () => {
    const store = new MemoryStore();
    for (const minute of [1, 5, 9, 3, 7, 2]) await add(store, `s-${minute}`, minute);
    const times = { from: '2026-01-01T08:03:00Z', to: '2026-01-01T08:09:00Z' };
    expect(placesIn(await linesOf(store, times))).toEqual(['s-5#0', 's-3#0', 's-7#0']);
    const tail = start(store, times);
    await add(store, 's-8', 8);
    expect(placesIn(await tail.until(4))).toEqual(['s-5#0', 's-3#0', 's-7#0', 's-8#0']);
  });

  it('goes on from the last event it had when a record is back that was away', async () => {
    const store = new MemoryStore();
    const told: string[] = [];
    let away = 2;
    const flaky: OpenRecord['store'] = {
      readStream: (...given) => store.readStream(...given),
      end: () => store.end(),
      readAll: (...given) => store.readAll(...given),
      subscribe(options) {
        const subscription = store.subscribe(options);
        return {
          close: () => subscription.close(),
          async *[Symbol.asyncIterator]() {
            for await (const item of subscription) {
              if (item.kind === 'caughtUp' && away-- > 0) throw new BelegError('STORE_UNAVAILABLE');
              yield item;
            }
          },
        };
      },
    };
    for (const minute of [1, 2]) await add(store, 's', minute);
    const tail = start(
      flaky,
      { from: '2026-01-01T08:00:00Z' },
      {
        retryMs: 1,
        onAway: () => told.push('away'),
        onBack: () => told.push('back'),
      },
    );
    await tail.until(2);
    await add(store, 's', 3);
    expect(placesIn(await tail.until(3))).toEqual(['s#0', 's#1', 's#2']);
    expect(told.slice(0, 2)).toEqual(['away', 'back']);
  });

  it('says so, too, where the subscription outlives its connections', async () => {
    const store = new MemoryStore();
    await add(store, 's', 1);
    const away = Promise.withResolvers<unknown>();
    const back = Promise.withResolvers<void>();
    let isAway = false;
    const server: OpenRecord['store'] = {
      readStream: (...given) => store.readStream(...given),
      readAll: (...given) => store.readAll(...given),
      subscribe: (...given) => store.subscribe(...given),
      async end() {
        if (isAway) throw new BelegError('STORE_UNAVAILABLE');
        return store.end();
      },
    };
    const tail = start(server, {}, { lookMs: 1, onAway: away.resolve, onBack: back.resolve });
    await tail.until(1);
    isAway = true;
    expect(await away.promise).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    isAway = false;
    await back.promise;
  });

  it('ends at once while a record is away, and fails of any other fault', async () => {
    const away = Promise.withResolvers<void>();
    const waiting = start(
      failing(new BelegError('STORE_UNAVAILABLE')),
      {},
      { onAway: () => away.resolve(), retryMs: 1e9 },
    );
    await away.promise;
    waiting.stop();
    await waiting.ended;
    await expect(start(failing(new Error('a mistake'))).ended).rejects.toThrow('a mistake');
  });

  it('leaves text sealed unless it is told to open it', async () => {
    const store = new MemoryStore();
    const data = { request_id: 'r', question: SEALED, language: 'de', mode: 'knowledge', top_k: 8 };
    await add(store, 'ask-r', 1, { ...data, context: null }, QuestionAsked.type);
    const opening = createDecoder(CATALOG, { open: async () => '"Wie viel Urlaub?"' });
    const lines = async (options: Partial<TailOptions>): Promise<string> => {
      const tail = start(store, { ...options, follow: false }, { codec: opening });
      await tail.ended;
      return tail.lines.join('');
    };
    expect(await lines({})).toContain('question=(sealed)');
    expect(await lines({ text: true })).toContain('question="Wie viel Urlaub?"');
    expect(JSON.parse(await lines({ json: true }))).toMatchObject({
      stream: 'ask-r',
      revision: 0,
      type: 'QuestionAsked',
      at: '2026-01-01T08:01:00.000Z',
      correlation_id: 'r',
      causation_id: 'c',
      data: { question: SEALED },
    });
    expect(JSON.parse(await lines({ json: true, text: true }))).toMatchObject({
      data: { question: 'Wie viel Urlaub?' },
    });
  });

  it('shows what does not open as it stands, and goes on', async () => {
    const store = new MemoryStore();
    await add(store, 'ask-r', 1, { question: SEALED, unheard: 'of' }, QuestionAsked.type);
    await add(store, 'ask-r', 2);
    const [damaged, next] = await linesOf(store, {});
    expect(damaged).toContain('question=(sealed) unheard=of');
    expect(next).toContain('ask-r#1  Noted');
  });
});

const event = (more: Partial<ShownEvent>): ShownEvent => ({
  position: '1' as Position,
  stream: 'ask-1',
  revision: 0,
  id: 'i',
  type: 'Noted',
  at: '2026-01-01T09:00:00+01:00',
  correlation_id: 'r',
  causation_id: 'c',
  data: {},
  ...more,
});

describe('An event as a line', () => {
  const WIDE = { columns: Infinity, colour: false };

  it('says when in UTC, where, what, and the data', () => {
    const data = { a: 1, b: 'two words', c: null, d: ['x'], e: [{ f: 1 }, { f: 2 }], g: 'h' };
    expect(formatEvent(event({ data }), WIDE)).toBe(
      '2026-01-01 08:00:00.000Z  ask-1#0  Noted  a=1 b="two words" c=- d=["x"] e=[2] g=h',
    );
  });

  it.each([60, 80])('is no wider than a terminal of %d columns', (columns) => {
    for (const text of ['x'.repeat(500), '文'.repeat(500)]) {
      const line = formatEvent(event({ data: { text } }), { columns, colour: false });
      expect(widthOf(line)).toBeLessThanOrEqual(columns);
      expect(widthOf(line)).toBeGreaterThan(columns - 2);
      expect(line.endsWith('…')).toBe(true);
    }
  });

  it('obeys nothing that is in it', () => {
    const hostile = 'a\u001b[2Jb\u009b2Jc\nd\u202ee\u2028f';
    const line = formatEvent(event({ stream: hostile, type: hostile, data: { [hostile]: hostile } }), WIDE);
    expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
    const json = toJsonLine({ [hostile]: hostile });
    expect(json.slice(0, -1)).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
    expect(JSON.parse(json)).toEqual({ [hostile]: hostile });
  });
});
