import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { evolveRecorded, kindOf } from '../../actors/streams/streams.ts';
import { MARKET } from '../../actors/streams/models.ts';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { ERASURES_STREAM } from '../../events/catalog/audit.ts';
import { COMMENTS_STREAM } from '../../events/catalog/feedback.ts';
import { askStream } from '../../events/catalog/knowledge.ts';
import { MODELS_STREAM } from '../../events/catalog/models.ts';
import { accountStream } from '../../events/catalog/trading.ts';
import { createCodec, type Codec, type DomainEvent } from '../../events/define.ts';
import { BelegError } from '../../events/errors.ts';
import { Erase, MakeCheckpoint } from '../../events/messages/audit.ts';
import { Comment, Rate } from '../../events/messages/feedback.ts';
import { Ask, Reindex } from '../../events/messages/knowledge.ts';
import { ModelStatus, TrainModel } from '../../events/messages/models.ts';
import { ClosePosition, StartTrading, StopTrading, SubmitOrder } from '../../events/messages/trading.ts';
import type { Projection } from '../../events/projections/projection.ts';
import { ProjectionTables } from '../../events/projections/tables.ts';
import { describeFinding } from '../../events/proof/finding-words.ts';
import { verifyRecord } from '../../events/proof/verify.ts';
import { MemoryStore } from '../../events/store/memory-store.suite.ts';
import type { RecordedEvent } from '../../events/store/store.ts';
import { openText } from '../../events/vault/seal.ts';
import { NO_VAULT } from '../../events/vault/vault.ts';
import { auditProjection } from '../../services/audit/projection.ts';
import { readTradingRecord } from '../../services/trading/record-check.suite.ts';
import { tradingProjection } from '../../services/trading/tables/projection.ts';
import { tradingTablesIn } from '../../services/trading/tables/run-tables.ts';
import type { Client, Told } from './clients.ts';
import type { Role, Running } from './service-process.ts';
import type { Machine, World } from './world.ts';

/** Milliseconds within which everything must have ended after the last fault. */
const REST_WITHIN = 90_000;

/** The parts that one process at a time has, wherever the service of the role runs. */
const PARTS: readonly (readonly [Role, part: string, isHeld: (running: Running) => boolean])[] = [
  ['trading', 'the account', ({ trading }) => trading?.status().held === true],
  ['market', 'the market', ({ market }) => (market?.status() ?? null) !== null],
  ['models', 'the model', ({ models }) => (models?.status() ?? null) !== null],
  ...(['projection', 'comments', 'checkpoints'] as const).map(
    (part) => ['audit', part, ({ audit }: Running) => (audit?.status()[part] ?? null) !== null] as const,
  ),
];

/** What is still going on; empty once everything is at rest. */
function unrest(world: World): string[] {
  const { simulation, machines, ledger, network } = world;
  const left: string[] = [];
  if (network.waiting.size > 0) left.push(`${network.waiting.size} answers are waited for`);
  for (const { name, running, process } of machines) {
    if ((process?.stalledUntil ?? 0) > simulation.now) left.push(`${name} stalls`);
    if ((process?.appending.size ?? 0) > 0) left.push(`${name}: an append is on its way`);
    if (running === null) {
      left.push(`${name} does not run`);
      continue;
    }
    const { knowledge, audit, trading, market, models } = running;
    if (models?.status()?.training_active === true) left.push(`${name} trains`);
    const asks = knowledge?.status();
    if (asks !== undefined && asks.spooled > 0) left.push(`${name}: ${asks.spooled} events spooled`);
    if (asks !== undefined && asks.asks.running + asks.asks.queued > 0) left.push(`${name}: asks run`);
    const projection = audit?.status().projection;
    if (projection && projection.state !== 'live') left.push(`${name}: audit tables are ${projection.state}`);
    if ((audit?.status().comments?.waiting ?? 0) > 0) left.push(`${name}: comments wait`);
    const { status: loaded = 'ready' } = market?.status() ?? {};
    // If no ticker could be fetched, old data is enough; missing data must be loaded.
    if (loaded !== 'ready' && loaded !== 'stale') left.push(`${name}: the market is ${loaded}`);
    const figures = trading?.status();
    if (figures?.held === true) {
      if (figures.reconciling || figures.waiting > 0) left.push(`${name}: account is not settled`);
      if (!figures.tables_live) left.push(`${name}: trading tables are behind`);
      if (!figures.feed_waiting) left.push(`${name}: sessions go on`);
    }
  }
  // A running update of the market is noted on the disk of its machine.
  for (const [stream, events] of ledger.streams) {
    if (!MARKET.matches(stream) || events.at(-1)!.type === 'MarketUpdateFinished') continue;
    const { process, isLate } = world.written.get(events[0]!.id)!;
    const { running } = world.machineOf(process)!;
    if (!isLate && running?.market?.status()) left.push(`${stream} is left where it is`);
  }
  const running = machines.flatMap((machine) => machine.running ?? []);
  for (const [role, part, isHeld] of PARTS) {
    const holders = running.filter((each) => isHeld(each)).length;
    if (machines.some((machine) => machine.role === role) && holders !== 1)
      left.push(`${holders} processes hold ${part}`);
  }
  if (machines.some(({ role }) => role === 'audit')) {
    const ofType = (wanted: string): number =>
      ledger.stream(ERASURES_STREAM).filter(({ type }) => type === wanted).length;
    if (ofType('ErasureRequested') !== ofType('TextErased')) left.push('an erasure is under way');
  }
  return left;
}

