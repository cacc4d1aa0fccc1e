import { ActorHost } from '../foundation/actor-host.ts';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InProcessBus } from '../../events/bus/in-process.ts';
import { CATALOG, MARKET_EVENTS } from '../../events/catalog/catalog.ts';
import { createCodec, type Codec } from '../../events/define.ts';
import { BelegError } from '../../events/errors.ts';
import { InProcessLeases } from '../../events/leases/in-process.ts';
import { call, type RequestDefinition } from '../../events/messages/define.ts';
import * as market from '../../events/messages/market.ts';
import { openEmbeddedStore } from '../../events/store/embedded/embedded.ts';
import type { EventStore } from '../../events/store/store.ts';
import { temporaryFolder } from '../../events/temporary-folder.suite.ts';
import type { Vault } from '../../events/vault/vault.ts';
import type { z } from 'zod';
import { FaultyStore } from '../../testing/faults/faulty-store.suite.ts';
import { openSource } from './sources/open-source.ts';
import type { MarketSettings } from './settings.ts';
import { serveMarket, type MarketService } from './serve-market.ts';
import type { BarSource } from './sources/source.ts';
import { readSettings } from '../composition/settings.ts';
import { PATIENT } from '../../events/patient.suite.ts';

let folder: string;
let store: FaultyStore;
let codec: Codec;
const running = new Set<MarketService>();

/** Market events have no text to seal. */
const noVault = {} as Vault;

beforeEach(async () => {
  folder = temporaryFolder();
  store = new FaultyStore(await openEmbeddedStore({ file: join(folder, 'events.db') }));
  codec = createCodec(CATALOG, noVault);
});

afterEach(async () => {
  store.mode = 'up';
  for (const service of running) await service.leave();
  running.clear();
  await store.close();
});

function settingsOf(more: Partial<MarketSettings> = {}): MarketSettings {
  return {
    ...readSettings({ DATA_DIR: join(folder, 'data'), TD_SOURCE: `csv:${folder}` }).market,
    dbPath: join(folder, 'market-csv.db'),
    ...more,
  };
}

function start(
  settings: MarketSettings = settingsOf(),
  {
    events = store,
    open = openSource,
    now = () => new Date('2024-03-01T12:00:00Z'),
    logged = [],
  }: { events?: EventStore; open?: typeof openSource; now?: () => Date; logged?: string[] } = {},
) {
  const bus = new InProcessBus().connect(() => undefined);
  const service = serveMarket({
    bus,
    store: events,
    codec,
    leases: new InProcessLeases(() => undefined),
    logger: pino({}, { write: (line: string) => logged.push(line) }),
    actors: new ActorHost({ logger: pino({ level: 'silent' }) }),
    settings,
    now,
    open,
  });
  running.add(service);
  const ask = <Req extends z.ZodType, Rep extends z.ZodType>(
    definition: RequestDefinition<Req, Rep>,
    payload: z.input<Req>,
    callId: string = randomUUID(),
  ) => call(bus, definition, payload, { correlationId: 'r', callId });
  return { service, ask };
}

/** Three days of a ticker, from 2024-01-02 on. */
function table(ticker: string, ...closes: number[]): void {
  const rows = closes.map(
    (close, at) => `2024-01-${String(at + 2).padStart(2, '0')},${close},${close},${close},${close},100`,
  );
  writeFileSync(join(folder, `${ticker}.csv`), `date,open,high,low,close,volume\n${rows.join('\n')}\n`);
}

async function recorded(): Promise<string[]> {
  const found: string[] = [];
  for await (const { type, data } of store.readAll({ types: MARKET_EVENTS.map((event) => event.type) })) {
    found.push(`${type} ${(data as { ticker?: string }).ticker ?? ''}`.trim());
  }
  return found;
}

const asOf = (as_of: string | null) => ({ ticker: 'AAPL', as_of });
const code = (code: string) => expect.objectContaining({ code }) as Error;

