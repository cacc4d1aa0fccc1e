import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { dateOf } from '../events/dates.ts';
import { ListActors, type ActorList, type ActorState } from '../events/messages/actors.ts';
import { PATIENT } from '../events/patient.suite.ts';
import { hasNatsServer } from '../testing/nats/server.suite.ts';
import { QUESTION, Workspace } from '../testing/processes/application.suite.ts';
import { Cluster } from '../testing/processes/cluster.suite.ts';
import { BelegProcess } from '../testing/processes/process.suite.ts';
import type { Environment } from './foundation/settings-error.ts';
import { startScriptedServer, type ScriptedServer } from './knowledge/model-server/scripted-server.suite.ts';

const BELEG = join(import.meta.dirname, 'operator', 'beleg.ts');
const KEY = 'a-key-of-an-admin-and-of-a-trader';
const SESSIONS = 220;
/** The feed reaches the last session, in which the price halves, some seconds after trading has begun. */
const FIRST = SESSIONS - 14;

/** A model server that never answers. */
let server: ScriptedServer;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  // Once the model server is closed, the waiting ask is answered without it.
  await server.close();
  for (const close of closing.splice(0).reverse()) await close();
});

/** Two tickers that wander by a rule; at the last session AAA is worth half. Resolves with the first session of the feed. */
async function writeMarket(folder: string): Promise<string> {
  await mkdir(folder);
  const dates = Array.from({ length: SESSIONS }, (_, n) => dateOf(Date.UTC(2024, 0, 1 + n)));
  for (const [index, name] of ['AAA', 'BBB'].entries()) {
    const lines = dates.map((date, n) => {
      const close = (100 + Math.sin(n / (3 + index))) / (index === 0 && n === SESSIONS - 1 ? 2 : 1);
      const prices = [close, close * 1.001, close * 0.999, close, close];
      return [date, ...prices.map((price) => price.toFixed(2)), 1_000_000].join(',');
    });
    const table = ['date,open,high,low,close,adj_close,volume', ...lines, ''].join('\n');
    await writeFile(join(folder, `${name}.csv`), table);
  }
  await writeFile(join(folder, 'actions.json'), JSON.stringify({ prices: 'as-traded', tickers: {} }));
  return dates[FIRST]!;
}

interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** A system in which much is under way: what clients do to it, and what operators see. */
class System {
  readonly #knowledge: string;
  readonly #dashboard: string;
  /** The environment of commands. */
  readonly #environment: Environment;

  constructor(knowledge: string, dashboard: string, environment: Environment) {
    this.#knowledge = knowledge;
    this.#dashboard = dashboard;
    this.#environment = environment;
  }

