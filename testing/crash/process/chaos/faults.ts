import { setTimeout as pause } from 'node:timers/promises';
import type { Deployment, Host, Member } from './deployment.ts';
import {
  damageFile,
  emptyStore,
  filesBelow,
  removeSpools,
  removeTables,
  swapStore,
  TABLES,
  type StoreChange,
} from './files.ts';
import type { Acknowledged } from './told.ts';

/** The things that faults act on. */
export interface Stage {
  readonly deployment: Deployment;
  readonly told: Acknowledged;
  readonly random: () => number;
  /** Deletes a bucket or a stream of a running NATS. */
  deleteStream(name: string): Promise<void>;
  /** Adds a line to the story. */
  tell(what: string): void;
}

/** Resolves when what was taken down is back. */
type Fault = (stage: Stage) => Promise<void>;

/** `[what it is about, what happens]`: two faults about the same thing never happen at the same time. */
export const FAULTS: Readonly<
  Record<string, readonly [about: 'processes' | 'nats' | 'store', fault: Fault]>
> = {
  'a process is killed': ['processes', (stage) => endOne(stage, 'kill')],
  'a process is stopped': ['processes', (stage) => endOne(stage, 'stop')],
  'a process stands still': ['processes', standStill],
  'several are killed, and start in any order': ['processes', (stage) => endSeveral(stage)],
  'all are killed, and start in any order': [
    'processes',
    (stage) => startAnew(stage, stage.deployment.members),
  ],
  'answers wait, and their processes start in any order': ['store', startAnewWithoutStore],
  'a lease moves to the other host': ['processes', moveLease],
  'NATS is stopped': ['nats', (stage) => withoutNats(stage, 'stop')],
  'NATS is killed': ['nats', (stage) => withoutNats(stage, 'kill')],
  'NATS stands still': ['nats', natsStandsStill],
  'NATS is emptied': ['nats', (stage) => withoutNats(stage, 'kill', () => emptyStore(stage.deployment.nats))],
  'NATS comes back with an older store': [
    'nats',
    (stage) => withoutNats(stage, 'stop', () => swapStore(stage.deployment.nats)),
  ],
  'a bucket is gone': ['nats', (stage) => take(stage, BUCKETS)],
  'the stream of events is gone': ['nats', (stage) => take(stage, ['BELEG_EVENTS'])],
  'a bucket comes back damaged': ['nats', damagedBucket],
  'the event store is killed': ['store', killStore],
  'the event store stands still': ['store', storeStandsStill],
  'the spool is gone': ['processes', spoolGone],
  'tables are gone': ['processes', tablesGone],
  'tables come back damaged': ['processes', damagedTables],
  'snapshots are gone': ['processes', snapshotsGone],
};

const KEYS = 'KV_beleg_keys';
const BUCKETS = [KEYS, 'KV_beleg_leases', 'KV_BELEG_RELAY'];

async function endOne(stage: Stage, how: 'kill' | 'stop'): Promise<void> {
  const member = pick(stage, stage.deployment.members);
  stage.tell(`${member.name}: ${how}`);
  await member.end(how);
  await pause(upTo(stage, 3_000));
  void member.start();
}

async function standStill(stage: Stage): Promise<void> {
  const member = pick(stage, stage.deployment.members);
  const ms = 500 + upTo(stage, 6_000);
  stage.tell(`${member.name} stands still for ${seconds(ms)}`);
  member.pause();
  await pause(ms);
  member.resume();
}

function endSeveral(stage: Stage): Promise<void> {
  const { members } = stage.deployment;
  return startAnew(stage, shuffled(stage, members).slice(0, 2 + Math.floor(stage.random() * 4)));
}

/** Each is killed or stopped, and restarts at a moment of its own. */
async function startAnew(stage: Stage, members: readonly Member[]): Promise<void> {
  stage.tell(members.map(({ name }) => name).join(', '));
  await Promise.all(members.map((member) => member.end(stage.random() < 0.7 ? 'kill' : 'stop')));
  const order = shuffled(stage, members);
  stage.tell(`start: ${order.map(({ name }) => name).join(', ')}`);
  for (const member of order) {
    void member.start();
    await pause(upTo(stage, 600));
  }
}

/** While the event store is away, answers wait in spools, which other processes may use after a restart. */
async function startAnewWithoutStore(stage: Stage): Promise<void> {
  const { deployment } = stage;
  stage.tell('the event store is killed');
  await deployment.store.kill();
  await pause(2_000 + upTo(stage, 2_000));
  await startAnew(
    stage,
    deployment.of('knowledge', 'audit', 'trading', 'models').filter(({ host }) => host === 'a'),
  );
  await pause(upTo(stage, 3_000));
  await deployment.store.restart();
}

