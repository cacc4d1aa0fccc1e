import { pino } from 'pino';
import { isBelegError } from '../../../events/errors.ts';
import { connectNats, type NatsSettings } from '../../../events/nats/connection.ts';
import type { Settings } from '../../config.ts';
import { openModelServer } from '../../knowledge/model-server/chat.ts';
import { ADVICE } from '../../knowledge/model-server/reasons.ts';
import { openSharedRecord } from '../../runtime.ts';
import { messageOf } from '../failure.ts';
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
      'look at NATS_URL, the credentials (NATS_USER …), and whether the server runs',
    );
  }
  const server = `${connection.info?.server_name ?? ''} ${connection.info?.version ?? ''}`.trim();
  try {
    if (connection.info?.jetstream !== true) {
      return fault(
        what,
        `${server} has no JetStream`,
        'switch it on in the configuration of the server (nats.conf)',
      );
    }
    await connection.jetstreamManager({ timeout: WAIT_MS });
    return ok(what, `${server}, with JetStream${nats.user === undefined ? '' : `, as ${nats.user}`}`);
  } catch (error) {
    const advice = `give the user ${nats.user ?? ''} the rights that stand in nats.conf`;
    return fault(what, `${server} lets us in, but not to JetStream (${messageOf(error)})`, advice);
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
    return ok(what, 'reached; this user may write, and read all of the record');
  } catch (error) {
    const detail = isBelegError(error) ? (error.detail ?? error.title) : messageOf(error);
    return fault(what, detail, 'look at EVENTSTORE_URL, its user and password, and tls and tlsCAFile in it');
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
    if (reason === null) return ok(what, `${modelServer.name} answers a small question, and rightly`);
    return fault(what, `${modelServer.name}: ${reason}`, ADVICE[reason]);
  } finally {
    watch.close();
  }
}
