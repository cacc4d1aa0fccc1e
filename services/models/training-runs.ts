import { randomBytes } from 'node:crypto';
import { access } from 'node:fs/promises';
import { isUnderWay } from '../../actors/training/lifecycle.ts';
import { canResume, type StartedRun } from '../../actors/training/training-run.ts';
import { trainingStream } from '../../events/catalog/models.ts';
import { BelegError } from '../../events/errors.ts';
import type { CallContext } from '../../events/messages/define.ts';
import { stateHashOf, type StateHashes } from '../foundation/streams/state-hashes.ts';
import { recordedSettings } from './configuration.ts';
import { writeBars } from './data/bars.ts';
import { collectBars } from './data/collect.ts';
import { feedDay, marketSource } from './feed-day.ts';
import type { ModelParts } from './model-parts.ts';
import { runUnderWay, type RunRecord, type RunUnderWay } from './run-under-way.ts';

/** The training runs: the newest one, and whether it is under way. */
export function trainingRuns(options: ModelParts) {
  const { bus, models, records, trainer, files, logger, now, actors, giveUp } = options;
  const { spec, training, provider, threads } = options.settings;
  let newest: RunRecord | null = null;
  let underWay: RunUnderWay | null = null;

  const newestRun = (): StartedRun | null => {
    const state = newest?.state;
    return state === undefined || state.status === 'idle' ? null : state;
  };

  async function findNewest(call: CallContext): Promise<RunRecord | null> {
    // Runs that were opened but had not begun when the store went away do not count.
    for (const run of models.state.runs.toReversed()) {
      const record = await records.open(trainingStream(run));
      await record.read(() => undefined, call);
      if (record.state.status !== 'idle') return record;
    }
    return null;
  }

  /**
   * Whether the newest run can be resumed with these settings and the present market. If the market does not answer,
   * the data on disk is enough.
   */
  async function canGoOn(settings: ReturnType<typeof recordedSettings>, call: CallContext): Promise<boolean> {
    const run = newestRun();
    if (run?.status !== 'interrupted') return false;
    const [source, day] = await Promise.all([marketSource(bus, call), feedDay(bus, call).catch(() => null)]);
    return canResume(run, { settings, source, day });
  }

  async function openRun(
    settings: ReturnType<typeof recordedSettings>,
    call: CallContext,
  ): Promise<RunRecord> {
    const as_of = await feedDay(bus, call);
    const source = await marketSource(bus, call);
    const run = newRun(now());
    const record = records.of(trainingStream(run));
    await models.submit({ type: 'open-run', run }, call);
    await record.submit(
      {
        type: 'start-training',
        run,
        plan: { settings, as_of, ...(source === undefined ? {} : { source }), provider },
      },
      call,
    );
    return record;
  }

  function begin(record: RunRecord, resume: boolean, call: CallContext): RunUnderWay {
    const { run, plan } = newestRun()!;
    const log = logger.child({ run });
    log.info({ as_of: plan.as_of, resumed: resume }, 'training started');
    const job = { run, folder: files.run(run), spec, settings: training, provider, threads, resume };
    return runUnderWay({
      record,
      gather: (signal) => gather(run, plan.as_of, signal, call),
      start: (listener) => trainer.start(job, listener),
      correlationId: call.correlationId,
      logger: log,
      actors,
      run,
      giveUp,
    });
  }

  /** Collects the data of a run. A resumed run uses the data that it began with. */
  async function gather(
    run: string,
    asOf: string | null,
    signal: AbortSignal,
    call: CallContext,
  ): Promise<void> {
    const file = files.bars(run);
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    const bars = await collectBars(bus, asOf, signal, call);
    signal.throwIfAborted();
    await writeBars(file, bars);
  }

  return {
    get underWay(): RunUnderWay | null {
      return underWay;
    },
    /** The newest run on record; `null` before the first. */
    get newest(): StartedRun | null {
      return newestRun();
    },
    stateHashes(): StateHashes {
      return newest === null ? {} : stateHashOf(newest.stream, newest.state);
    },
    /** Finds the newest run, and closes it if a crash left it open. Rejects if the record cannot be read or written. */
    async restore(call: CallContext): Promise<void> {
      if (underWay !== null) return;
      newest = await findNewest(call);
      const run = newestRun();
      if (run === null || !isUnderWay(run.status)) return;
      await newest!.submit({ type: 'abandon-training', detail: null, step: null }, call);
      logger.warn({ run: run.run }, 'a training was interrupted; it can be resumed');
    },
    /**
     * Starts a run, or resumes the newest one. This is recorded before anything is done. Rejects with
     * `ALREADY_TRAINING`, if the record cannot be written, and as `feedDay` does.
     */
    async train(resume: boolean, call: CallContext): Promise<RunUnderWay> {
      if (underWay !== null) throw new BelegError('ALREADY_TRAINING');
      const settings = recordedSettings(options.settings);
      const resumed = resume && (await canGoOn(settings, call));
      const record = resumed ? newest! : await openRun(settings, call);
      if (resumed) await record.submit({ type: 'resume-training' }, call);
      newest = record;
      return (underWay = begin(record, resumed, call));
    },
    /** To be called when the run is over and its weights are put to use. */
    clear(): void {
      underWay = null;
    },
  };
}

export type Runs = ReturnType<typeof trainingRuns>;

/** An id that sorts by time: `20240131-093000-250-1f2e3d`. */
function newRun(now: Date): string {
  const time = now.toISOString().replaceAll(/[-:Z]/g, '').replaceAll(/[T.]/g, '-');
  return `${time}-${randomBytes(3).toString('hex')}`;
}