/** Waits until everything that began has ended, and reports what has not. */
export async function checkRest(world: World, client: Client): Promise<void> {
  const { simulation, scenario } = world;
  if (!(await comesToRest(world))) return;
  // The holder of an account only learns of a late write of an earlier holder when it writes itself.
  if (world.endsLate(accountStream('main'))) {
    // With a wrong clock each call would be too late.
    for (const { process } of world.machines) if (process !== null) process.skewMs = 0;
    await client.succeed(StopTrading);
    await client.succeed(StartTrading);
    if (!(await comesToRest(world))) return;
  }
  if (scenario.roles.includes('audit')) await client.succeed(MakeCheckpoint);
  if (scenario.roles.includes('models')) {
    const status = await client.succeed(ModelStatus);
    const put = world.ledger.stream(MODELS_STREAM).findLast(({ type }) => type === 'ModelPutToUse');
    const { weights = null } = (put?.data ?? {}) as { weights?: string };
    if (status?.error === null && status.weights !== weights && !world.endsLate(MODELS_STREAM))
      simulation.fault(`${String(status.weights)} is in use, and ${String(weights)} on record`);
  }
  // The last actions must end, too, so that memory is compared with a record that no longer changes.
  await comesToRest(world);
}

async function comesToRest(world: World): Promise<boolean> {
  const { simulation } = world;
  const until = simulation.now + REST_WITHIN;
  let calm = 0;
  // Longer than any pause before a retry.
  for (let events = -1; calm < 6;) {
    await simulation.sleep(250);
    const left = unrest(world);
    calm = left.length === 0 && events === world.ledger.all.length ? calm + 1 : 0;
    events = world.ledger.all.length;
    if (simulation.now <= until) continue;
    simulation.fault(`no rest: ${left.join('; ') || 'the record grows'}`);
    return false;
  }
  return true;
}

/** Compares the record, the live states and the tables with each other, and with what clients were told. */
export async function checkEnd(world: World, told: readonly Told[]): Promise<void> {
  const { simulation, ledger, machines } = world;
  const codec = codecOf(world);
  const reader = new MemoryStore(ledger);
  const fault = (what: string): void => simulation.fault(what);
  const events = await Promise.all(
    ledger.all.map(async (recorded): Promise<Decoded> => ({
      recorded,
      event: (await codec.decode(recorded))!,
    })),
  );

  const record = await verifyRecord(reader, outsideOf(world));
  for (const finding of record.findings) fault(`the record does not verify: ${describeFinding(finding)}`);
  const ids = new Set<string>();
  for (const { stream, type, id } of ledger.all)
    if (ids.size === ids.add(id).size) fault(`${stream} has ${type} ${id} twice`);
  await checkStates(world, events);
  checkDone(world, told);
  if (machines.some(({ role }) => role === 'trading')) {
    const { faults } = await readTradingRecord(reader, codec, 'main');
    faults.forEach((each) => fault(`trading: ${each}`));
    checkOrders(world, told);
  }
  if (machines.some(({ role }) => role === 'audit')) {
    checkComments(world, told);
    checkAsks(world);
    checkErased(world, told, events);
  }
  for (const machine of machines) await checkTables(world, machine, events);
}

/** The events that prove that something was done. */
const DONE: Readonly<Record<string, readonly string[]>> = {
  [Ask.subject]: ['AnswerGiven'],
  [Rate.subject]: ['AnswerRated'],
  [Comment.subject]: ['CommentRecorded'],
  [Erase.subject]: ['TextErased'],
  [Reindex.subject]: ['IndexBuilt'],
  [TrainModel.subject]: ['TrainingStarted', 'TrainingResumed'],
  [SubmitOrder.subject]: ['OrderSubmitted'],
  [ClosePosition.subject]: ['OrderSubmitted'],
};

