import { ErrorCode, NatsError, type JetStreamManager, type StreamInfo } from 'nats';
import { pino } from 'pino';
import { isBelegError } from '../../../events/errors.ts';
import { isNotFound, LEASES_BUCKET } from '../../../events/nats/bucket.ts';
import { FREE_SUBJECTS, isForbidden, ownerOf, takenBy } from '../../../events/nats/ensure-stream.ts';
import { keptSince } from '../../../events/relay/kept-since.ts';
import { EVENTS_STREAM, EVENTS_SUBJECT } from '../../../events/relay/outlet.ts';
import { foreignIn } from '../../../events/relay/relay-note.ts';
import { connectNats, type NatsSettings } from '../../../events/nats/connection.ts';
import type { Settings } from '../../composition/settings.ts';
import { openModelServer } from '../../knowledge/model-server/chat.ts';
import { ADVICE } from '../../knowledge/model-server/failure-reasons.ts';
import { openSharedRecord } from '../../composition/runtime.ts';
import { count } from '../number-format.ts';
import { messageOf } from '../report-failure.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

const WAIT_MS = 3_000;

/** Checks whether NATS accepts our login and persists messages (JetStream). */
export async function lookAtNats(nats: NatsSettings): Promise<Finding> {
  const what = 'NATS';
  let connection;
  try {
    connection = await connectNats(nats, { name: 'beleg-doctor', waitOnFirstConnectMs: WAIT_MS });
  } catch (error) {
    return fault(
      what,
      messageOf(error),
      'check NATS_URL, the credentials (NATS_USER …), and that a NATS server is running there',
    );
  }
  const server = `${connection.info?.server_name ?? ''} ${connection.info?.version ?? ''}`.trim();
  try {
    if (connection.info?.jetstream !== true) {
      return fault(
        what,
        `JetStream is switched off on ${server}`,
        'switch it on in the server configuration (nats.conf)',
      );
    }
    const as = nats.user === undefined ? '' : `, as ${nats.user}`;
    const manager = await connection.jetstreamManager({ timeout: WAIT_MS, checkAPI: false });
    const leases = await streamOf(manager, `KV_${LEASES_BUCKET}`);
    if (leases === 'forbidden') return judgeNoJetStream(nats.user, `${server}${as}`);
    const events = await streamOf(manager, EVENTS_STREAM);
    const owner = events === 'none' ? await ownerOf(manager, EVENTS_SUBJECT, EVENTS_STREAM) : undefined;
    if (owner !== undefined) return fault(what, takenBy(owner, EVENTS_SUBJECT, EVENTS_STREAM), FREE_SUBJECTS);
    const lost = typeof events === 'object' ? judgeEvents(events, await foreignIn(manager)) : null;
    return lost ?? ok(what, `${server}, with JetStream${as}`);
  } catch (error) {
    if (isTimeout(error)) {
      return warning(
        what,
        `${server} accepts the connection, but JetStream gave no answer within ${WAIT_MS / 1_000} seconds`,
        'it may be busy: try again in a minute, then look into the log of the NATS server',
      );
    }
    return fault(
      what,
      `${server} accepts the connection, but JetStream cannot be used (${messageOf(error)})`,
      'see that the account of this user has JetStream (nats.conf), and look into the log of the NATS server',
    );
  } finally {
    await connection.close();
  }
}

/**
 * Makes the queries that every service makes at its start if it uses JetStream; none of them needs an operator's
 * rights.
 */
async function streamOf(manager: JetStreamManager, name: string): Promise<StreamInfo | 'none' | 'forbidden'> {
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if (isNotFound(error)) return 'none';
    if (isForbidden(error)) return 'forbidden';
    throw error;
  }
}

/** Reports if subscribers get messages of others, or, after they were offline, fewer days of events than promised. */
export function judgeEvents(info: Pick<StreamInfo, 'config' | 'state'>, foreign = 0): Finding | null {
  if (foreign > 0)
    return warning(
      'NATS',
      `others have published ${count(foreign, 'message')} among the events of ${EVENTS_STREAM}, which only the relay may; subscribers get them, the record has none of them`,
      'give each user the rights of nats.conf, and find who publishes below beleg.v1.evt: the log of the audit service names subjects',
    );
  const since = keptSince(info);
  if (since === undefined) return null;
  return warning(
    'NATS',
    `${EVENTS_STREAM} is full and begins at ${since}: subscribers that were away longer miss events`,
    'set NATS_EVENTS_MIB higher if the disk of NATS has room; what is missed stays in the record',
  );
}

/** The finding if the user may not use JetStream. Of the users in nats.conf only the gateway needs none. */
function judgeNoJetStream(user: string | undefined, found: string): Finding {
  const what = 'NATS';
  if (user === 'gateway') return ok(what, `${found}, which needs no JetStream`);
  return fault(
    what,
    `${found}: this user may not use JetStream, which every service but the gateway needs`,
    'give it the rights that nats.conf lists for its service',
  );
}

const isTimeout = (error: unknown): boolean =>
  error instanceof NatsError && error.code === (ErrorCode.Timeout as string);

/** Checks whether EventStoreDB accepts our login, lets us write, and lets us read the whole record. */
export async function lookAtEventStore(distributed: NonNullable<Settings['distributed']>): Promise<Finding> {
  const what = 'EventStoreDB';
  const store = await openSharedRecord(distributed);
  try {
    await store.ping();
    for await (const _ of store.readAll({ direction: 'backwards', limit: 1 })) break;
    return ok(what, 'connected; this user can write and can read all events');
  } catch (error) {
    const detail = isBelegError(error) ? (error.detail ?? error.title) : messageOf(error);
    return fault(
      what,
      detail,
      'see that EventStoreDB runs at the address in EVENTSTORE_URL; if it does, check the user, password, tls and tlsCAFile there',
    );
  } finally {
    await store.close();
  }
}

/** Sends the language model one small question. */
export async function lookAtModel({ modelServer, askBudgetMs }: Settings): Promise<Finding | null> {
  if (modelServer === null) return null;
  const what = 'model server';
  const logger = pino({ level: 'silent' });
  const { watch } = openModelServer({ ...modelServer, probeMs: askBudgetMs, logger });
  try {
    const reason = await watch.look();
    if (reason === null) return ok(what, `${modelServer.name} answered a test question correctly`);
    return fault(what, `${modelServer.name}: ${reason}`, ADVICE[reason]);
  } finally {
    watch.close();
  }
}