/** The holder of the lease is paused until another process holds it, and then continues as if it held it still. */
async function moveLease(stage: Stage): Promise<void> {
  const host = pick(stage, HOSTS);
  const members = stage.deployment
    .of(pick(stage, ['audit', 'trading']))
    .filter((member) => member.host === host);
  stage.tell(`${members.map(({ name }) => name).join(', ')} stands still for 6.0 s`);
  for (const member of members) member.pause();
  await pause(6_000);
  for (const member of members) member.resume();
}

async function withoutNats(
  stage: Stage,
  how: 'kill' | 'stop',
  meanwhile?: () => Promise<StoreChange>,
): Promise<void> {
  const { nats } = stage.deployment;
  await nats[how]();
  let isTaken = false;
  if (meanwhile !== undefined) {
    const { what, takesKeys } = await meanwhile();
    stage.tell(what);
    isTaken = takesKeys;
  }
  await pause(upTo(stage, 5_000));
  await nats.restart();
  if (isTaken) stage.told.keysTakenAt = Date.now();
}

/** Longer than any wait for a key. */
async function natsStandsStill(stage: Stage): Promise<void> {
  const { nats } = stage.deployment;
  const ms = 1_000 + upTo(stage, 6_000);
  stage.tell(`for ${seconds(ms)}`);
  nats.pause();
  await pause(ms);
  nats.resume();
}

async function take(stage: Stage, streams: readonly string[]): Promise<void> {
  const stream = pick(stage, streams);
  stage.tell(stream);
  await stage.deleteStream(stream);
  if (stream === KEYS) stage.told.keysTakenAt = Date.now();
}

async function damagedBucket(stage: Stage): Promise<void> {
  const { nats } = stage.deployment;
  const bucket = pick(stage, BUCKETS);
  await nats.kill();
  const blocks = (await filesBelow(nats.store)).filter(
    (file) => file.includes(`/${bucket}/`) && file.endsWith('.blk'),
  );
  if (blocks.length > 0) {
    stage.tell(`${bucket}: ${await damageFile(pick(stage, blocks), stage.random)}`);
  }
  await nats.restart();
  if (blocks.length > 0 && bucket === KEYS) stage.told.keysTakenAt = Date.now();
}

async function killStore(stage: Stage): Promise<void> {
  const { store } = stage.deployment;
  const ms = upTo(stage, 8_000);
  stage.tell(`for ${seconds(ms)}`);
  await store.kill();
  await pause(ms);
  await store.restart();
}

async function storeStandsStill(stage: Stage): Promise<void> {
  const { store } = stage.deployment;
  const ms = 500 + upTo(stage, 8_000);
  stage.tell(`for ${seconds(ms)}`);
  store.pause();
  await pause(ms);
  store.resume();
}

/** The processes are paused, so that the lost answers are known. */
async function spoolGone(stage: Stage): Promise<void> {
  const { deployment, told } = stage;
  const members = deployment.of('knowledge');
  for (const member of members) member.pause();
  try {
    for (const host of HOSTS) {
      const waited = await removeSpools(deployment.dataOf(host));
      for (const id of waited) told.destroyed.add(id);
      if (waited.length > 0) stage.tell(`${waited.length} answers waited there`);
    }
  } finally {
    for (const member of members) member.resume();
  }
}

async function tablesGone(stage: Stage): Promise<void> {
  const [host, table] = [pick(stage, HOSTS), pick(stage, TABLES)];
  stage.tell(`${table} of host ${host}`);
  await removeTables(stage.deployment.dataOf(host), table);
}

async function damagedTables(stage: Stage): Promise<void> {
  const { deployment } = stage;
  const host = pick(stage, HOSTS);
  const members = deployment.of('audit', 'trading').filter((member) => member.host === host);
  await Promise.all(members.map((member) => member.end('kill')));
  const folder = deployment.dataOf(host);
  for (const file of await filesBelow(folder)) {
    if (TABLES.some((table) => file.endsWith(`/${table}`)))
      stage.tell(`host ${host}: ${await damageFile(file, stage.random)}`);
  }
  for (const member of members) void member.start();
}

async function snapshotsGone(stage: Stage): Promise<void> {
  const { deployment } = stage;
  const host = pick(stage, HOSTS);
  stage.tell(`of host ${host}`);
  await removeTables(deployment.dataOf(host), 'index');
  await removeTables(deployment.dataOf(host), 'snapshots');
}

const HOSTS: readonly Host[] = ['a', 'b'];

const upTo = ({ random }: Stage, most: number): number => random() * most;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const pick = <T>({ random }: Stage, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;

export function shuffled<T>({ random }: Pick<Stage, 'random'>, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
