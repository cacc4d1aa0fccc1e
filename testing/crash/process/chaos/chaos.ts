import { setTimeout as pause } from 'node:timers/promises';
import { connect, type NatsConnection } from 'nats';
import { bindBucket } from '../../../../events/nats/bucket.ts';
import { seeded } from '../../../../events/seeded.ts';
import { hashName, inBatches, KEYS_BUCKET, NatsKeys } from '../../../../events/vault/nats-keys.ts';
import { readSettings } from '../../../../services/composition/settings.ts';
import { openLink } from '../../../../services/operator/link.ts';
import { Deployment } from './deployment.ts';
import { FAULTS, shuffled, type Stage } from './faults.ts';
import { filesWith } from './files.ts';
import { runLoad } from './load.ts';
import { checkTrading, readRecord } from './record.ts';
import { tally, type Tally } from './tally.ts';
import { Acknowledged } from './told.ts';
import { isWell, type Health } from './well.ts';

export interface ChaosOptions {
  readonly seconds: number;
  readonly faults: number;
  readonly seed: number;
  readonly asksPerSecond?: number;
  readonly ordersPerSecond?: number;
  /** The checkout whose services run; by default this one. */
  readonly root?: string | undefined;
  /** Whether files and logs are kept after the run. */
  readonly keep?: boolean;
  /** Called with each line of the story as it happens. */
  readonly tell?: (line: string) => void;
  /** Ends the run and removes everything. */
  readonly signal?: AbortSignal;
}

export interface ChaosReport extends Tally {
  readonly seed: number;
  /** The number of faults of each kind. */
  readonly happened: Readonly<Record<string, number>>;
  readonly outcomes: Readonly<Record<string, number>>;
  /** The lines of what happened, in order. */
  readonly story: readonly string[];
  readonly folder: string;
}

/** The time within which everything must be well after the last fault, even on a busy machine. */
const WELL_WITHIN_MS = 120_000;

/**
 * Runs all services as separate processes under a steady load, injects one fault after the other, drawn by seed, and
 * compares the record with what clients were told. Only the faults are the same for a seed, not what is running when
 * they happen.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seconds, faults: count, seed, root, keep = false, signal } = options;
  const random = seeded(seed);
  const told = new Acknowledged();
  const story: string[] = [];
  const happened: Record<string, number> = {};
  const faults: string[] = [];
  const deployment = await Deployment.start(root === undefined ? {} : { root });
  const begin = Date.now();
  const tell = (what: string): void => {
    const line = `${((Date.now() - begin) / 1_000).toFixed(1).padStart(7)}  ${what}`;
    story.push(line);
    options.tell?.(line);
  };
  const stage: Stage = {
    deployment,
    told,
    random,
    tell,
    deleteStream: (name) => deleteStream(deployment, name),
  };
  let removed = false;
  try {
    const link = await openLink(settingsOf(deployment));
    const over = new AbortController();
    const load = runLoad(
      {
        deployment,
        told,
        link,
        random: seeded(seed + 1),
        asksPerSecond: options.asksPerSecond ?? 20,
        ordersPerSecond: options.ordersPerSecond ?? 5,
      },
      over.signal,
    );
    try {
      await makeFaults(stage, count, seconds * 1_000, happened, faults, signal);
      await pause(Math.max(0, begin + seconds * 1_000 - Date.now()), undefined, { signal });
    } finally {
      over.abort();
      await load;
      await link[Symbol.asyncDispose]();
    }
    tell('nothing fails any more');
    faults.push(...(await comesBack(deployment, told, signal)));
    tell(faults.length === 0 ? 'all is well again' : faults.at(-1)!);
    const record = await readRecord(deployment.store.url);
    const result = tally(record, told);
    faults.push(...result.faults, ...(await checkTrading(deployment.store.url)));
    faults.push(...(await erasedTextOf(deployment, told)));
    faults.push(...(await lostKeysOf(deployment, told)));
    faults.push(...deployment.nats.violations.filter(isUnexpected));
    tell(`${record.length} events on record; ${told.destroyed.size} answers went with their disk`);
    await deployment.remove({ keep });
    removed = true;
    return {
      ...result,
      faults,
      seed,
      happened,
      outcomes: Object.fromEntries([...told.outcomes].sort(([one], [other]) => one.localeCompare(other))),
      story,
      folder: deployment.folder,
    };
  } finally {
    if (!removed) await deployment.remove({ keep });
  }
}

/** The answers, or else the milliseconds, between two faults. */
const ENOUGH_ANSWERS = 10;
const MOST_CALM_MS = 15_000;