  async #fetch<T>(url: string, body?: unknown, headers = {}): Promise<Answer<T>> {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as T };
  }

  ask(requestId: string) {
    return this.#fetch(`${this.#knowledge}/v1/ask`, { question: QUESTION }, { 'x-request-id': requestId });
  }

  /** Retries like a careful client, as long as the service says `Retry-After`. */
  post<T>(path: string, body = {}): Promise<T> {
    return vi.waitFor(async () => {
      const reply = await this.#fetch<T>(`${this.#dashboard}${path}`, body);
      expect({ path, ...reply }).toMatchObject({ status: 200 });
      return reply.body;
    }, PATIENT);
  }

  status() {
    return vi.waitFor(async () => {
      const { status, body } = await this.#fetch<{
        state: string;
        positions: Record<string, { quantity: number }>;
      }>(`${this.#dashboard}/api/trading/status`);
      expect(status).toBe(200);
      return body;
    }, PATIENT);
  }

  /** The list as `beleg actors` and both ports give it. */
  async lists(): Promise<ActorList[]> {
    const { stdout } = await this.#beleg('--json');
    const at = [`${this.#knowledge}/actors`, `${this.#dashboard}/actors`];
    const replies = await Promise.all(at.map((url) => this.#fetch(url)));
    return [JSON.parse(stdout), ...replies.map(({ body }) => body)].map((list) =>
      ListActors.reply.parse(list),
    );
  }

  /** The list of actors in the form for people. */
  async printed(): Promise<string> {
    return (await this.#beleg()).stdout;
  }

  #beleg(...more: string[]) {
    const args = ['--disable-warning=ExperimentalWarning', BELEG, 'actors', ...more];
    return promisify(execFile)(process.execPath, args, {
      env: { PATH: process.env['PATH'], ...this.#environment },
    });
  }
}

/** Asks, and asks again where that has ended: an answer takes two minutes at most, and the whole test may take longer. */
function keepAsking(system: System): void {
  const over = new AbortController();
  const end = (): void => over.abort();
  const asking = (async () => {
    for (let n = 1; !over.signal.aborted; n++) await system.ask(`ask-${n}`).then(() => undefined, end);
  })();
  // It ends when the services have ended, so it is waited for after them.
  closing.unshift(() => asking);
  closing.push(async () => end());
}

/** Has an ask, an order and a training under way, and trading halted; all of it stays so. */
async function setUnderWay(system: System): Promise<{ order: string }> {
  keepAsking(system);
  await system.post('/api/models/train');
  await system.post('/api/trading/start');
  await system.post('/api/trading/order', { ticker: 'AAA', action: 'buy', quantity: 500 });
  await vi.waitFor(async () => {
    expect((await system.status()).positions['AAA']?.quantity).toBe(500);
  }, PATIENT);
  // The order only closes a position, so a halt does not cancel it.
  const { order_id } = await system.post<{ order_id: string }>('/api/trading/order', {
    ticker: 'AAA',
    action: 'sell',
    quantity: 500,
    type: 'limit',
    price: 140,
    time_in_force: 'gtc',
  });
  await vi.waitFor(async () => expect((await system.status()).state).toBe('halted'), PATIENT);
  return { order: order_id };
}

const seen = ({ kind, id, waits_for, children, state }: ActorState) => ({
  kind,
  id,
  state,
  waits_for,
  children,
});

/** What every operator sees of a system with this many processes, of which some are on standby for the account. */
async function expectSeen(
  system: System,
  { order, processes, standbys }: { order: string; processes: number; standbys: number },
): Promise<ActorList> {
  const standby = {
    kind: 'engine',
    id: 'main',
    state: 'standingBy',
    waits_for: ['LEASE_HELD', 'SHUTDOWN'],
    children: [],
  };
  const expected = [
    {
      kind: 'ask',
      id: expect.stringMatching(/^ask-\d+$/),
      state: 'retrieved.generating',
      waits_for: ['generate'],
      children: [],
    },
    { kind: 'delivery', id: 'main', state: 'open', waits_for: ['HOLD', 'STOP'], children: [] },
    {
      kind: 'engine',
      id: 'main',
      // It looks for a session every second.
      state: expect.stringMatching(
        /^holding\.record\.halted holding\.clock\.betweenSessions\.(delayed|looking) holding\.waitingFor\.bar holding\.reports\.listening holding\.pace\.open$/,
      ),
      waits_for: expect.arrayContaining([
        'TradingStarted',
        'TradingStopped',
        'TradingResumed',
        'REPORTS_DELAYED',
      ]),
      children: [
        {
          id: 'strategy',
          state: 'waiting',
          since: expect.any(String),
          waits_for: ['BEGIN', 'SESSION'],
        },
      ],
    },
    ...Array.from({ length: standbys }, () => standby),
    {
      kind: 'folder-watch',
      id: 'knowledge-base',
      state: 'watching.told.nothing watching.folder.there watching.index.resting',
      waits_for: ['FILES_CHANGED', 'FOLDER_AWAY', 'lookAgain'],
      children: [],
    },
    { kind: 'order', id: order, state: 'working', waits_for: ['RECORDED'], children: [] },
    { kind: 'reindex', id: 'knowledge-index', state: 'idle', waits_for: ['ReindexStarted'], children: [] },
    {
      kind: 'training',
      id: expect.any(String),
      // The process that trains has a low priority: on a busy machine it still reads its data.
      state: expect.stringMatching(/^run\.(preparing|training) work\.going record\.(waiting|recording)$/),
      waits_for: expect.arrayContaining(['ENDED']),
      children: [],
    },
  ];
  return vi.waitFor(async () => {
    const lists = await system.lists();
    for (const list of lists) {
      expect(list.processes).toBe(processes);
      expect(list.actors.map(seen).toSorted(byKind)).toEqual(expected);
      expect(list.counts.reduce((sum, { count }) => sum + count, 0)).toBe(expected.length);
      for (const { since } of list.actors) expect(Date.parse(since)).toBeLessThanOrEqual(Date.now());
    }
    return lists[0]!;
  }, PATIENT);
}

const byKind = (a: { kind: string; state: string }, b: { kind: string; state: string }): number =>
  a.kind.localeCompare(b.kind) || a.state.localeCompare(b.state);

const sinceOf = ({ actors }: ActorList, kind: string, state: RegExp): number =>
  Date.parse(actors.find((actor) => actor.kind === kind && state.test(actor.state))!.since);

/** Twelve processes start, and their list is waited for three times, on a machine as busy as it may be. */
const TIMEOUT_MS = 400_000;

/** A small market, a small base, a model server that never answers, and a training without an end. */
async function environment(): Promise<Environment> {
  const workspace = await Workspace.create();
  closing.push(() => workspace.remove());
  const from = await writeMarket(join(workspace.folder, 'bars'));
  server = await startScriptedServer(() => ({ hang: true }));
  return workspace.environment({
    PV_API_KEY: KEY,
    PV_ADMIN_API_KEY: KEY,
    TD_API_KEY: KEY,
    PV_MODEL_URL: server.url,
    PV_MODEL_NAME: 'scripted',
    PV_ASK_SECONDS: '110',
    TD_SOURCE: `csv:${join(workspace.folder, 'bars')}`,
    TD_FEED_FROM: from,
    TD_FEED_SPEED: '1',
    TD_STRATEGY: 'none',
    TD_FEES: 'none',
    TD_MAX_DAILY_LOSS_PERCENT: '5',
    TD_MODEL_SEQUENCE_LENGTH: '30',
    TD_MODEL_BATCH_SIZE: '1',
    TD_MODEL_EPOCHS: '1000',
    TD_MODEL_THREADS: '1',
    LOG_LEVEL: 'fatal',
  });
}

describe('who operates the system sees each actor where it is', () => {
  test('in one process', { timeout: TIMEOUT_MS }, async () => {
    const settings = await environment();
    const beleg = new BelegProcess(['serve'], settings);
    closing.push(() => beleg.stop());
    const url = await beleg.listening;
    const system = new System(url, await beleg.dashboard, settings);
    const begun = Date.now();
    const { order } = await setUnderWay(system);
    const list = await expectSeen(system, { order, processes: 1, standbys: 0 });
    // The engine is where it is for a second at most; what does not change keeps its time.
    expect(sinceOf(list, 'ask', /./)).toBeGreaterThanOrEqual(begun);
    expect(sinceOf(list, 'reindex', /./)).toBeLessThan(begun);
    const again = await expectSeen(system, { order, processes: 1, standbys: 0 });
    for (const kind of ['order', 'delivery', 'reindex'])
      expect(sinceOf(again, kind, /./)).toBe(sinceOf(list, kind, /./));
    expect(await system.printed()).toMatch(/^7 actors in 1 process\n/);
    expect(await system.printed()).not.toContain('Werktage');
  });

  test.skipIf(!hasNatsServer)(
    'over NATS, with every service twice, while the lease moves',
    { timeout: TIMEOUT_MS },
    async () => {
      const settings = await environment();
      const cluster = await Cluster.start(dirname(settings['DATA_DIR']!), settings, { audit: 2, trading: 2 });
      closing.push(() => cluster.stop());
      for (const service of ['gateway', 'market', 'models'] as const)
        cluster.market.push(cluster.run(service));
      await Promise.all(cluster.market.map(({ ready }) => ready));
      const system = new System(
        await cluster.gateway.listening,
        await cluster.gateway.dashboard,
        cluster.environment('operator'),
      );
      const { order } = await setUnderWay(system);
      await expectSeen(system, { order, processes: 12, standbys: 1 });

      const moved = Date.now();
      const process = await holderOf(cluster, 'trading');
      await process.kill();
      const after = await expectSeen(system, { order, processes: 11, standbys: 0 });
      expect(sinceOf(after, 'engine', /^holding/)).toBeGreaterThan(moved);
      const next = cluster.run('trading');
      cluster.trading.splice(cluster.trading.indexOf(process), 1, next);
      await next.ready;
      await expectSeen(system, { order, processes: 12, standbys: 1 });
      expect(await system.printed()).toMatch(/^8 actors in 12 processes\n/);
      expect(cluster.violations).toEqual([]);
    },
  );
});

async function holderOf(cluster: Cluster, lease: string): Promise<BelegProcess> {
  for (const process of cluster.trading) {
    const reply = await fetch(`${await process.operations}/ready`);
    const { leases } = (await reply.json()) as { leases: string[] };
    if (leases.includes(lease)) return process;
  }
  throw new Error(`nobody holds ${lease}`);
}
