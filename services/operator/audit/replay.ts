import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { ErrorCode, Events, headers as createHeaders, type NatsConnection } from 'nats';
import { readSettings, type Settings } from '../../composition/settings.ts';
import { SettingsError } from '../../foundation/settings-error.ts';
import { openRecord } from '../../composition/runtime.ts';
import { count } from '../number-format.ts';
import { writeTo } from '../output.ts';
import { createLineSink, type Sink } from './replay/sink.ts';
import { UsageError } from '../report-failure.ts';
import { EXIT } from '../exit-codes.ts';
import type { Selection } from '../../../events/store/selection.ts';
import type { RecordedEvent } from '../../../events/store/store.ts';
import type { OpenRecord } from '../../foundation/record.ts';
import { startProgressBar } from '../progress-bar.ts';
import { readSelected } from './event-selection.ts';
import { openData } from './shown-event.ts';
import { DAY_MS } from '../../../events/dates.ts';
import { BelegError } from '../../../events/errors.ts';
import { connectNats, type NatsSettings } from '../../../events/nats/connection.ts';
import { POSITION_HEADER, toOutgoing } from '../../../events/relay/event-message.ts';

/** A clock in monotonic milliseconds. It is injected, so that a test need not wait. */
interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** The longest wait of one timer; a longer gap takes several. */
const MAX_TIMER_MS = DAY_MS;

const CLOCK: Clock = {
  now: () => performance.now(),
  async sleep(ms) {
    const until = performance.now() + ms;
    for (let left = ms; left > 0; left = until - performance.now()) {
      await delay(Math.min(left, MAX_TIMER_MS));
    }
  },
};

/** `beleg audit replay`: sends recorded events to standard output or to a NATS subject. */
export async function replay(options: ReplayOptions & { toSubject?: string }): Promise<void> {
  const { stdout } = process;
  const settings = readSettings(process.env);
  await using subject =
    options.toSubject === undefined ? null : await openSubjectSink(natsOf(settings), options.toSubject);
  await using record = await openRecord(settings);
  using bar = startProgressBar('replaying', { shown: subject !== null || !stdout.isTTY });
  let replayed = 0;
  const start = performance.now();
  const sink = subject ?? createLineSink(writeTo(stdout));
  const onSent = (): void => bar.update(++replayed, null);
  const sent = await runReplay(record, options, sink, { clock: CLOCK, onSent });
  bar.stop();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const where = options.toSubject === undefined ? '' : ` to ${options.toSubject}`;
  console.error(`beleg: ${count(sent, 'event')} replayed${where} in ${seconds} s`);
  if (sent === 0 && options.stream !== undefined) process.exitCode = EXIT.notFound;
}

function natsOf({ distributed }: Settings): NatsSettings {
  if (distributed !== null) return distributed.nats;
  throw new SettingsError(['NATS_URL, EVENTSTORE_URL: needed by --to-subject']);
}

export interface ReplayOptions extends Selection {
  readonly speed: number;
  readonly asFast?: true;
  readonly text?: true;
}

/**
 * Sends the events that are on record now to the sink, each once and in order, at its original distance from the first,
 * divided by `speed`. An event with an earlier time than those before it is sent at once. Listeners must check the
 * replay mark, because nothing else keeps them from acting on the events. Holds one page of events at a time. Returns
 * the number of events.
 */
export async function runReplay(
  record: Pick<OpenRecord, 'store' | 'codec' | 'since'>,
  options: ReplayOptions,
  sink: Sink,
  { clock, onSent }: { readonly clock: Clock; readonly onSent: () => void },
): Promise<number> {
  let start: { readonly real: number; readonly recorded: number } | undefined;
  let sent = 0;
  for await (const event of readSelected(record, options)) {
    if (!options.asFast) {
      const recorded = Date.parse(event.metadata.at);
      // Waits are measured from the first event, so that their errors do not add up.
      start ??= { real: clock.now(), recorded };
      const ms = start.real + (recorded - start.recorded) / options.speed - clock.now();
      if (ms > 0) {
        await sink.flush();
        await clock.sleep(ms);
      }
    }
    const room = sink.send(options.text ? { ...event, data: await openData(event, record.codec) } : event);
    if (room !== undefined) await room;
    onSent();
    sent++;
  }
  await sink.flush();
  return sent;
}

/** The most events that are published before a flush. */
const MAX_EVENTS = 256;
const MAX_BYTES = 1024 * 1024;

const REPLAYS = 'beleg.v1.replay.';

/**
 * Checks a subject for a replay.
 *
 * @throws {UsageError} for a subject that cannot be published to, or whose messages would be taken for live events.
 */
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

/**
 * Publishes events as the relay does, to one subject, with the header `Beleg-Replay: true`. `flush` rejects if the
 * server refused an event or the connection broke; events after the last flush may then be missing.
 */
export async function openSubjectSink(nats: NatsSettings, subject: string): Promise<Sink & AsyncDisposable> {
  assertReplaySubject(subject);
  const connection = await connectNats(nats, { name: 'beleg-replay', waitOnFirstConnectMs: 2_000 });
  const failed = watch(connection, subject);
  let [count, bytes] = [0, 0];
  const flush = async (): Promise<void> => {
    [count, bytes] = [0, 0];
    await Promise.race([connection.flush(), failed]);
    // The server reports refused messages before it answers the flush, but through another listener.
    await Promise.race([nextTurn(), failed]);
  };
  return {
    async send(event) {
      bytes += publish(connection, subject, event);
      if (++count >= MAX_EVENTS || bytes >= MAX_BYTES) await flush();
    },
    flush,
    [Symbol.asyncDispose]: () => connection.close(),
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

/** Rejects with the first fault of the connection; never resolves. */
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
