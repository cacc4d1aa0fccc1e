import { setTimeout as delay } from 'node:timers/promises';
import { readSettings, SettingsError, type Settings } from '../../config.ts';
import { openRecord } from '../../runtime.ts';
import { count } from '../figures.ts';
import { writeTo } from '../output.ts';
import type { Clock } from './replay/pace.ts';
import { showProgress } from './replay/progress.ts';
import { runReplay, type ReplayOptions } from './replay/run.ts';
import { createLineSink } from './replay/sink.ts';
import { assertReplaySubject, openSubjectSink, type SubjectSink } from './replay/subject-sink.ts';
import { EXIT } from '../failure.ts';

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
