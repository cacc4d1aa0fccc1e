import { setTimeout as delay } from 'node:timers/promises';
import { readSettings, SettingsError, type Settings } from '../../config.ts';
import { openRecord } from '../../runtime.ts';
import { count } from '../figures.ts';
import { writeTo } from '../output.ts';
import { type Clock, Pace } from './replay/pace.ts';
import { createLineSink, type Sink } from './replay/sink.ts';
import { assertReplaySubject, openSubjectSink, type SubjectSink } from './replay/subject-sink.ts';
import { EXIT } from '../failure.ts';
import type { Selection } from '../../../events/store/selection.ts';
import type { RecordedEvent } from '../../../events/store/store.ts';
import type { OpenRecord } from '../../record.ts';
import { startProgressBar } from '../progress-bar.ts';
import { readSelected } from './selection.ts';
import { openData } from './shown-event.ts';

/** What a timer can wait at once; a longer gap is waited for in parts. */
const MAX_TIMER_MS = 24 * 60 * 60 * 1000;

const CLOCK: Clock = {
  now: () => performance.now(),
  async sleep(ms) {
    const until = performance.now() + ms;
    for (let left = ms; left > 0; left = until - performance.now()) {
      await delay(Math.min(left, MAX_TIMER_MS));
    }
  },
};

/** `beleg audit replay`: recorded events out again, to standard output or to a NATS subject. */
export async function replay(options: ReplayOptions & { toSubject?: string }): Promise<void> {
  const { stdout, stderr } = process;
  const settings = readSettings(process.env);
  const subject = options.toSubject === undefined ? null : await openSubject(settings, options.toSubject);
  try {
    const record = await openRecord(settings);
    try {
      const shown = stderr.isTTY && (subject !== null || !stdout.isTTY);
      const progress = await showProgress(record, options, { shown });
      const start = performance.now();
      const sink = subject ?? createLineSink(writeTo(stdout));
      const sent = await runReplay(record, options, sink, {
        clock: CLOCK,
        onSent: progress.sent,
      }).finally(progress.stop);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      const where = options.toSubject === undefined ? '' : ` to ${options.toSubject}`;
      console.error(`beleg: ${count(sent, 'event')} replayed${where} in ${seconds} s`);
      if (sent === 0 && options.stream !== undefined) process.exitCode = EXIT.notFound;
    } finally {
      await record.close();
    }
  } finally {
    await subject?.close();
  }
}

async function openSubject({ distributed }: Settings, subject: string): Promise<SubjectSink> {
  assertReplaySubject(subject);
  if (distributed === null) {
    throw new SettingsError(['NATS_URL, EVENTSTORE_URL: needed by --to-subject']);
  }
  return openSubjectSink(distributed.nats, subject);
}

interface Progress {
  readonly sent: (event: RecordedEvent) => void;
  readonly stop: () => void;
}

const NONE: Progress = { sent: () => undefined, stop: () => undefined };

/** How far through the record, or through one stream, a replay is: on standard error, where that is a terminal. */
async function showProgress(
  { store }: Pick<OpenRecord, 'store'>,
  { stream }: Selection,
  { shown }: { readonly shown: boolean },
): Promise<Progress> {
  if (!shown) return NONE;
  const last = { direction: 'backwards', limit: 1 } as const;
  const placeOf = stream === undefined ? positionOf : ({ revision }: RecordedEvent) => Number(revision) + 1;
  let total = 0;
  for await (const event of stream === undefined ? store.readAll(last) : store.readStream(stream, last)) {
    total = placeOf(event);
  }
  const bar = startProgressBar('replaying', { shown });
  let sent = 0;
  return { sent: (event) => bar.update(placeOf(event), total, ++sent), stop: bar.stop };
}

/** Positions are opaque and in order; in both stores their first number grows with the record. */
const positionOf = ({ position }: RecordedEvent): number => Number.parseInt(position, 10);

export interface ReplayOptions extends Selection {
  readonly speed: number;
  readonly asFast?: true;
  readonly text?: true;
}

/**
 * Sends what is on record now to the sink, in order, each once. Nothing else is done because of it: who listens has to
 * heed that it is marked. Holds one page of events at a time, however many there are. Returns their number.
 */
export async function runReplay(
  record: Pick<OpenRecord, 'store' | 'codec' | 'since'>,
  options: ReplayOptions,
  sink: Sink,
  { clock, onSent }: { readonly clock: Clock; readonly onSent: (event: RecordedEvent) => void },
): Promise<number> {
  const pace = new Pace(options.asFast ? Infinity : options.speed, clock);
  let sent = 0;
  for await (const event of readSelected(record, options)) {
    const ms = pace.until(event.metadata.at);
    if (ms > 0) {
      await sink.flush();
      await clock.sleep(ms);
    }
    const room = sink.send(options.text ? { ...event, data: await openData(event, record.codec) } : event);
    if (room !== undefined) await room;
    onSent(event);
    sent++;
  }
  await sink.flush();
  return sent;
}