type Ids = Readonly<Record<'request_id' | 'order_id', string>>;

/** Acknowledged calls are on record, and none twice. Events of an ask that were lost were counted. */
function checkDone(world: World, told: readonly Told[]): void {
  const { ledger, simulation } = world;
  const losses = lossesOf(world);
  const found = Map.groupBy(ledger.all, ({ type, metadata }) => `${type} ${metadata.$causationId}`);
  const done = new Set(found.keys());
  // An erasure is identified by its request, and an order by its client's own id, whoever sent it.
  for (const { type, data } of ledger.all) {
    const { request_id, order_id } = data as Partial<Ids>;
    if (type === 'TextErased' || type === 'OrderSubmitted') done.add(`${type} ${request_id ?? order_id}`);
  }
  for (const { what, callId, requestId, code, reply } of told) {
    const types = DONE[what];
    if (types === undefined) continue;
    const times = types.flatMap((type) => found.get(`${type} ${callId}`) ?? []).length;
    if (times > 1) simulation.fault(`${what} ${callId} is on record ${times} times`);
    if (code !== null) continue;
    const { order_id, ratings_enabled } = reply as Partial<Ids> & { ratings_enabled?: boolean };
    const id = what === Erase.subject ? requestId : (order_id ?? callId);
    const isLost = ratings_enabled === false && losses.some(({ stream }) => stream === askStream(requestId));
    if (!isLost && !types.some((type) => done.has(`${type} ${id}`)))
      simulation.fault(`${what} ${callId} was acknowledged and is not on record`);
  }
}

/** A comment has the number that its writer was told. */
function checkComments({ ledger, simulation }: World, told: readonly Told[]): void {
  const comments = ledger.stream(COMMENTS_STREAM);
  for (const { what, callId, code, reply } of told) {
    if (what !== Comment.subject || code !== null) continue;
    const { comment_id } = reply as { comment_id: number };
    if (comments[comment_id - 1]?.metadata.$causationId !== callId)
      simulation.fault(`comment ${callId} is not ${comment_id}, as its writer was told`);
  }
}

/** An ask whose process died may have no end. Every other ask has exactly one. */
function checkAsks(world: World): void {
  if (world.crashes > 0 || lossesOf(world).length > 0) return;
  for (const [stream, events] of world.ledger.streams) {
    if (!stream.startsWith('ask-')) continue;
    const ended = new Set(
      events.filter(({ type }) => type === 'AnswerGiven' || type === 'AskFailed').map(causeOf),
    );
    const begun = new Set(events.filter(({ type }) => type === 'QuestionAsked').map(causeOf));
    for (const call of begun.difference(ended)) world.simulation.fault(`ask ${call} in ${stream} has no end`);
  }
}

/** The losses that services have reported: neither stored nor spooled. */
const lossesOf = ({ losses, machines }: World): World['losses'] => [
  ...losses,
  ...machines.flatMap(({ running }) => running?.losses ?? []),
];

const causeOf = ({ metadata }: RecordedEvent): string => metadata.$causationId;

/**
 * An acknowledged order was not withdrawn. An order that was reported as not recorded is withdrawn before anything else
 * is written.
 */
function checkOrders(world: World, told: readonly Told[]): void {
  const { ledger, simulation } = world;
  const account = ledger.stream(accountStream('main'));
  const withdrawn = new Set(
    account.flatMap(({ type, data }) => (type === 'OrderWithdrawn' ? [(data as Partial<Ids>).order_id] : [])),
  );
  for (const { what, callId, tries, code, reply } of told) {
    if (what !== SubmitOrder.subject && what !== ClosePosition.subject) continue;
    if (code === null) {
      const { order_id } = reply as Ids;
      if (withdrawn.has(order_id)) simulation.fault(`order ${order_id} was acknowledged and is withdrawn`);
    }
    if (code !== 'STORE_UNAVAILABLE' || tries > 1) continue;
    const at = account.findIndex((event) => event.type === 'OrderSubmitted' && causeOf(event) === callId);
    if (at === -1) continue;
    const order = account[at]!;
    const { order_id } = order.data as unknown as Ids;
    const own = world.written.get(order.id)!;
    const wroteMore = account.slice(at).some(({ id }) => {
      const append = world.written.get(id)!;
      return append !== own && append.process === own.process && append.term === own.term;
    });
    if (wroteMore && !withdrawn.has(order_id))
      simulation.fault(`of order ${order_id} the client was told that nothing is on record, and it stands`);
  }
}