describe('the market service', () => {
  it.each([
    ['file', ['', '-wal', '-shm']],
    ['log', ['-wal']],
  ])('loads everything anew where the %s of the data is removed while it runs', async (_, suffixes) => {
    table('AAPL', 1, 2, 3);
    const settings = settingsOf();
    const { service, ask } = start(settings);
    await service.ready;
    for (const suffix of suffixes) rmSync(`${settings.dbPath}${suffix}`);
    await vi.waitFor(async () => {
      expect((await recorded()).filter((event) => event === 'MarketUpdateFinished')).toHaveLength(2);
      expect(await ask(market.LatestPrice, asOf(null))).toMatchObject({ close: 3 });
    }, PATIENT);
    // The service reads the replaced file.
    using db = new DatabaseSync(settings.dbPath, { readOnly: true });
    expect(db.prepare('SELECT count(*) AS bars FROM bars').get()).toEqual({ bars: 3 });
  });

  it('logs rows that are left out once, in the words of the notes', async () => {
    const days = Array.from({ length: 200 }, (_, day) => new Date(Date.UTC(2023, 0, 1 + day)).toISOString());
    const rows = days.map((day, at) => `${day.slice(0, 10)},${at === 7 ? 'x' : 1},1,1,1,100`);
    writeFileSync(join(folder, 'AAPL.csv'), ['date,open,high,low,close,volume', ...rows].join('\n'));
    const logged: string[] = [];
    const { service, ask } = start(settingsOf(), { logged });
    await service.ready;
    await vi.waitFor(() => ask(market.UpdateMarket, {}), PATIENT);
    await vi.waitFor(
      async () =>
        expect((await recorded()).filter((event) => event === 'MarketUpdateFinished')).toHaveLength(2),
      PATIENT,
    );
    const told =
      'AAPL.csv: 1 row left out that cannot be read: open "x" is not a number (the first in line 9)';
    expect((await ask(market.Pipeline, {})).notes).toContain(told);
    expect(logged.filter((line) => line.includes('rows of a table'))).toEqual([
      expect.stringContaining(JSON.stringify(told)),
    ]);
  });

  it('loads what is there by itself, and answers', async () => {
    table('AAPL', 400, 100, 102);
    table('SPY', 10, 11, 12);
    writeFileSync(
      join(folder, 'actions.json'),
      JSON.stringify({
        tickers: { AAPL: { splits: { '2024-01-03': 4 }, dividends: { '2024-01-02': 1, '2024-01-04': 0.5 } } },
      }),
    );
    const { service, ask } = start();
    await service.ready;
    expect(await recorded()).toEqual([
      'MarketUpdateStarted',
      'TickerUpdated AAPL',
      'TickerUpdated SPY',
      'MarketUpdateFinished',
    ]);
    expect(await ask(market.Tickers, {})).toEqual({ initial: ['AAPL', 'SPY'], index: 'SPY', count: 2 });
    expect(await ask(market.Pipeline, {})).toEqual({
      status: 'ready',
      tickers_loaded: 2,
      db_path: 'market-csv.db',
      source: 'csv',
      synthetic: false,
      bars: 6,
      first: '2024-01-02',
      last: '2024-01-04',
      updated_at: '2024-03-01T12:00:00.000Z',
      failed: [],
      notes: [
        expect.stringMatching(/^AAPL: dividends ignored in adjusted closes: 2024-01-02/) as string,
        'SPY.csv: no dividends are known: the file has no adjusted closes, and actions.json does not list the ticker',
      ],
    });
    expect(service.status()).toMatchObject({ status: 'ready', bars: 6 });
    expect(await ask(market.LatestPrice, { ticker: 'AAPL', as_of: null })).toEqual({
      ticker: 'AAPL',
      date: '2024-01-04 00:00:00',
      open: 102,
      high: 102,
      low: 102,
      close: 102,
      adj_close: 102,
      volume: 100,
    });
    expect(await ask(market.CorporateActions, { ticker: 'AAPL', as_of: null })).toEqual({
      ticker: 'AAPL',
      actions: { splits: { '2024-01-03': 4 }, dividends: { '2024-01-02': 1, '2024-01-04': 0.5 } },
    });
    await expect(ask(market.Features, { ticker: 'AAPL', as_of: null })).rejects.toMatchObject({
      code: 'MARKET_DATA_MISSING',
    });
  });

  it('has the features that there are bars enough for, and of a young index none', async () => {
    table('AAPL', ...Array.from({ length: 25 }, (_, n) => 100 + n));
    table('SPY', ...Array.from({ length: 20 }, () => 400));
    const { service, ask } = start();
    await service.ready;
    const { features } = await ask(market.Features, { ticker: 'AAPL', as_of: null });
    expect(Object.keys(features)).toEqual(['AAPL']);
    expect(features['AAPL']).toMatchObject({ return: 124 / 123 - 1, ema_12: expect.any(Number) as number });
    expect(features['AAPL']).not.toHaveProperty('ema_26');
    expect(Object.values(features['AAPL']!)).not.toContain(null);
  });

  it('knows nothing of what comes after the day that is asked for', async () => {
    table('AAPL', 400, 100, 102);
    writeFileSync(
      join(folder, 'actions.json'),
      JSON.stringify({
        tickers: { AAPL: { splits: { '2024-01-03': 4 }, dividends: { '2024-01-04': 0.5 } } },
      }),
    );
    const { service, ask } = start();
    await service.ready;
    const closes = async (as_of: string | null) =>
      (await ask(market.RecentCloses, { as_of, count: 5 })).closes['AAPL'];
    expect(await closes('2024-01-02')).toEqual([400]);
    expect(await closes('2024-01-03')).toEqual([100, 100]);
    expect(await closes(null)).toEqual([100, 100, 102]);
    expect(await ask(market.LatestPrice, asOf('2024-01-02'))).toMatchObject({ close: 400, adj_close: 400 });
    expect((await ask(market.CorporateActions, asOf('2024-01-02'))).actions).toEqual({
      splits: {},
      dividends: {},
    });
    const { bars } = await ask(market.Prices, { ...asOf('2024-01-03'), limit: 9, before: null });
    expect(bars.map(({ date, close, volume }) => [date, close, volume])).toEqual([
      ['2024-01-02', 100, 400],
      ['2024-01-03', 100, 100],
    ]);
    const earlier = await ask(market.Prices, { ...asOf(null), limit: 1, before: '2024-01-04' });
    expect(earlier.bars.map(({ date }) => date)).toEqual(['2024-01-03']);
    await expect(ask(market.LatestPrice, asOf('2024-01-01'))).rejects.toThrow(code('MARKET_DATA_MISSING'));
    await expect(ask(market.LatestPrice, { ticker: 'MSFT', as_of: null })).rejects.toThrow(
      code('UNKNOWN_TICKER'),
    );
    expect(await closes('2024-01-01')).toBeUndefined();
  });

  it('tells the faults of one ticker and serves the others', async () => {
    table('AAPL', 400, 100);
    writeFileSync(join(folder, 'BAD.csv'), 'date,open,high,low,close,volume\n2024-01-02,1,1,1,x,1\n');
    const { service, ask } = start();
    await service.ready;
    expect(await ask(market.Pipeline, {})).toMatchObject({
      status: 'ready',
      tickers_loaded: 1,
      failed: [{ ticker: 'BAD', faults: ['BAD.csv:2: close "x" is not a number'] }],
    });
    expect(await ask(market.Tickers, {})).toMatchObject({ initial: ['AAPL'] });
    expect(await recorded()).toContain('TickerUpdateFailed BAD');
  });

  it('updates when told to: only what differs counts, and what is gone is gone', async () => {
    table('AAPL', 400, 100, 102);
    const { service, ask } = start();
    await service.ready;
    table('AAPL', 400, 101);
    const [started, again] = await Promise.all([
      ask(market.UpdateMarket, {}, 'call-1'),
      ask(market.UpdateMarket, {}, 'call-1'),
    ]);
    expect(again).toEqual(started);
    await expect(ask(market.UpdateMarket, {}, 'call-1')).resolves.toEqual(started);
    await untilReady(ask);
    let last: unknown;
    for await (const event of store.readStream(`market-${started.update_id}`)) {
      if (event.type === 'TickerUpdated') last = event.data;
    }
    expect(last).toMatchObject({ ticker: 'AAPL', bars: 1, first: '2024-01-02', last: '2024-01-03' });
    expect(await ask(market.Sessions, { after: '2024-01-02', limit: 9 })).toMatchObject({
      sessions: [{ date: '2024-01-03', bars: { AAPL: { close: 101 } } }],
    });
  });

  it('keeps what was read of a table that is removed, lists its ticker no more, and says so', async () => {
    table('AAPL', 400, 100);
    table('GONE', 7);
    const { service, ask } = start();
    await service.ready;
    expect(await ask(market.Pipeline, {})).toMatchObject({ tickers_loaded: 2 });
    rmSync(join(folder, 'GONE.csv'));
    await ask(market.UpdateMarket, {});
    await untilReady(ask);
    expect(await ask(market.Tickers, {})).toMatchObject({ initial: ['AAPL'] });
    expect(await ask(market.LatestPrice, { ticker: 'GONE', as_of: null })).toMatchObject({ close: 7 });
    const { tickers_loaded, notes } = await ask(market.Pipeline, {});
    expect(tickers_loaded).toBe(1);
    expect(notes.filter((note) => note.includes('GONE'))).toEqual([
      expect.stringMatching(/^GONE: it is no longer in the market data/),
    ]);
  });

  it('keeps what was read of a table that is damaged since, with its fault, and says so', async () => {
    table('AAPL', 400, 100);
    table('HURT', 7);
    const { service, ask } = start();
    await service.ready;
    writeFileSync(join(folder, 'HURT.csv'), 'no table');
    await ask(market.UpdateMarket, {});
    await untilReady(ask);
    expect(await ask(market.Tickers, {})).toMatchObject({ initial: ['AAPL', 'HURT'] });
    expect(await ask(market.LatestPrice, { ticker: 'HURT', as_of: null })).toMatchObject({ close: 7 });
    const { failed, notes } = await ask(market.Pipeline, {});
    expect(failed).toMatchObject([{ ticker: 'HURT', faults: [expect.stringContaining('HURT.csv')] }]);
    expect(notes).toContainEqual(expect.stringMatching(/^HURT: .*What was read of it before stays/));
  });

  it('turns away a second update while one runs', async () => {
    table('AAPL', 400);
    const gate = Promise.withResolvers<void>();
    const open: typeof openSource = (settings, now) => {
      const opened = openSource(settings, now);
      const fetch: BarSource['fetch'] = async (...request) => {
        await gate.promise;
        return opened.source.fetch(...request);
      };
      return { ...opened, source: { ...opened.source, fetch } };
    };
    const { service, ask } = start(settingsOf(), { open });
    await expect.poll(async () => (await ask(market.Pipeline, {})).status, PATIENT).toBe('loading');
    await expect(ask(market.UpdateMarket, {})).rejects.toThrow(code('UPDATE_RUNNING'));
    expect(await ask(market.Sessions, { after: null, limit: 1 })).toEqual({ sessions: [], warm_up: null });
    // The error is not that of an unknown ticker, because its bars may come with the next update.
    await expect(ask(market.LatestPrice, asOf(null))).rejects.toThrow(code('SERVICE_UNAVAILABLE'));
    gate.resolve();
    await service.ready;
    expect(await recorded()).toEqual(['MarketUpdateStarted', 'TickerUpdated AAPL', 'MarketUpdateFinished']);
  });

  it('does nothing at a second start, unless the folder has changed, and drops another source’s bars', async () => {
    table('AAPL', 400, 100);
    const first = start();
    await first.service.ready;
    await first.service.leave();
    const before = await recorded();
    const second = start();
    await second.service.ready;
    await second.service.leave();
    expect(await recorded()).toEqual(before);

    table('MSFT', 20);
    const third = start();
    await expect
      .poll(async () => (await third.ask(market.Tickers, {})).initial, PATIENT)
      .toEqual(['AAPL', 'MSFT']);
    await untilReady(third.ask);
    await third.service.leave();

    const demo = start(settingsOf({ source: { kind: 'demo' } }));
    await demo.service.ready;
    expect((await demo.ask(market.Tickers, {})).initial).not.toContain('AAPL');
  });

  it('says that the source is not there, and why', async () => {
    const { service, ask } = start(settingsOf({ source: { kind: 'csv', folder: join(folder, 'none') } }));
    await expect
      .poll(() => ask(market.Pipeline, {}), PATIENT)
      .toMatchObject({
        status: 'error',
        failed: [{ ticker: '*', faults: ['the folder of TD_SOURCE cannot be read'] }],
      });
    await expect(ask(market.UpdateMarket, {})).rejects.toThrow(code('SERVICE_UNAVAILABLE'));
    expect(await ask(market.Tickers, {})).toEqual({ initial: [], index: '', count: 0 });
    // Once the file is there, a command to update is enough.
    mkdirSync(join(folder, 'none'));
    table('none/AAPL', 10);
    await ask(market.UpdateMarket, {});
    await service.ready;
    expect(await ask(market.Pipeline, {})).toMatchObject({ status: 'ready', failed: [] });
  });

  it('updates once when told to, also where nothing can be loaded', async () => {
    writeFileSync(join(folder, 'BAD.csv'), 'nothing');
    const { ask } = start();
    const status = async () => (await ask(market.Pipeline, {})).status;
    await expect.poll(status, PATIENT).toBe('error');
    await ask(market.UpdateMarket, {});
    await expect.poll(status, PATIENT).toBe('error');
    // Gives another update time to begin.
    for (let n = 0; n < 5; n++) await status();
    expect((await recorded()).filter((event) => event === 'MarketUpdateStarted')).toHaveLength(2);
  });

  it('shows what is stored while the source is away', async () => {
    mkdirSync(join(folder, 'tables'));
    table('tables/AAPL', 10, 11);
    const settings = settingsOf({ source: { kind: 'csv', folder: join(folder, 'tables') } });
    const first = start(settings);
    await first.service.ready;
    await first.service.leave();
    rmSync(join(folder, 'tables'), { recursive: true });
    const { service, ask } = start(settings);
    await service.ready;
    expect(await ask(market.LatestPrice, { ticker: 'AAPL', as_of: null })).toMatchObject({ close: 11 });
    await expect.poll(async () => (await ask(market.Pipeline, {})).status, PATIENT).toBe('stale');
  });

  it('goes on with an update that gets on record after its caller was told that it has not begun', async () => {
    // given
    table('AAPL', 10);
    const { service, ask } = start();
    await service.ready;
    await untilReady(ask);
    const before = await recorded();
    // when
    store.mode = 'down';
    await expect(ask(market.UpdateMarket, {})).rejects.toThrow(code('STORE_UNAVAILABLE'));
    store.mode = 'up';
    // then
    await expect
      .poll(async () => (await recorded()).slice(before.length), PATIENT)
      .toEqual(['MarketUpdateStarted', 'TickerUpdated AAPL', 'MarketUpdateFinished']);
  });

  it('refuses an update that cannot be recorded', async () => {
    table('AAPL', 10);
    const { service, ask } = start();
    await service.ready;
    store.mode = 'down';
    await expect(ask(market.UpdateMarket, {})).rejects.toThrow(code('STORE_UNAVAILABLE'));
    expect((await ask(market.Pipeline, {})).status).toBe('ready');
    store.mode = 'up';
    // The start is on record once that is known: the update is resumed, and the next one follows it.
    await expect
      .poll(() => ask(market.UpdateMarket, {}).catch(({ code: refusal }: BelegError) => refusal), PATIENT)
      .toMatchObject({ status: 'started' });
    await untilReady(ask);
  });

  it('takes the tickers that are named, and says which are not there', async () => {
    for (const ticker of ['AAPL', 'MSFT', 'SPY', '^GSPC']) table(ticker, 10, 11);
    const { service, ask } = start(settingsOf({ tickers: ['MSFT', 'NONE'], index: '^GSPC' }));
    await service.ready;
    expect(await ask(market.Tickers, {})).toEqual({ initial: ['MSFT'], index: '^GSPC', count: 1 });
    expect((await ask(market.Pipeline, {})).failed).toEqual([
      { ticker: 'NONE', faults: ['NONE.csv: the file does not exist'] },
    ]);
    // An index cannot be traded, so it has no session.
    const { sessions } = await ask(market.Sessions, { after: null, limit: 1 });
    expect(Object.keys(sessions[0]!.bars)).toEqual(['MSFT']);
    expect(await ask(market.LatestPrice, { ticker: '^GSPC', as_of: null })).toMatchObject({ close: 11 });
  });

  it('generates on where the market has no end', async () => {
    const { service, ask } = start(settingsOf({ source: { kind: 'demo' } }));
    await service.ready;
    const end = (await ask(market.Pipeline, {})).last!;
    const first = await ask(market.Sessions, { after: null, limit: 5 });
    expect(first.sessions).toHaveLength(5);
    expect(first.warm_up! < first.sessions[0]!.date).toBe(true);
    const [further, again] = await Promise.all([
      ask(market.Sessions, { after: end, limit: 30 }),
      ask(market.Sessions, { after: end, limit: 30 }),
    ]);
    expect(further.sessions).toHaveLength(30);
    expect(again).toEqual(further);
    const { index } = await ask(market.Tickers, {});
    expect(Object.keys(further.sessions[0]!.bars)).not.toContain(index);
    const date = further.sessions[7]!.date;
    expect(await ask(market.SessionOn, { date })).toEqual({ session: further.sessions[7] });
    expect((await ask(market.Pipeline, {})).last).toBe(further.sessions[29]!.date);
  });
});

