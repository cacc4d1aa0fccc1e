import { setImmediate as nextTurn } from 'node:timers/promises';
import { ErrorCode, Events, headers as createHeaders, type NatsConnection } from 'nats';
import { BelegError } from '../../../../events/errors.ts';
import { connectNats, type NatsSettings } from '../../../../events/nats/connection.ts';
import { POSITION_HEADER, toOutgoing } from '../../../../events/relay/outgoing.ts';
import type { RecordedEvent } from '../../../../events/store/store.ts';
import type { Sink } from './sink.ts';
import { UsageError } from '../../failure.ts';

/** What is on its way before the server is asked whether it has it. */
const MAX_EVENTS = 256;
const MAX_BYTES = 1024 * 1024;

const REPLAYS = 'beleg.v1.replay.';

/** @throws {UsageError} for a subject that cannot be published to, or whose messages would be taken for what happens now */
export function assertReplaySubject(subject: string): void {
  const fault = !/^[^\s.*>\p{Cc}]+(\.[^\s.*>\p{Cc}]+)*$/u.test(subject)
    ? 'is not a subject that can be published to'
    : subject.startsWith('$') || subject.startsWith('_INBOX')
      ? 'is reserved for NATS'
      : subject.startsWith('beleg.v1.') && !subject.startsWith(REPLAYS)
        ? `would look like live events; for replays, use ${REPLAYS}…`
        : undefined;
  if (fault !== undefined) throw new UsageError(`--to-subject ${JSON.stringify(subject)} ${fault}`);
}

export interface SubjectSink extends Sink {
  close(): Promise<void>;
}

/**
 * Publishes events as the relay does, to one subject, with the header `Beleg-Replay: true`. `flush` rejects where the
 * server refused some, or the connection broke: then what came after the last flush may be missing.
 */
export async function openSubjectSink(nats: NatsSettings, subject: string): Promise<SubjectSink> {
  assertReplaySubject(subject);
  const connection = await connectNats(nats, { name: 'beleg-replay', waitOnFirstConnectMs: 2_000 });
  const failed = watch(connection, subject);
  let [count, bytes] = [0, 0];
  const flush = async (): Promise<void> => {
    [count, bytes] = [0, 0];
    await Promise.race([connection.flush(), failed]);
    // The server speaks of what it refused before it answers, but to another listener.
    await Promise.race([nextTurn(), failed]);
  };
  return {
    async send(event) {
      bytes += publish(connection, subject, event);
      if (++count >= MAX_EVENTS || bytes >= MAX_BYTES) await flush();
    },
    flush,
    close: () => connection.close(),
  };
}

function publish(connection: NatsConnection, subject: string, event: RecordedEvent): number {
  const outgoing = toOutgoing({ subject: () => subject }, event);
  const headers = createHeaders();
  for (const [name, value] of Object.entries(outgoing.headers)) headers.set(name, value);
  headers.set(POSITION_HEADER, outgoing.position);
  headers.set('Beleg-Replay', 'true');
  connection.publish(subject, outgoing.data, { headers });
  return outgoing.data.byteLength;
}

/** Rejects with the first fault; never resolves. */
function watch(connection: NatsConnection, subject: string): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const fail = (detail: string) => reject(new BelegError('SERVICE_UNAVAILABLE', { detail }));
  void (async () => {
    for await (const { type, data: code } of connection.status()) {
      if (type === Events.Disconnect) fail('the connection to NATS was lost: the last events may be missing');
      if (type !== Events.Error) continue;
      if (code === FORBIDDEN) fail(`NATS does not allow this user to publish to ${subject}`);
      else fail('NATS reported an error');
    }
  })();
  return promise;
}

const FORBIDDEN: string = ErrorCode.PermissionsViolation;