/** No erased text has come back. */
function checkErased(
  { simulation, machines, ledger }: World,
  told: readonly Told[],
  events: readonly Decoded[],
): void {
  const gone = new Set(
    told.flatMap(({ what, code, requestId }) => (what === Erase.subject && code === null ? [requestId] : [])),
  );
  for (const { name, running, settings } of machines) {
    if (gone.size === 0 || !running?.audit?.projection) continue;
    const tables = dumpOf(settings.audit.dbPath);
    for (const id of gone) {
      if (tables.includes(`geheim${id}`))
        simulation.fault(`text of ${id} is in the audit tables of ${name} after its erasure`);
    }
  }
  for (const { event, recorded } of events) {
    if (gone.has(recorded.metadata.key ?? '') && /geheim/u.test(JSON.stringify(event.data)))
      simulation.fault(`${recorded.type} at ${recorded.position} still opens after its erasure`);
  }
  if (ledger.all.some(({ data }) => /geheim/u.test(JSON.stringify(data))))
    simulation.fault('free text is on record in clear');
}

/** Live equals replayed: the state in the memory of each process is the fold of its streams. */
async function checkStates(
  { machines, simulation, endsLate }: World,
  events: readonly Decoded[],
): Promise<void> {
  const replayed = Map.groupBy(events, ({ recorded }) => recorded.stream);
  for (const { name, running } of machines) {
    for (const [stream, hash] of Object.entries((await running?.stateHashes()) ?? {})) {
      const definition = kindOf(stream)!;
      const state = (replayed.get(stream) ?? []).reduce<unknown>(
        (folded, { event }) => evolveRecorded(definition, folded, event),
        definition.initial(),
      );
      if (definition.hash(state) !== hash && !endsLate(stream))
        simulation.fault(`${name}: ${stream} is another live than on replay`);
    }
  }
}

interface Decoded {
  readonly event: DomainEvent<string, unknown>;
  readonly recorded: RecordedEvent;
}

/** The tables of their writer equal those that are built from all events at once. */
async function checkTables(world: World, machine: Machine, events: readonly Decoded[]): Promise<void> {
  const { running, settings } = machine;
  const held: [Projection, string][] = [];
  if (running?.audit?.projection) held.push([auditProjection, settings.audit.dbPath]);
  if (running?.trading?.status().held === true)
    held.push([tradingProjection, tradingTablesIn(settings.dataDir)]);
  for (const [projection, file] of held) {
    const anew = join(settings.dataDir, 'anew.db');
    const tables = new ProjectionTables(anew, projection);
    const last = world.ledger.end;
    if (last !== undefined) {
      tables.advance(last, () => {
        for (const { event, recorded } of events) {
          if (projection.types?.includes(recorded.type) ?? true) projection.apply(tables, event, recorded);
        }
      });
    }
    tables.close();
    const [live, replayed] = [dumpOf(file), dumpOf(anew)];
    if (live !== replayed)
      world.simulation.fault(
        `${machine.name}: the tables of ${projection.name} are others when built anew: ${firstDifference(live, replayed)}`,
      );
  }
}

/** All rows of all tables except their position. */
function dumpOf(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = db
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('projections', 'origins') ORDER BY name",
      )
      .all()
      .map(({ name }) => String(name));
    return tables
      .filter((name) => !/_(?:data|idx|content|docsize|config)$/u.test(name))
      .map((name) => {
        const rows = db.prepare(`SELECT * FROM "${name}"`).all();
        return `${name}\n${rows
          .map((row) =>
            JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
          )
          .sort()
          .join('\n')}`;
      })
      .join('\n');
  } finally {
    db.close();
  }
}

function firstDifference(one: string, other: string): string {
  const [ones, others] = [one.split('\n'), other.split('\n')];
  const at = ones.findIndex((line, n) => line !== others[n]);
  return `${ones[at] ?? 'nothing'} | ${others[at] ?? 'nothing'}`;
}

/** The checkpoint file of the process that writes it. */
function outsideOf({ machines }: World) {
  const writer = machines.find(({ running }) => running?.audit?.status().checkpoints?.size !== undefined);
  const content = writer?.disk.contentOf(writer.settings.audit.checkpointFile);
  if (content === undefined) return {};
  const lines = content.toString().match(/[^\n]+/gu) ?? [];
  return { outside: () => Readable.from(lines) };
}

/** With the present keys. */
function codecOf({ keys }: World): Codec {
  return createCodec(CATALOG, {
    ...NO_VAULT,
    open: async (name, sealed, context) => {
      const key = keys.keyOf(name);
      if (key === undefined)
        throw new BelegError('STREAM_CORRUPT', { detail: `the key of ${name} is missing` });
      return key === null ? null : openText(key, name, sealed, context);
    },
  });
}
