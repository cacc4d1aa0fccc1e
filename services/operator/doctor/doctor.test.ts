import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StreamConfig, StreamState } from 'nats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../events/dates.ts';
import { damageLastIndex } from '../../../events/sqlite/damaged-page.suite.ts';
import { openEmbeddedStore } from '../../../events/store/embedded/embedded.ts';
import { NO_STREAM } from '../../../events/store/store.ts';
import { formatCheckpointLine, parseCheckpointLine } from '../../../events/proof/checkpoint-line.ts';
import { createSigningKey } from '../../../events/proof/keys.ts';
import { writeRecord } from '../../../events/proof/tampered-record.suite.ts';
import { QUESTION, Workspace } from '../../../testing/processes/application.suite.ts';
import { readSettings } from '../../composition/settings.ts';
import type { Environment } from '../../foundation/settings-error.ts';
import {
  startScriptedServer,
  type ScriptedServer,
} from '../../knowledge/model-server/scripted-server.suite.ts';
import { openMarketStore } from '../../market/store.ts';
import { forgetListening, noteListening } from '../../foundation/listening.ts';
import { openSpool } from '../../foundation/spool.ts';
import { judge, verdictJson } from '../audit/verify.ts';
import { examine, formatFindings } from './doctor.ts';
import type { Finding } from './finding.ts';
import { lookAtNode } from './node-disk-ports.ts';
import { judgeEvents } from './servers.ts';
import { lookAtRecord } from './look-at-record.ts';

let workspace: Workspace;
let other: Server;
let takenPort: string;
let model: ScriptedServer;