describe('a source that goes on by itself', () => {
  it('is asked for what is new from time to time, and the feed gets the days on which all is there', async () => {
    const asked: (string | null)[] = [];
    let today = 3;
    const source: BarSource = {
      name: 'live',
      synthetic: false,
      index: null,
      feedStart: 'end',
      tickers: () => Promise.resolve(['A']),
      fetch: (_, since) => {
        asked.push(since);
        const bars = Array.from({ length: today }, (__, at) => {
          const date = `2024-01-0${at + 1}`;
          return { date, open: 1, high: 1, low: 1, close: at + 1, volume: 1 };
        });
        const convention = { bars: 'as-traded', dividends: 'as-traded' } as const;
        const wanted = bars.filter(({ date }) => since === null || date >= since);
        return Promise.resolve({ bars: wanted, splits: [], dividends: [], convention });
      },
    };
    const open: typeof openSource = () => ({ source, key: 'live', polled: true });
    let now = Date.UTC(2024, 0, 4);
    const { service, ask } = start(settingsOf({ pollMinutes: 0.000_1 }), {
      open,
      now: () => new Date((now += 1_000)),
    });
    await service.ready;
    const first = await ask(market.Sessions, { after: null, limit: 5 });
    expect(first).toEqual({ sessions: [], warm_up: '2024-01-03' });
    today = 4;
    await expect
      .poll(async () => (await ask(market.Sessions, { after: first.warm_up, limit: 5 })).sessions, PATIENT)
      .toMatchObject([{ date: '2024-01-04', bars: { A: { close: 4 } } }]);
    expect(asked.slice(0, 2)).toEqual([null, '2024-01-03']);
  });
});

