import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createCodec, defineEvent, type Codec } from '../define.ts';
import { BelegError } from '../errors.ts';
import { Followers } from '../store/followers-behind.ts';
import { openEmbeddedStore } from '../store/embedded/embedded.ts';
import { NO_STREAM, type CatchUpSubscription, type EventStore, type Position } from '../store/store.ts';
import { temporaryFolder } from '../temporary-folder.suite.ts';
import { openSqliteVault } from '../vault/sqlite.ts';
import type { Vault } from '../vault/vault.ts';
import {
  ProjectionError,
  type Projection,
  type ProjectionOptions,
  type ProjectionStatus,
} from './projection.ts';
import { startProjection, type ProjectionRunner } from './runner.ts';
import { PATIENT } from '../patient.suite.ts';

const Deposited = defineEvent(
  'test',
  'Deposited',
  { account: z.string(), amount: z.int(), note: z.string() },
  { freeText: ['note'] },
);
const Audited = defineEvent('test', 'Audited', { by: z.string() });

const balances: Projection = {
  name: 'balances',
  version: 1,
  tables: `
    CREATE TABLE balances (account TEXT PRIMARY KEY, total INTEGER NOT NULL, last_note TEXT) STRICT;
    CREATE TABLE entries (id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, amount INTEGER NOT NULL);
    CREATE INDEX entries_account ON entries (account);
    CREATE VIEW rich AS SELECT account FROM balances WHERE total > 100;
  `,
  types: ['Deposited'],
  apply(rows, event) {
    const { account, amount, note } = event.data as { account: string; amount: number; note: string | null };
    rows.run(
      `INSERT INTO balances VALUES (?, ?, ?)
       ON CONFLICT (account) DO UPDATE SET total = total + excluded.total, last_note = excluded.last_note`,
      account,
      amount,
      note,
    );
    rows.run('INSERT INTO entries (account, amount) VALUES (?, ?)', account, amount);
  },
};

/** Resolves when the runner says that it is there. */
function stateReached(wanted: ProjectionStatus['state']) {
  const { promise, resolve } = Promise.withResolvers<ProjectionStatus>();
  return { reached: promise, onState: (s: ProjectionStatus) => s.state === wanted && resolve(s) };
}