/** Faults about the same thing happen one after the other, others as they are drawn. */
async function makeFaults(
  stage: Stage,
  count: number,
  ms: number,
  happened: Record<string, number>,
  failed: string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const begin = performance.now();
  const under = new Map<string, Promise<void>>();
  let names: string[] = [];
  for (let n = 0; n < count; n++) {
    // Every kind occurs once before any is repeated.
    if (names.length === 0) names = shuffled(stage, Object.keys(FAULTS));
    const name = names.pop()!;
    const [about, fault] = FAULTS[name]!;
    const at = ((n + 0.2 + stage.random() * 0.6) / count) * ms;
    await pause(Math.max(0, begin + at - performance.now()), undefined, { signal });
    await under.get(about);
    // A fault is only useful after some acknowledgements, which take longer on a busy machine.
    const enough = stage.told.answers.length + ENOUGH_ANSWERS;
    const until = performance.now() + MOST_CALM_MS;
    while (stage.told.answers.length < enough && performance.now() < until)
      await pause(100, undefined, { signal });
    happened[name] = (happened[name] ?? 0) + 1;
    stage.tell(name.toUpperCase());
    const happening = fault(stage).then(
      () => stage.tell(`over: ${name}`),
      (error: unknown) => void failed.push(`the fault “${name}” could not be made: ${String(error)}`),
    );
    under.set(about, happening);
  }
  await Promise.all(under.values());
}

/** Connects as a user who may do anything. */
function connectTo(deployment: Deployment): Promise<NatsConnection> {
  const { NATS_USER: user, NATS_PASSWORD: pass } = deployment.environmentOf('chaos', 'a');
  return connect({ servers: deployment.nats.url, user: user!, pass: pass!, timeout: 5_000 });
}

async function deleteStream(deployment: Deployment, name: string): Promise<void> {
  const connection = await connectTo(deployment);
  try {
    const manager = await connection.jetstreamManager();
    // A missing stream is as good as a deleted one.
    await manager.streams.delete(name).catch(() => false);
  } finally {
    await connection.close();
  }
}

/** Waits until every gateway says that all is well, and returns what is not after too long. */
async function comesBack(
  deployment: Deployment,
  told: Acknowledged,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const until = Date.now() + WELL_WITHIN_MS;
  let said = 'no gateway listens';
  for (let well = 0; well < 2;) {
    await pause(500, undefined, { signal });
    const urls = deployment.of('gateway').map(({ url }) => url);
    const answers = await Promise.all(urls.map((url) => healthAt(url)));
    const unwell = answers.find((answer) => typeof answer === 'string' || !isWell(answer, told));
    well = unwell === undefined ? well + 1 : 0;
    if (unwell !== undefined) said = JSON.stringify(unwell);
    if (Date.now() > until) return [`after ${WELL_WITHIN_MS / 1_000} s all is not well: ${said}`];
  }
  return [];
}

async function healthAt(url: string | null): Promise<Health | string> {
  if (url === null) return 'a gateway does not listen';
  try {
    const response = await fetch(`${url}/v1/health`, { signal: AbortSignal.timeout(10_000) });
    return (await response.json()) as Health;
  } catch (error) {
    return String(error);
  }
}

/** Searches erased text in all files of all hosts. */
async function erasedTextOf(deployment: Deployment, { erasures }: Acknowledged): Promise<string[]> {
  const words = erasures.map(({ secret }) => secret);
  if (words.length === 0) return [];
  const found = await Promise.all(
    (['a', 'b'] as const).map((host) => filesWith(deployment.dataOf(host), words)),
  );
  return found.flat().map((where) => `erased text stands in ${where}`);
}

/** Keys of recorded answers that are gone although nothing has taken keys since they were asked for. */
async function lostKeysOf(deployment: Deployment, { answers, keysTakenAt }: Acknowledged): Promise<string[]> {
  const connection = await connectTo(deployment);
  try {
    const keys = new NatsKeys(await bindBucket(connection, { name: KEYS_BUCKET, timeoutMs: 5_000 }));
    const since = answers.filter(({ sentAt, isRecorded }) => isRecorded && sentAt > (keysTakenAt ?? 0));
    const states = await inBatches(since, ({ requestId }) => keys.last(hashName(requestId)));
    return since
      .filter((_, n) => states[n] === undefined || states[n].kind === 'removed')
      .map(({ requestId }) => `the key of ${requestId} is gone, which nothing has taken`);
  } finally {
    await connection.close();
  }
}

/** Processes without the right to create the leases, or to empty damaged ones, try it while they wait, which is expected. */
const isUnexpected = (line: string): boolean => !/STREAM\.(?:CREATE|PURGE)\.KV_beleg_leases/u.test(line);

const settingsOf = (deployment: Deployment) => readSettings(deployment.environmentOf('operator', 'a'));