beforeAll(async () => {
  workspace = await Workspace.create();
  await mkdir(workspace.data, { mode: 0o700 });
  other = createServer((_request, response) => void response.end('somebody else')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  takenPort = String((other.address() as AddressInfo).port);
  model = await startScriptedServer(() => ({ status: 401 }), { probe: () => ({ status: 401 }) });
});
afterAll(async () => {
  other.close();
  await model.close();
  await workspace.remove();
});

const look = (differences: Environment = {}) => examine({ ...workspace.environment(), ...differences });
const bad = (findings: readonly Finding[]) => findings.filter(({ state }) => state !== 'ok');

test('finds nothing where nothing is wrong', async () => {
  expect(bad(await look())).toEqual([]);
});

/** Overwrites the root of the newest index, which nothing reads that only looks up a row. */
const verdictOf = async (environment: Environment) =>
  JSON.parse(verdictJson(await judge({}, environment))) as { whole: boolean; findings: unknown[] };

const damaged = (name: string): unknown => expect.stringContaining(`${name} is damaged: `);

const event = (id: string) => ({
  id,
  type: 'AnswerGiven',
  data: {},
  metadata: { at: '2026-01-01T00:00:00.000Z', version: 1, $correlationId: 'r', $causationId: 'c' },
});

test('names an account that keeps to other market data than the settings name', async () => {
  const data = join(workspace.data, 'other-source');
  await mkdir(data, { mode: 0o700 });
  const store = await openEmbeddedStore({ file: join(data, 'events.db') });
  const taken = { ...event(randomUUID()), type: 'MarketSourceTaken', data: { source: 'csv:bars' } };
  await store.append('account-main', NO_STREAM, [taken]);
  await store.close();
  const found = async (more: Environment) =>
    (await look({ DATA_DIR: data, ...more })).filter(({ what }) => what === 'account');
  expect(await found({ TD_ACCOUNT: 'other' })).toEqual([]);
  expect(await found({})).toEqual([
    {
      what: 'account',
      state: 'fault',
      found: 'the account main keeps to its market data, csv:bars, and cannot go on with demo',
      advice: 'set TD_SOURCE to csv: and a folder named bars, or name another account with TD_ACCOUNT',
    },
  ]);
  await rm(data, { recursive: true });
});

test('names what waits and what was lost in every slot', async () => {
  const distributed = { NATS_URL: 'nats://127.0.0.1:9', EVENTSTORE_URL: 'esdb://127.0.0.1:9?tls=false' };
  const spool = await openSpool(join(workspace.data, 'slots', '7', 'spool'));
  await spool.push({ stream: 'ask-r', events: [event('1'), event('2')] });
  await spool.lose(1);
  await spool.close();
  const kept = join(workspace.data, 'slots', '7', 'spool', 'events.jsonl.damaged');
  await writeFile(kept, 'a line\n');
  const found = (await look(distributed)).filter(({ what }) => what === 'spool');
  expect(found).toMatchObject([
    { state: 'warning', found: expect.stringMatching(/^2 events wait .*slots\/7\/spool/) },
    {
      state: 'warning',
      found: expect.stringMatching(/^1 event was lost/),
      advice: expect.stringMatching(/lost\.json/),
    },
    { state: 'warning', found: `lines of a spool that could not be read are kept in ${kept}` },
  ]);
  await rm(join(workspace.data, 'slots'), { recursive: true });
  expect((await look(distributed)).find(({ what }) => what === 'spool')).toMatchObject({ state: 'ok' });
});

describe('what is broken is named, with what to do', () => {
  test.each<
    [
      what: string,
      environment: (closing: (() => Promise<void>)[]) => Environment | Promise<Environment>,
      expected: Partial<Finding>,
    ]
  >([
    ['settings', () => ({ PV_PORT: '80x' }), { state: 'fault', found: expect.stringContaining('PV_PORT') }],
    [
      'settings',
      () => ({ PV_POTR: '81' }),
      { state: 'warning', found: 'PV_POTR is not a known setting and is ignored; check the spelling' },
    ],
    [
      'PV_PORT',
      () => ({ PV_PORT: takenPort }),
      { advice: 'stop that program, or set PV_PORT to another port' },
    ],
    [
      'TD_PORT',
      () => ({ TD_HOST: '192.0.2.1', TD_API_KEY: 'k'.repeat(16) }),
      { advice: 'set TD_HOST to an address of this machine' },
    ],
    ['knowledge base', () => ({ PV_KB_PATH: join(workspace.folder, 'none') }), { state: 'fault' }],
    [
      'knowledge base',
      async () => {
        const broken = join(workspace.folder, 'broken');
        await mkdir(broken);
        await writeFile(
          join(broken, 'a.md'),
          '---\nid: ???\ntitle: T\nsection: S\nstand: "2021"\nwork: W\n---\nText',
        );
        return { PV_KB_PATH: broken };
      },
      { found: expect.stringContaining('a.md'), advice: expect.stringContaining('beleg kb check') },
    ],
    [
      'record',
      async () => {
        const damaged = join(workspace.folder, 'damaged');
        await mkdir(damaged, { mode: 0o700 });
        await writeFile(join(damaged, 'events.db'), 'no database');
        return { DATA_DIR: damaged };
      },
      { state: 'fault', advice: expect.stringContaining('put a backup in its place') },
    ],
    [
      'files',
      async () => {
        const folder = join(workspace.folder, 'folder-for-keys');
        await mkdir(join(folder, 'keys.db'), { recursive: true, mode: 0o700 });
        return { DATA_DIR: folder };
      },
      { state: 'fault', found: expect.stringContaining('is a folder, where a database file belongs') },
    ],
    [
      'settings',
      () => ({ AUDIT_SIGNING_KEY: '/nope' }),
      { state: 'fault', found: expect.stringContaining('AUDIT_SIGNING_KEY') },
    ],
    [
      'market data',
      () => ({ TD_TICKERS: 'XX,YY' }),
      { state: 'fault', found: 'TD_TICKERS names XX, YY, which the demo data do not have' },
    ],
    [
      'market data',
      async () => {
        const folder = join(workspace.folder, 'bars');
        await mkdir(folder);
        const head = 'Date,Open,High,Low,Close,Volume';
        await writeFile(join(folder, 'A.csv'), `${head}\n2020-01-02,1,1,1,1,5`);
        await writeFile(
          join(folder, 'B.csv'),
          `${head}\n2020-01-02,x,1,1,1,5\n2020-01-03,1,y,1,1,5\n2020-01-0z,1,1,1,1,5`,
        );
        for (let n = 0; n < 30; n++) await writeFile(join(folder, `my own ${n}.csv`), head);
        return { TD_SOURCE: `csv:${folder}`, TD_TICKERS: 'A,ZZ' };
      },
      {
        state: 'warning',
        found: expect.stringMatching(
          /^2 tables .*TD_TICKERS names ZZ, of which there is no table; left out: .*; and also .*my own 9\.csv.*B\.csv$/u,
        ),
      },
    ],
    [
      'market data',
      async () => {
        const folder = join(workspace.folder, 'broken-rows');
        await mkdir(folder);
        const rows = Array.from({ length: 200 }, (_, day) => {
          const date = new Date(Date.UTC(2023, 0, 1 + day)).toISOString().slice(0, 10);
          return `${date},${day === 7 ? 'x' : 1},1,1,1,5`;
        });
        await writeFile(join(folder, 'A.csv'), ['Date,Open,High,Low,Close,Volume', ...rows].join('\n'));
        return { TD_SOURCE: `csv:${folder}` };
      },
      {
        state: 'warning',
        found: expect.stringMatching(
          /^1 table in \S+; A\.csv: 1 row left out that cannot be read: open "x" is not a number \(the first in line 9\)$/u,
        ),
        advice: 'mend these rows; all others are used',
      },
    ],
    [
      'PV_PORT',
      async (closing) => {
        const { application } = await workspace.start();
        closing.push(() => application.close());
        // The first one takes longer than the doctor waits where a machine is busy.
        await fetch(new URL('/openapi.json', application.url!));
        const elsewhere = join(workspace.folder, 'elsewhere');
        return { DATA_DIR: elsewhere, PV_PORT: new URL(application.url!).port };
      },
      {
        state: 'fault',
        found: expect.stringContaining('a beleg with another DATA_DIR'),
      },
    ],
    [
      'model server',
      () => ({ PV_MODEL_URL: model.url, PV_MODEL_NAME: 'm' }),
      { advice: expect.stringContaining('PV_MODEL_KEY') },
    ],
  ])('%s: %#', async (what, environment, expected) => {
    const closing: (() => Promise<void>)[] = [];
    const found = bad(await look(await environment(closing)));
    for (const close of closing) await close();
    expect(found).toContainEqual({
      what,
      state: expect.any(String),
      found: expect.any(String),
      advice: expect.any(String),
      ...expected,
    });
  });

  test('tables that were removed, or damaged, after the service had read them', async () => {
    const folder = join(workspace.folder, 'some-removed');
    await mkdir(folder);
    await writeFile(join(folder, 'A.csv'), 'Date,Open,High,Low,Close,Volume\n2020-01-02,1,1,1,1,5');
    const environment = { TD_SOURCE: `csv:${folder}`, DATA_DIR: join(workspace.folder, 'has-read') };
    const store = openMarketStore(readSettings({ ...workspace.environment(), ...environment }).market.dbPath);
    const bar = { date: '2020-01-02', open: 1, high: 1, low: 1, close: 1, volume: 1 };
    const of = { updateId: 'u', at: '2020-01-03T00:00:00Z', complete: true, warnings: [] };
    for (const ticker of ['GONE', 'HURT'])
      store.update(ticker, { bars: [bar], splits: [], dividends: [] }, of);
    store.close();
    await writeFile(join(folder, 'HURT.csv'), 'no table');
    expect(bad(await look(environment))).toMatchObject([
      {
        what: 'market data',
        state: 'warning',
        found: expect.stringMatching(/left out: HURT.csv.*earlier of HURT stays.*the table of GONE is gone/),
      },
    ]);
  });

  test('a model server that shows a page', async () => {
    const found = await look({ PV_MODEL_URL: `http://127.0.0.1:${takenPort}/v1`, PV_MODEL_NAME: 'm' });
    expect(bad(found)).toMatchObject([
      {
        what: 'model server',
        found: 'm: reply_unreadable',
        advice: expect.stringContaining('leads to a model server'),
      },
    ]);
  });

  test('what is no EventStoreDB', async () => {
    const settings = {
      NATS_URL: 'nats://127.0.0.1:1',
      EVENTSTORE_URL: `esdb://127.0.0.1:${takenPort}?tls=false`,
    };
    expect(bad(await look(settings))).toContainEqual(
      expect.objectContaining({
        what: 'EventStoreDB',
        found: 'what answers at its address is no event store',
      }),
    );
  });

  test('NATS and EventStoreDB', async () => {
    const settings = { NATS_URL: 'nats://127.0.0.1:1', EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' };
    expect(bad(await look(settings))).toMatchObject([
      { what: 'NATS', state: 'fault', found: expect.stringContaining('cannot be reached') },
      { what: 'EventStoreDB', state: 'fault', advice: expect.stringContaining('EVENTSTORE_URL') },
      { what: 'record', state: 'fault' },
    ]);
  });

  test('a database that a start could not open', async () => {
    const damaged = join(workspace.folder, 'damaged-keys');
    await mkdir(damaged, { mode: 0o700 });
    await (await openEmbeddedStore({ file: join(damaged, 'events.db') })).close();
    await writeFile(join(damaged, 'keys.db'), 'no database'.repeat(100));
    expect(bad(await look({ DATA_DIR: damaged }))).toMatchObject([
      {
        what: 'text keys',
        state: 'fault',
        found: expect.stringContaining('keys.db is damaged: file is not'),
      },
    ]);
  });

  test('a page of a database that nothing has read yet', async () => {
    const folder = join(workspace.folder, 'damaged-pages');
    await mkdir(folder, { mode: 0o700 });
    const { application, client } = await workspace.start({ DATA_DIR: folder });
    await client.ask(QUESTION);
    await application.close();
    for (const name of ['keys.db', 'audit.db']) await damageLastIndex(join(folder, name));
    const { whole, findings } = await verdictOf({ ...workspace.environment(), DATA_DIR: folder });
    expect({ whole, findings }).toMatchObject({
      whole: false,
      findings: [{ kind: 'keys-damaged', message: damaged('keys.db') }],
    });
    const found = bad(await look({ DATA_DIR: folder }));
    expect(found).toMatchObject([
      { what: 'text keys', state: 'fault', found: damaged('keys.db') },
      { what: 'audit tables', state: 'warning', found: damaged('audit.db') },
    ]);
    await writeFile(join(folder, 'events.db'), 'no database');
    expect(bad(await look({ DATA_DIR: folder }))).toMatchObject([{ what: 'record' }, { what: 'text keys' }]);
  });

  test.skipIf(process.getuid?.() !== 0)('a file of another user', async () => {
    const foreign = join(workspace.folder, 'foreign-keys');
    await mkdir(foreign, { mode: 0o755 });
    await writeFile(join(foreign, 'keys.db'), '', { mode: 0o600 });
    await chmod(workspace.folder, 0o755);
    const looked = fileURLToPath(new URL('files.ts', import.meta.url));
    const settings = { dataDir: foreign, audit: { dbPath: '/none', checkpointFile: '/none' } };
    // Root may open everything, so another user has to run the check.
    const { stdout } = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { lookAtFiles } from ${JSON.stringify(looked)};
         console.log(JSON.stringify(await lookAtFiles(${JSON.stringify(settings)})));`,
      ],
      { uid: 65_534, gid: 65_534, encoding: 'utf8' },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'fault',
      found: `${join(foreign, 'keys.db')}: this user cannot read and write it (EACCES)`,
    });
  });

  test.each([
    ['says nothing', () => undefined],
    ['breaks off', (socket: Socket) => socket.destroy()],
    [
      'stops',
      (socket: Socket) => socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n'),
    ],
  ])('a program on our port that %s may be our own where a service runs', async (_, answer) => {
    const sockets: Socket[] = [];
    const busy = createTcpServer((socket) => {
      sockets.push(socket.on('error', () => {}));
      socket.once('data', () => answer(socket));
    }).listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const { port } = busy.address() as AddressInfo;
    const ofPort = async (environment: Environment) =>
      bad(await look({ PV_PORT: String(port), ...environment })).filter(({ what }) => what === 'PV_PORT');
    const found = expect.stringContaining('gave no answer');
    // No service runs on this DATA_DIR.
    expect(await ofPort({})).toMatchObject([{ state: 'fault', found }]);
    const running = join(workspace.folder, 'running');
    await mkdir(running, { mode: 0o700, recursive: true });
    const store = await openEmbeddedStore({ file: join(running, 'events.db') });
    await noteListening(running, `http://127.0.0.1:${port}`);
    expect(await ofPort({ DATA_DIR: running })).toMatchObject([{ state: 'warning', found }]);
    await store.close();
    for (const socket of sockets) socket.destroy();
    busy.close();
  });

  test('no fault in a running service whose note of its address is gone', async () => {
    const { application } = await workspace.start();
    await fetch(new URL('/openapi.json', application.url!));
    const port = new URL(application.url!).port;
    await forgetListening(workspace.data);
    const found = bad(await look({ DATA_DIR: workspace.data, PV_PORT: port }));
    await application.close();
    expect(found.filter(({ what }) => what === 'PV_PORT')).toEqual([]);
  });

  test('a file in the place of DATA_DIR, once', async () => {
    const file = join(workspace.folder, 'a-file');
    await writeFile(file, '');
    expect(bad(await look({ DATA_DIR: file }))).toEqual([
      {
        what: 'DATA_DIR',
        state: 'fault',
        found: `${file} is a file, not a folder (ENOTDIR)`,
        advice: 'set DATA_DIR to another path, or move that file away',
      },
    ]);
  });

  test('a folder that others can look into', async () => {
    await chmod(workspace.data, 0o755);
    expect(bad(await look())).toMatchObject([{ what: 'DATA_DIR', advice: `chmod 700 ${workspace.data}` }]);
    await chmod(workspace.data, 0o700);
  });

  test('a clock that the record knows better', async () => {
    const ahead = join(workspace.folder, 'ahead');
    await mkdir(ahead, { mode: 0o700 });
    const store = await openEmbeddedStore({ file: join(ahead, 'events.db') });
    const metadata = { $correlationId: 'c', $causationId: 'c', at: '2999-01-01T00:00:00.000Z', version: 1 };
    const later = { id: randomUUID(), type: 'T', data: {}, metadata };
    await store.append('comments', NO_STREAM, [later]);
    const settings = { DATA_DIR: ahead };
    expect(bad(await look(settings))).toMatchObject([
      { what: 'events' },
      { what: 'clock', state: 'fault', advice: 'correct the clock' },
    ]);
    // A service that runs with the wrong clock has recorded something since.
    const at = new Date().toISOString();
    await store.append('erasures', NO_STREAM, [
      { ...later, id: randomUUID(), metadata: { ...metadata, at } },
    ]);
    await store.close();
    expect(bad(await look(settings))).toMatchObject([
      { what: 'events' },
      { what: 'clock', state: 'warning', found: expect.stringContaining('2999-01-01') },
    ]);
  });

  test('a clock from before this was installed', async () => {
    const settings = readSettings({ ...workspace.environment(), DATA_DIR: join(workspace.folder, 'new') });
    expect(await lookAtRecord(settings, new Date('2001-01-01'))).toMatchObject([
      { what: 'record', state: 'ok' },
      { what: 'clock', state: 'fault', advice: 'correct the clock' },
    ]);
  });

  test('checkpoints of another record', async () => {
    const [own, foreign] = [join(workspace.folder, 'own'), join(workspace.folder, 'foreign')];
    const records = await Promise.all(
      [own, foreign].map(async (folder) => {
        await mkdir(folder, { mode: 0o700 });
        const store = await openEmbeddedStore({ file: join(folder, 'events.db') });
        const { lines } = await writeRecord(store, createSigningKey().key);
        await store.close();
        return lines;
      }),
    );
    const file = join(own, 'checkpoints.jsonl');
    const findings = async (lines: readonly string[]) => {
      const inOrder = lines.map((line) => formatCheckpointLine(parseCheckpointLine(line)));
      await writeFile(file, `${inOrder.join('\n')}\n`);
      return (await look({ DATA_DIR: own })).filter(({ what }) => what === 'checkpoints');
    };
    expect(await findings(records[0]!)).toMatchObject([{ state: 'ok' }]);
    expect(await findings(records[1]!)).toMatchObject([
      {
        state: 'fault',
        found: `${file}: its last line belongs to a different record`,
        advice: expect.stringContaining('put the right one back'),
      },
    ]);
    await rm(file);
    await mkdir(file);
    const found = (await look({ DATA_DIR: own })).filter(({ state }) => state === 'fault');
    expect(found).toMatchObject([{ what: 'checkpoints', found: `${file} is a folder, not a file` }]);
  });

  test('an old Node', () => {
    expect(lookAtNode('20.20.2')).toMatchObject({ state: 'fault', found: 'version 20.20.2' });
  });
});

test.each([
  ['is full before its days are over', {}, 'warning'],
  ['has room', { bytes: 500 }, undefined],
  ['still has its first event', { first_seq: 1 }, undefined],
  ['has all of its days', { first_ts: new Date(Date.now() - 7 * DAY_MS).toISOString() }, undefined],
])('published events: a stream that %s', (_, differences, expected) => {
  const config = { max_bytes: 1_000, max_age: 7 * DAY_MS * 1e6 } as StreamConfig;
  const state = { bytes: 990, first_seq: 5, first_ts: new Date().toISOString(), ...differences };
  expect(judgeEvents({ config, state: state as StreamState })?.state).toBe(expected);
});

test('published events: messages of others among them', () => {
  const state = { bytes: 5, first_seq: 1, first_ts: new Date().toISOString() } as StreamState;
  const config = { max_bytes: 1_000, max_age: 7 * DAY_MS * 1e6 } as StreamConfig;
  expect(judgeEvents({ config, state }, 2)).toMatchObject({
    state: 'warning',
    found: expect.stringContaining('2 messages among the events'),
  });
});

test('is shown in a line each, with what to do below', () => {
  const findings: Finding[] = [
    { what: 'disk', state: 'ok', found: '12.0 GiB free' },
    { what: 'PV_PORT', state: 'fault', found: 'taken', advice: 'stop it' },
  ];
  expect(formatFindings(findings, { columns: 80, colour: false })).toBe(
    [
      'ok       disk     12.0 GiB free',
      'FAULT    PV_PORT  taken',
      '                  → stop it',
      '',
      '1 fault.',
    ].join('\n'),
  );
});
