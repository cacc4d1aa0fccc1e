import { pino } from 'pino';
import { isBelegError } from '../../../events/errors.ts';
import { connectNats, type NatsSettings } from '../../../events/nats/connection.ts';
import type { Settings } from '../../config.ts';
import { openModelServer } from '../../knowledge/model-server/chat.ts';
import { ADVICE } from '../../knowledge/model-server/failure-reasons.ts';
import { openSharedRecord } from '../../runtime.ts';
import { messageOf } from '../failure-and-exit-code.ts';
import { fault, ok, type Finding } from './finding.ts';

const WAIT_MS = 3_000;

/** Whether NATS lets us in, and keeps what is published (JetStream). */
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
    await connection.jetstreamManager({ timeout: WAIT_MS });
    return ok(what, `${server}, with JetStream${nats.user === undefined ? '' : `, as ${nats.user}`}`);
  } catch (error) {
    const advice = `give the user ${nats.user ?? ''} the rights listed in nats.conf`;
    return fault(
      what,
      `${server} accepts the connection, but does not allow JetStream (${messageOf(error)})`,
      advice,
    );
  } finally {
    await connection.close();
  }
}

/** Whether EventStoreDB lets us in, write, and read all of the record. */
export async function lookAtEventStore(distributed: NonNullable<Settings['distributed']>): Promise<Finding> {
  const what = 'EventStoreDB';
  const store = await openSharedRecord(distributed);
  try {
    await store.ping();
    for await (const _ of store.readAll({ direction: 'backwards', limit: 1 })) break;
    return ok(what, 'connected; this user can write and can read all events');
  } catch (error) {
    const detail = isBelegError(error) ? (error.detail ?? error.title) : messageOf(error);
    return fault(what, detail, 'check EVENTSTORE_URL: user, password, tls and tlsCAFile');
  } finally {
    await store.close();
  }
}

/** Asks the language model one small question. */
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