async function untilReady(ask: ReturnType<typeof start>['ask']): Promise<void> {
  await expect.poll(async () => (await ask(market.Pipeline, {})).status, PATIENT).toBe('ready');
}

/** A store that fails from an append on, like a killed process; `written` says whether that append is on record. */
function breakingAt(append: number, written: boolean): { events: EventStore; broken: Promise<void> } {
  const broken = Promise.withResolvers<void>();
  let appends = 0;
  const events: EventStore = {
    append: async (stream, revision, drafts) => {
      appends++;
      if (appends < append) return store.append(stream, revision, drafts);
      if (appends === append && written) await store.append(stream, revision, drafts);
      broken.resolve();
      throw new BelegError('STORE_UNAVAILABLE');
    },
    readStream: (stream, options) => store.readStream(stream, options),
    readAll: (options) => store.readAll(options),
    end: () => store.end(),
    subscribe: (options) => store.subscribe(options),
    ping: () => store.ping(),
    close: () => Promise.resolve(),
  };
  return { events, broken: broken.promise };
}

describe('a crash during an update', () => {
  const DONE = [
    'MarketUpdateStarted',
    'TickerUpdated A',
    'TickerUpdated B',
    'TickerUpdateFailed BAD',
    'TickerUpdated C',
    'MarketUpdateFinished',
  ];
  const crashes = [1, 2, 3, 4, 5].flatMap((append) => [
    { append, written: false },
    { append, written: true },
  ]);

  it.each(crashes)('at append $append, written: $written, is gone on from', async ({ append, written }) => {
    for (const ticker of ['A', 'B', 'C']) table(ticker, 10, 11, 12);
    writeFileSync(join(folder, 'BAD.csv'), 'nonsense');
    const { events, broken } = breakingAt(append, written);
    const { service } = start(settingsOf(), { events });
    await broken;
    await service.leave();

    const next = start();
    await next.service.ready;
    await untilReady(next.ask);
    const types = await recorded();
    expect(types.slice(0, DONE.length)).toEqual(DONE);
    expect(await next.ask(market.Pipeline, {})).toMatchObject({ bars: 9, tickers_loaded: 3 });
    const counts: number[] = [];
    for await (const { type, data } of store.readAll({ limit: 6 })) {
      if (type === 'TickerUpdated') counts.push((data as { bars: number }).bars);
    }
    expect(counts, 'what the update did, not what was left to do').toEqual([3, 3, 3]);
  });

  it('is not over for whoever was overtaken in it without hearing of it: that one reads again', async () => {
    // given
    for (const ticker of ['A', 'B']) table(ticker, 10, 11, 12);
    let isOvertaken = false;
    const events = Object.assign(new FaultyStore(store), {
      append: async (...[stream, revision, drafts]: Parameters<EventStore['append']>) => {
        if (isOvertaken || drafts[0]!.type !== 'TickerUpdated') return store.append(stream, revision, drafts);
        isOvertaken = true;
        await store.append(stream, revision, [{ ...drafts[0]!, id: randomUUID() }]);
        throw new BelegError('STORE_UNAVAILABLE');
      },
    });
    // when
    start(settingsOf(), { events });
    // then
    const done = ['MarketUpdateStarted', 'TickerUpdated A', 'TickerUpdated B', 'MarketUpdateFinished'];
    await expect.poll(async () => (await recorded()).slice(0, done.length), PATIENT).toEqual(done);
  });

  it('is gone on from before another one begins, also where the record is away when that is asked for', async () => {
    // given
    for (const ticker of ['A', 'B', 'C']) table(ticker, 10, 11, 12);
    writeFileSync(join(folder, 'BAD.csv'), 'nonsense');
    const { events, broken } = breakingAt(2, false);
    const { service } = start(settingsOf(), { events });
    await broken;
    await service.leave();
    // when
    store.mode = 'down';
    const { ask } = start();
    await expect(ask(market.UpdateMarket, {})).rejects.toThrow(code('STORE_UNAVAILABLE'));
    store.mode = 'up';
    await expect
      .poll(() => ask(market.UpdateMarket, {}).catch(({ code: refusal }: BelegError) => refusal), PATIENT)
      .toMatchObject({ status: 'started' });
    // then
    expect((await recorded()).slice(0, DONE.length)).toEqual(DONE);
  });
});
