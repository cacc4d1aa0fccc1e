import { parseArgs } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Workspace } from '../processes/application.suite.ts';
import { runChaos } from './process/chaos/chaos.ts';
import { tableOf } from './process/chaos/table.ts';
import { nothingAcknowledged, runClient, runTrader, type Acknowledged } from './process/load.ts';
import { checkRecord } from './process/record-check.ts';
import { BelegProcess } from '../processes/process.suite.ts';
import { seeded } from '../../events/seeded.ts';

const CLIENTS = 6;
/** Milliseconds after its start within which some processes are killed, even before they listen. */
const KILL_WITHIN_MS = 1200;
/** The most answers, ratings, comments and orders of one process. */
const MOST_TOLD = 30;

export interface CrashReport {
  readonly kills: number;
  readonly answers: number;
  readonly ratings: number;
  readonly comments: number;
  readonly reindexed: number;
  readonly orders: number;
  /** Empty if nothing acknowledged was lost or doubled and the record is consistent. */
  readonly faults: readonly string[];
}

/**
 * Kills a real `beleg serve` at random moments under load and restarts it on the same data, `kills` times. After every
 * second kill the whole record is checked; after the others the service first recovers by itself.
 */
export async function crashProcess(options: {
  kills: number;
  seed: number;
  onKill?: (kill: number) => void;
}): Promise<CrashReport> {
  const workspace = await Workspace.create();
  const environment = workspace.environment({
    LOG_LEVEL: 'fatal',
    TD_STRATEGY: 'none',
    TD_FEED_SPEED: '20',
    TD_SETTLEMENT_SESSIONS: '2',
  });
  const random = seeded(options.seed);
  const acknowledged = nothingAcknowledged();
  const faults: string[] = [];
  let running: BelegProcess | undefined;
  try {
    for (let kill = 1; kill <= options.kills; kill++) {
      const server = (running = new BelegProcess(['serve'], environment));
      const seeds = Array.from({ length: CLIENTS }, () => random() * 2 ** 32);
      const load = Promise.all([
        server.listening.then(
          (url) =>
            Promise.all(
              seeds.map((seed, n) => runClient(new Client(url), `${kill}-${n}`, seeded(seed), acknowledged)),
            ),
          () => [],
        ),
        server.dashboard.then(
          (url) => runTrader(new Client(url), seeded(kill), acknowledged),
          () => {},
        ),
      ]);
      // One in four processes is killed during its start, the others after a few more acknowledgements.
      if (random() < 0.25) await delay(random() * KILL_WITHIN_MS);
      else {
        await server.listening;
        const enough = toldSoFar(acknowledged) + Math.ceil(random() * MOST_TOLD);
        while (toldSoFar(acknowledged) < enough) await delay(5);
      }
      await server.kill();
      await load;
      await workspace.writePassage(revised(kill));
      if (kill % 2 === 0 || kill === options.kills) {
        faults.push(
          ...(await checkRecord(environment, acknowledged)).map((fault) => `kill ${kill}: ${fault}`),
        );
      }
      options.onKill?.(kill);
    }
    const server = (running = new BelegProcess(['serve'], environment));
    await server.listening;
    await untilTradingRests(new Client(await server.dashboard));
    const code = await server.stop();
    if (code !== 0) faults.push(`the last process stopped with ${code}`);
    faults.push(...(await checkRecord(environment, acknowledged, { atRest: true })));
    faults.push(...acknowledged.unexpected);
  } finally {
    await running?.kill();
    await workspace.remove();
  }
  return {
    kills: options.kills,
    answers: answersIn(acknowledged),
    ratings: acknowledged.ratings.size,
    comments: acknowledged.comments.size,
    reindexed: acknowledged.reindexed,
    orders: acknowledged.orders.size,
    faults,
  };
}

const answersIn = ({ answers }: Acknowledged): number =>
  [...answers.values()].reduce((sum, count) => sum + count, 0);

const toldSoFar = (told: Acknowledged): number =>
  answersIn(told) + told.ratings.size + told.comments.size + told.orders.size;

/** Resolves when no order is open. */
async function untilTradingRests(client: Client): Promise<void> {
  for (;;) {
    const { status } = await client.post('/api/trading/stop');
    const { body } = await client.get<{ status: string }[]>('/api/trading/orders?limit=10000');
    if (status === 200 && body.every(({ status }) => CLOSED.includes(status))) return;
  }
}

const CLOSED = ['filled', 'cancelled', 'rejected', 'expired'];

/** A different text each time, so that starts and reindexes build an index and write a snapshot. */
function revised(kill: number) {
  return {
    id: 'REV-1',
    title: 'Revision',
    section: '§ 1',
    text: `Diese Fassung des Handbuchs trägt die laufende Nummer ${kill} und ersetzt alle früheren Fassungen.`,
  };
}

const USAGE = `npm run crash:process -- [options]
  --seed S           draws the faults (default: the time)
  --kills N          kills of one process that runs all services (default 200)
  --distributed      all services as separate processes on NATS and EventStoreDB instead, and what can befall those
  --seconds N        how long that runs (default 120)
  --faults N         how many faults it meets (default one in ten seconds)
  --asks N           asks a second (default 20)
  --orders N         orders a second (default 5)
  --services FOLDER  the checkout whose services run (default: this one)
  --keep             leaves files and logs where they are, and says where

Exits with 0 if all is well, with 1 after a fault, and with 2 if the run could not be made, for example because a server did not start.`;

/** The exit code where a run could not be made: nothing is said of the services then. */
const NO_RUN = 2;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '200' },
      seed: { type: 'string', default: String(Date.now()) },
      distributed: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '120' },
      faults: { type: 'string' },
      asks: { type: 'string', default: '20' },
      orders: { type: 'string', default: '5' },
      services: { type: 'string' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed);
  if (values.help) console.log(USAGE);
  else if (values.distributed) {
    const seconds = Number(values.seconds);
    const over = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => over.abort());
    const report = await runChaos({
      seed,
      seconds,
      faults: Number(values.faults ?? Math.round(seconds / 10)),
      asksPerSecond: Number(values.asks),
      ordersPerSecond: Number(values.orders),
      root: values.services,
      keep: values.keep,
      tell: (line) => console.log(line),
      signal: over.signal,
    });
    console.log(tableOf(report));
    if (values.keep) console.log(`\nfiles and logs: ${report.folder}`);
    process.exitCode = report.faults.length === 0 ? 0 : 1;
  } else {
    const report = await crashProcess({
      kills: Number(values.kills),
      seed,
      onKill: (kill) => process.stderr.write(`\r${kill}/${values.kills} kills`),
    });
    process.stderr.write('\n');
    console.log(JSON.stringify({ seed, ...report }, null, 2));
    process.exitCode = report.faults.length === 0 ? 0 : 1;
  }
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(
      `\ncrash:process: the run could not be made: ${error instanceof Error ? error.message : String(error)}`,
    );
    process.exit(NO_RUN);
  });
}