describe('Projection runner', () => {
  let folder: string;
  let file: string;
  let store: EventStore;
  let vault: Vault;
  let codec: Codec;
  let count: number;
  const running: ProjectionRunner[] = [];

  beforeEach(async () => {
    folder = temporaryFolder();
    file = join(folder, 'audit.db');
    store = await openEmbeddedStore({ file: join(folder, 'events.db') });
    vault = await openSqliteVault({ file: join(folder, 'vault.db') });
    codec = createCodec([Deposited, Audited], vault);
    count = 0;
  });

  afterEach(async () => {
    for (const runner of running.splice(0)) await runner.stop();
    await store.close();
    await vault.close();
  });

  function start(options: Partial<ProjectionOptions> = {}): ProjectionRunner {
    const runner = startProjection({ store, codec, projection: balances, file, retryAfterMs: 1, ...options });
    running.push(runner);
    return runner;
  }

  async function deposit(account: string, ...amounts: number[]): Promise<Position> {
    const stream = `account-${account}-${count++}`;
    const events = await Promise.all(
      amounts.map((amount, ordinal) =>
        codec.encode(
          Deposited.create(
            { account, amount, note: `note ${amount}` },
            {
              stream,
              at: '2022-03-01T00:00:00Z',
              correlationId: 'r',
              causationId: stream,
              ordinal,
              key: account,
            },
          ),
        ),
      ),
    );
    return (await store.append(stream, NO_STREAM, events)).position;
  }

  async function audit(by: string): Promise<Position> {
    const stream = `audit-${count++}`;
    const cause = {
      stream,
      at: '2022-03-01T00:00:00Z',
      correlationId: 'r',
      causationId: stream,
      key: 'none',
    };
    return (await store.append(stream, NO_STREAM, [await codec.encode(Audited.create({ by }, cause))]))
      .position;
  }

  /** As a customer looks into the file, while the service runs. */
  function look(sql: string, of = file): Record<string, unknown>[] {
    using db = new DatabaseSync(of, { readOnly: true, timeout: 2000 });
    return db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  }

  const content = (of = file): unknown => [
    look('SELECT * FROM balances ORDER BY account', of),
    look('SELECT * FROM entries ORDER BY id', of),
  ];

  it('projects history, then lets a caller read its own write', async () => {
    await deposit('anna', 5, 7);
    const runner = start();
    await runner.waitFor(await deposit('anna', 100), PATIENT);
    expect(look('SELECT * FROM balances')).toEqual([{ account: 'anna', total: 112, last_note: 'note 100' }]);
    expect(look('SELECT * FROM rich')).toEqual([{ account: 'anna' }]);
  });

  it('goes on from its place after a restart, each event once', async () => {
    const first = start();
    await first.waitFor(await deposit('anna', 1), PATIENT);
    await first.stop();
    const position = await deposit('anna', 2);
    const second = start();
    await second.waitFor(position, PATIENT);
    expect(look('SELECT amount FROM entries ORDER BY id')).toEqual([{ amount: 1 }, { amount: 2 }]);
  });

  it('sees free text as null once its key is erased', async () => {
    const position = await deposit('anna', 1);
    await vault.erase('anna');
    const runner = start();
    await runner.waitFor(position, PATIENT);
    expect(look('SELECT last_note FROM balances')).toEqual([{ last_note: null }]);
  });

  it('moves its place over history of other types', async () => {
    await deposit('anna', 1);
    let last: Position | undefined;
    for (let i = 0; i < 20; i++) last = await audit('eve');
    const { reached, onState } = stateReached('live');
    const runner = start({ onState });
    await reached;
    expect(runner.status()).toMatchObject({ position: last });
    await runner.waitFor(last!, PATIENT);
  });

  it('stops visibly at an event that it cannot apply, with all before it and nothing after', async () => {
    const good = await deposit('anna', 1, 2, 3);
    await deposit('anna', 666);
    const after = await deposit('anna', 4);
    const { reached, onState } = stateReached('failed');
    const broken: Projection = {
      ...balances,
      apply(rows, event, place) {
        balances.apply(rows, event, place);
        if ((event.data as { amount: number }).amount === 666) throw new Error('number of the beast');
      },
    };
    const runner = start({ projection: broken, onState });
    const status = await reached;
    expect(status).toMatchObject({ state: 'failed', position: good });
    expect(status.error).toBeInstanceOf(ProjectionError);
    expect((status.error as Error).message).toContain('cannot project Deposited');
    expect(look('SELECT sum(amount) AS total FROM entries')).toEqual([{ total: 6 }]);
    await expect(runner.waitFor(after, PATIENT)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await runner.waitFor(good, PATIENT);
    await expect(runner.rebuild()).rejects.toBeInstanceOf(ProjectionError);
  });

  it('sets such an event aside where the projection allows it, goes on, and tries it again at a rebuild', async () => {
    await deposit('anna', 1, 666, 2);
    let isBroken = true;
    const lenient: Projection = {
      ...balances,
      setsAside: (type) => type === 'Deposited',
      apply(rows, event, place) {
        balances.apply(rows, event, place);
        if (isBroken && (event.data as { amount: number }).amount > 600)
          throw new Error('number of the beast');
      },
    };
    const told: string[] = [];
    const runner = start({ projection: lenient, onSetAside: ({ event }) => told.push(event.stream) });
    await runner.waitFor(await deposit('anna', 667, 4), PATIENT);
    expect(look('SELECT sum(amount) AS total FROM entries')).toEqual([{ total: 7 }]);
    expect(runner.status()).toMatchObject({ setAside: 2 });
    expect(told).toEqual(['account-anna-0', 'account-anna-1']);
    await runner.stop();
    const again = start({ projection: lenient });
    expect(again.status()).toMatchObject({ setAside: 2 });
    isBroken = false;
    await again.rebuild();
    expect(again.status()).toMatchObject({ setAside: 0 });
    expect(look('SELECT sum(amount) AS total FROM entries')).toEqual([{ total: 1340 }]);
  });

  it('goes past text that does not open, as past erased text', async () => {
    await deposit('anna', 1);
    const sealed = await vault.seal('anna', '"x"', 'elsewhere');
    const { position } = await store.append('account-forged', NO_STREAM, [
      {
        id: '00000000-0000-8000-8000-000000000001',
        type: 'Deposited',
        data: { account: 'anna', amount: 2, note: { $sealed: sealed.$sealed } },
        metadata: {
          at: '2022-03-01T00:00:00Z',
          version: 1,
          $correlationId: 'r',
          $causationId: 'c',
          key: 'anna',
        },
      },
    ]);
    await start().waitFor(position, PATIENT);
    expect(look('SELECT total, last_note FROM balances')).toEqual([{ total: 3, last_note: null }]);
  });

  it('waits where the store is away, and goes on by itself', async () => {
    const position = await deposit('anna', 1);
    let faults = 2;
    const flaky: EventStore = Object.create(store, {
      subscribe: {
        value: (options: object) => {
          if (faults-- > 0) throw new BelegError('STORE_UNAVAILABLE');
          return store.subscribe(options);
        },
      },
    }) as EventStore;
    const { reached, onState } = stateReached('waiting');
    const runner = start({ store: flaky, onState });
    expect((await reached).error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await runner.waitFor(position, PATIENT);
    expect(runner.status().error).toBeUndefined();
  });

  it('counts an event once whose subscription breaks before the turn that brought it is over', async () => {
    const position = await deposit('anna', 1);
    let breaks = 2;
    const flaky: EventStore = Object.create(store, {
      subscribe: {
        value: (options: object): CatchUpSubscription => {
          const whole = store.subscribe(options);
          return {
            async *[Symbol.asyncIterator]() {
              for await (const item of whole) {
                yield item;
                if (item.kind === 'event' && breaks-- > 0) throw new BelegError('STORE_UNAVAILABLE');
              }
            },
            close: () => whole.close(),
          };
        },
      },
    }) as EventStore;
    await start({ store: flaky }).waitFor(position, PATIENT);
    expect(breaks).toBeLessThan(1);
    expect(look('SELECT account, amount FROM entries')).toEqual([{ account: 'anna', amount: 1 }]);
  });

  it('waits where somebody writes to its file, and is not disturbed by those who read it', async () => {
    const { reached, onState } = stateReached('waiting');
    const runner = start({ onState });
    await runner.waitFor(await deposit('anna', 1), PATIENT);
    const customer = new DatabaseSync(file);
    customer.exec('BEGIN');
    expect(customer.prepare('SELECT count(*) AS n FROM entries').get()).toMatchObject({ n: 1 });
    await runner.waitFor(await deposit('anna', 2), PATIENT);
    await runner.rebuild();
    expect(customer.prepare('SELECT count(*) AS n FROM entries').get()).toMatchObject({ n: 1 });
    customer.exec('COMMIT; BEGIN IMMEDIATE');
    const position = await deposit('anna', 3);
    expect((await reached).error).toMatchObject({ errcode: 5 });
    customer.exec('COMMIT');
    customer.close();
    await runner.waitFor(position, PATIENT);
    expect(look('SELECT count(*) AS n FROM entries')).toEqual([{ n: 3 }]);
  });

  it('keeps the old tables readable while a new version is built, then swaps', async () => {
    const old = start();
    await old.waitFor(await deposit('anna', 1, 2), PATIENT);
    await old.stop();
    const position = await deposit('berta', 3);

    const seen: unknown[] = [];
    const doubled: Projection = {
      name: 'balances',
      version: 2,
      tables: 'CREATE TABLE balances (account TEXT PRIMARY KEY, cents INTEGER NOT NULL)',
      apply(rows, event) {
        seen.push(look('SELECT * FROM balances'));
        const { account, amount } = event.data as { account: string; amount: number };
        rows.run(
          'INSERT INTO balances VALUES (?, ?) ON CONFLICT DO UPDATE SET cents = cents + excluded.cents',
          account,
          amount * 100,
        );
      },
    };
    const runner = start({ projection: doubled });
    await runner.waitFor(position, PATIENT);
    expect(seen).toHaveLength(3);
    for (const rows of seen) expect(rows).toEqual([{ account: 'anna', total: 3, last_note: 'note 2' }]);
    expect(look('SELECT * FROM balances ORDER BY account')).toEqual([
      { account: 'anna', cents: 300 },
      { account: 'berta', cents: 300 },
    ]);
    expect(look("SELECT name FROM sqlite_schema WHERE name IN ('entries', 'rich')")).toEqual([]);
    await runner.waitFor(await deposit('anna', 1), PATIENT);
    expect(look("SELECT cents FROM balances WHERE account = 'anna'")).toEqual([{ cents: 400 }]);
    expect(readdirSync(folder).filter((name) => name.includes('rebuild'))).toEqual([]);
  });

  it('rebuilds to the same rows while events keep coming', async () => {
    const amounts = fc.array(
      fc.tuple(fc.constantFrom('anna', 'berta', 'cem'), fc.integer({ min: 1, max: 9 })),
      {
        minLength: 1,
        maxLength: 30,
      },
    );
    const runner = start();
    await fc.assert(
      fc.asyncProperty(amounts, async (deposits) => {
        const before = runner.rebuild();
        const appended = await Promise.all(deposits.map(([account, amount]) => deposit(account, amount)));
        const last = appended.sort().at(-1)!;
        await Promise.all([before, runner.rebuild()]);
        await runner.waitFor(last, PATIENT);
        const live = content();
        await runner.rebuild();
        expect(content()).toEqual(live);
        expect(look('SELECT count(*) AS n FROM entries')).toEqual([{ n: count }]);
      }),
      { numRuns: 8 },
    );
  });

  it('keeps the old rows, and leaves nothing behind, where a rebuild is broken off', async () => {
    const first = start();
    await first.waitFor(await deposit('anna', 1, 2), PATIENT);
    const before = content();
    const rebuilding = first.rebuild();
    await Promise.all([
      expect(rebuilding).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }),
      first.stop(),
    ]);
    expect(content()).toEqual(before);
    writeFileSync(`${file}.balances.rebuild`, 'what a killed process left');
    const second = start();
    expect(readdirSync(folder).filter((name) => name.includes('rebuild'))).toEqual([]);
    await second.waitFor(await deposit('anna', 3), PATIENT);
    await second.rebuild();
    expect(look('SELECT total FROM balances')).toEqual([{ total: 6 }]);
  });

  it('writes nothing while it is held, after the rebuild before and before the one after, then goes on', async () => {
    const runner = start();
    await runner.waitFor(await deposit('anna', 1), PATIENT);
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const done: string[] = [];
    const first = runner.rebuild().then(() => done.push('first rebuild'));
    const holding = runner.hold(async () => {
      done.push('hold');
      held.resolve();
      await release.promise;
      return 'result';
    });
    await held.promise;
    const second = runner.rebuild().then(() => done.push('second rebuild'));
    const position = await deposit('anna', 2);
    expect(runner.status().position < position).toBe(true);
    release.resolve();
    expect(await holding).toBe('result');
    await Promise.all([first, second]);
    await runner.waitFor(position, PATIENT);
    expect(done).toEqual(['first rebuild', 'hold', 'second rebuild']);
    await expect(runner.hold(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await runner.waitFor(await deposit('anna', 3), PATIENT);
    await runner.stop();
    await expect(runner.hold(async () => 'late')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('can be healed by a rebuild after it has failed', async () => {
    await deposit('anna', 1);
    let broken = true;
    const fragile: Projection = {
      ...balances,
      apply(rows, event, place) {
        if (broken) throw new Error('a fault in the code');
        balances.apply(rows, event, place);
      },
    };
    const { reached, onState } = stateReached('failed');
    const runner = start({ projection: fragile, onState });
    await reached;
    broken = false;
    await runner.rebuild();
    await runner.waitFor(await deposit('anna', 2), PATIENT);
    expect(look('SELECT total FROM balances')).toEqual([{ total: 3 }]);
    expect(runner.status().error).toBeUndefined();
  });

  it.each([
    ['the start as 24.x of EventStoreDB names it', '18446744073709551615-18446744073709551615'],
    ['beyond the end', '1000000000000000'],
  ])('builds the tables anew where they keep a place that the record does not have: %s', async (_, place) => {
    const first = start();
    await first.waitFor(await deposit('anna', 1), PATIENT);
    await first.stop();
    const tables = new DatabaseSync(file);
    tables.prepare('UPDATE projections SET position = ?').run(place);
    tables.exec("INSERT INTO balances VALUES ('ghost', 1, '')");
    tables.close();
    const lost: Position[] = [];
    const runner = start({ onLostPlace: (at) => lost.push(at) });
    await runner.waitFor(await deposit('anna', 2), PATIENT);
    expect(look('SELECT account, total FROM balances')).toEqual([{ account: 'anna', total: 3 }]);
    expect(lost).toEqual([place]);
    expect(runner.status().position < '1').toBe(true);
  });

  it('empties tables of a record that is there no more', async () => {
    const first = start();
    await first.waitFor(await deposit('anna', 1), PATIENT);
    await first.stop();
    const empty = await openEmbeddedStore({ file: join(folder, 'other.db') });
    const { reached, onState } = stateReached('live');
    start({ store: empty, onState });
    await reached;
    expect(look('SELECT * FROM balances')).toEqual([]);
    await running.pop()!.stop();
    await empty.close();
  });

  it('is built anew when it hears that the record was replaced by an older one', async () => {
    const runner = start();
    await runner.waitFor(await deposit('anna', 1, 2), PATIENT);
    await runner.stop();
    const older = await openEmbeddedStore({ file: join(folder, 'older.db') });
    let record = store;
    const replaced: EventStore = {
      ...older,
      end: () => record.end(),
      readAll: (options) => record.readAll(options),
      subscribe: (options) => record.subscribe(options),
    };
    const lost = Promise.withResolvers<void>();
    const again = start({ store: replaced, onLostPlace: () => lost.resolve() });
    await deposit('berta', 3);
    await again.waitFor((await store.end())!, PATIENT);
    record = older;
    again.follower().onLostPlace!();
    await lost.promise;
    await again.rebuild();
    expect(look('SELECT * FROM entries')).toEqual([]);
    await again.stop();
    await older.close();
  });

  it.each(['at its start', 'while it runs', 'after it failed at an event of the other one'])(
    'builds the tables anew where another record has taken the place of theirs and has come further: %s',
    async (when) => {
      const failing: Projection = {
        ...balances,
        apply(rows, event, place) {
          if ((event.data as { amount: number }).amount === 13) throw new Error('it makes no sense here');
          balances.apply(rows, event, place);
        },
      };
      const first = start({ projection: failing });
      const followers = new Followers({ store, clock: () => 0, now: Date.now });
      followers.add(first.follower());
      await first.waitFor(await deposit('anna', 1), PATIENT);
      await followers.look();
      await first.stop();

      const ours = store;
      let record = (store = await openEmbeddedStore({ file: join(folder, 'other.db') }));
      await deposit('berta', 5);
      const end = await deposit('berta', 6, 7);
      const other = store;
      if (when !== 'at its start') record = ours;
      const swapped: EventStore = {
        ...other,
        end: () => record.end(),
        readAll: (options) => record.readAll(options),
        readStream: (stream, options) => record.readStream(stream, options),
        subscribe: (options) => record.subscribe(options),
      };
      const { reached, onState } = stateReached(when.includes('failed') ? 'failed' : 'live');
      const lost = Promise.withResolvers<Position>();
      const runner = start({
        store: swapped,
        projection: failing,
        onState,
        onLostPlace: (place) => lost.resolve(place),
      });
      if (when !== 'at its start') {
        if (when.includes('failed')) {
          store = ours;
          await deposit('anna', 13);
        }
        await reached;
        record = other;
        const again = new Followers({ store: swapped, clock: () => 0, now: Date.now });
        again.add(runner.follower());
        await again.look();
      }
      await lost.promise;
      await runner.waitFor(end, PATIENT);
      expect(look('SELECT account, total FROM balances')).toEqual([{ account: 'berta', total: 18 }]);
      await runner.stop();
      await other.close();
      store = ours;
    },
  );

  it('lets two projections share one file', async () => {
    const counter: Projection = {
      name: 'audits',
      version: 1,
      tables: 'CREATE TABLE audits (by TEXT)',
      types: ['Audited'],
      apply: (rows, event) => rows.run('INSERT INTO audits VALUES (?)', (event.data as { by: string }).by),
    };
    const first = start();
    const second = start({ projection: counter });
    const deposited = await deposit('anna', 1);
    const audited = await audit('eve');
    await Promise.all([first.waitFor(deposited, PATIENT), second.waitFor(audited, PATIENT)]);
    await Promise.all([first.rebuild(), second.rebuild()]);
    expect(look('SELECT * FROM audits')).toEqual([{ by: 'eve' }]);
    expect(look('SELECT total FROM balances')).toEqual([{ total: 1 }]);
  });

  it('goes on where another process was that still wrote to its file, and doubles no row', async () => {
    const told: ProjectionStatus[] = [];
    const runner = start({ onState: (status) => told.push(status) });
    await runner.waitFor(await deposit('anna', 1), PATIENT);
    await runner.hold(async () => {
      const other = start();
      await other.waitFor(await deposit('anna', 2, 3), PATIENT);
      await other.stop();
    });
    await runner.waitFor(await deposit('anna', 4), PATIENT);
    expect(told).toContainEqual(
      expect.objectContaining({
        state: 'waiting',
        error: expect.objectContaining({ message: 'another process is writing this file' }),
      }),
    );
    expect(look('SELECT amount FROM entries ORDER BY id').map(({ amount }) => amount)).toEqual([1, 2, 3, 4]);
  });

  it('takes a row that another process has written for no fault of its event', async () => {
    const strict: Projection = {
      ...balances,
      name: 'strict',
      tables: 'CREATE TABLE strict (amount INTEGER PRIMARY KEY) STRICT;',
      apply: (rows, event) =>
        rows.run('INSERT INTO strict VALUES (?)', (event.data as { amount: number }).amount),
      setsAside: () => false,
    };
    const runner = start({ projection: strict });
    await runner.waitFor(await deposit('anna', 1), PATIENT);
    await runner.hold(async () => {
      const other = start({ projection: strict });
      await other.waitFor(await deposit('anna', 2), PATIENT);
      await other.stop();
    });
    await runner.waitFor(await deposit('anna', 3), PATIENT);
    expect(look('SELECT amount FROM strict')).toEqual([{ amount: 1 }, { amount: 2 }, { amount: 3 }]);
  });

  const TAKEN: readonly [string, readonly string[]][] = [
    ['its log', ['-wal']],
    ['its file', ['']],
    ['all of it', ['', '-wal', '-shm']],
  ];

  it.each(TAKEN)('tells that %s was removed, and builds all anew', async (_, suffixes) => {
    const vanished = Promise.withResolvers<void>();
    const first = start({ onVanished: vanished.resolve });
    await first.waitFor(await deposit('anna', 1), PATIENT);
    for (const suffix of suffixes) rmSync(`${file}${suffix}`);
    await first.waitFor(await deposit('anna', 2), PATIENT);
    await vanished.promise;
    await first.stop();
    const second = start();
    await second.waitFor(await deposit('anna', 3), PATIENT);
    expect(look('SELECT account, total FROM balances')).toEqual([{ account: 'anna', total: 6 }]);
    expect(look('SELECT amount FROM entries ORDER BY id').map(({ amount }) => amount)).toEqual([1, 2, 3]);
  });

  it.each(['TABLE entries', 'VIEW rich'])(
    'tells that a tool has dropped the %s, and builds all anew at the next start',
    async (dropped) => {
      const vanished = Promise.withResolvers<void>();
      const first = start({ onVanished: vanished.resolve });
      await first.waitFor(await deposit('anna', 1), PATIENT);
      using db = new DatabaseSync(file);
      db.exec(`DROP ${dropped}`);
      await deposit('anna', 2);
      await vanished.promise;
      await first.stop();
      const second = start();
      await second.waitFor(await deposit('anna', 3), PATIENT);
      expect(look('SELECT amount FROM entries ORDER BY id').map(({ amount }) => amount)).toEqual([1, 2, 3]);
      expect(look('SELECT account FROM rich')).toEqual([]);
      expect(second.status().setAside).toBe(0);
    },
  );

  it.each(TAKEN)('ends a rebuild after %s was removed', async (_, suffixes) => {
    const runner = start();
    await runner.waitFor(await deposit('anna', 1), PATIENT);
    for (const suffix of suffixes) rmSync(`${file}${suffix}`);
    await expect(runner.rebuild()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      detail: 'the database file was removed or replaced',
    });
  });

  /** As a failing disk leaves it, from a place on. */
  const damage = (from: number): void => {
    const content = readFileSync(file);
    writeFileSync(
      file,
      Buffer.concat([content.subarray(0, from), Buffer.alloc(content.length - from, 0xa5)]),
    );
  };

  it.each([
    ['behind its first page', 4_096],
    ['from its beginning', 0],
  ])('builds all anew where its file is damaged %s before the start', async (_, from) => {
    const first = start();
    await first.waitFor(await deposit('anna', 1), PATIENT);
    await first.stop();
    damage(from);
    const faults: unknown[] = [];
    const vanished = Promise.withResolvers<void>();
    const options = { isOwnFile: true, onDamaged: (error: unknown) => void faults.push(error) };
    const second = start({ ...options, onVanished: vanished.resolve });
    const position = await deposit('anna', 2);
    await Promise.race([second.waitFor(position, PATIENT), vanished.promise]);
    await second.stop();
    await start(options).waitFor(await deposit('anna', 3), PATIENT);
    expect(faults).toHaveLength(1);
    expect(look('SELECT account, total FROM balances')).toEqual([{ account: 'anna', total: 6 }]);
  });

  it('leaves alone a file that may be of somebody else', () => {
    writeFileSync(file, 'the letters of my grandmother');
    expect(() => start()).toThrow(expect.objectContaining({ code: 'STORE_UNAVAILABLE' }));
    expect(readFileSync(file, 'utf8')).toBe('the letters of my grandmother');
  });

  it('ends a rebuild where another program keeps the file for itself', async () => {
    const runner = start();
    await runner.waitFor(await deposit('anna', 1), PATIENT);
    using db = new DatabaseSync(file);
    db.exec('BEGIN IMMEDIATE');
    await expect(runner.rebuild()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      detail: 'the database is locked by another process',
    });
    db.exec('ROLLBACK');
    await runner.waitFor(await deposit('anna', 2), PATIENT);
  });

  it('rejects those who wait when it stops, and when the time is up', async () => {
    const runner = start();
    const future = '9999999999999999' as Position;
    await expect(runner.waitFor(future, { timeoutMs: 5 })).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
    });
    const waiting = runner.waitFor(future, PATIENT);
    await Promise.all([
      expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }),
      runner.stop(),
    ]);
    await expect(runner.waitFor(future, PATIENT)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(runner.status().state).toBe('stopped');
  });

  it('rejects a file that cannot be opened', () => {
    const file = join(folder, 'nowhere', 'audit.db');
    expect(() => start({ file })).toThrow(
      expect.objectContaining({
        code: 'STORE_UNAVAILABLE',
        cause: expect.objectContaining({ message: expect.stringContaining(file) }),
      }),
    );
  });
});
