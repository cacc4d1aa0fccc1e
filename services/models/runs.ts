import { randomBytes } from 'node:crypto';
import { access } from 'node:fs/promises';
import { isUnderWay } from '../../actors/training/lifecycle.ts';
import { canResume, type StartedRun } from '../../actors/training/run.ts';
import { trainingStream } from '../../events/catalog/models.ts';
import { BelegError } from '../../events/errors.ts';
import type { CallContext } from '../../events/messages/define.ts';
import { stateHashOf, type StateHashes } from '../state-hashes.ts';
import { recordedSettings } from './configuration.ts';
import { writeBars } from './data/bars.ts';
import { collectBars } from './data/collect.ts';
import { feedDay, marketSource } from './feed-day.ts';
import type { ModelParts } from './model-parts.ts';
import { RunUnderWay, type RunRecord } from './run-under-way.ts';

/** The runs of training: the newest one, which may be under way. */
export class Runs {
  readonly #options: ModelParts;
  #newest: RunRecord | null = null;
  #underWay: RunUnderWay | null = null;

  constructor(options: ModelParts) {
    this.#options = options;
  }

  get underWay(): RunUnderWay | null {
    return this.#underWay;
  }

  /** As recorded; `null` before the first. */
  get newest(): StartedRun | null {
    const state = this.#newest?.state;
    return state === undefined || state.status === 'idle' ? null : state;
  }

  stateHashes(): StateHashes {
    return this.#newest === null ? {} : stateHashOf(this.#newest.stream, this.#newest.state);
  }

  /** Finds the newest run, and closes it where a crash has left it open. Rejects as the record does. */
  async restore(call: CallContext): Promise<void> {
    if (this.#underWay !== null) return;
    this.#newest = await this.#findNewest(call);
    if (this.newest === null || !isUnderWay(this.newest.status)) return;
    await this.#newest!.submit({ type: 'AbandonTraining', detail: null, step: null }, call);
    this.#options.logger.warn({ run: this.newest.run }, 'a training was interrupted; it can be resumed');
  }

  /**
   * Begins a run, or goes on with the newest one. Nothing is done before that is on record. Rejects with
   * `ALREADY_TRAINING`, as the record does, and as `feedDay` does.
   */
  async train(resume: boolean, call: CallContext): Promise<RunUnderWay> {
    if (this.#underWay !== null) throw new BelegError('ALREADY_TRAINING');
    const settings = recordedSettings(this.#options.settings);
    const resumed = resume && (await this.#canGoOn(settings, call));
    const record = resumed ? this.#newest! : await this.#open(settings, call);
    if (resumed) await record.submit({ type: 'ResumeTraining' }, call);
    this.#newest = record;
    return (this.#underWay = this.#begin(record, resumed, call));
  }

  /** The run is over, and what follows from that is done. */
  clear(): void {
    this.#underWay = null;
  }

  async #findNewest(call: CallContext): Promise<RunRecord | null> {
    // One that could be opened only, before the store went away, has not begun.
    for (const run of this.#options.models.state.runs.toReversed()) {
      const record = await this.#options.records.open(trainingStream(run));
      await record.read(() => undefined, call);
      if (record.state.status !== 'idle') return record;
    }
    return null;
  }

  /** The newest run can, with these settings and on the market as it is. While the market does not say, what is on disk will do. */
  async #canGoOn(settings: ReturnType<typeof recordedSettings>, call: CallContext): Promise<boolean> {
    if (this.newest?.status !== 'interrupted') return false;
    const { bus } = this.#options;
    const [source, day] = await Promise.all([marketSource(bus, call), feedDay(bus, call).catch(() => null)]);
    return canResume(this.newest, { settings, source, day });
  }

  async #open(settings: ReturnType<typeof recordedSettings>, call: CallContext): Promise<RunRecord> {
    const { bus, models, now } = this.#options;
    const { provider } = this.#options.settings;
    const as_of = await feedDay(bus, call);
    const source = await marketSource(bus, call);
    const run = newRun(now());
    const record = this.#options.records.of(trainingStream(run));
    await models.submit({ type: 'OpenRun', run }, call);
    await record.submit(
      {
        type: 'StartTraining',
        run,
        plan: { settings, as_of, ...(source === undefined ? {} : { source }), provider },
      },
      call,
    );
    return record;
  }

  #begin(record: RunRecord, resume: boolean, call: CallContext): RunUnderWay {
    const { trainer, files, giveUp } = this.#options;
    const { spec, training, provider, threads } = this.#options.settings;
    const { run, plan } = this.newest!;
    const logger = this.#options.logger.child({ run });
    logger.info({ as_of: plan.as_of, resumed: resume }, 'training started');
    const job = { run, folder: files.run(run), spec, settings: training, provider, threads, resume };
    return new RunUnderWay({
      record,
      gather: (signal) => this.#gather(run, plan.as_of, signal, call),
      start: (listener) => trainer.start(job, listener),
      correlationId: call.correlationId,
      logger,
      giveUp,
    });
  }

  /** A run that goes on learns from what it has learnt from so far. */
  async #gather(run: string, asOf: string | null, signal: AbortSignal, call: CallContext): Promise<void> {
    const { bus, files } = this.#options;
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
}

/** Sorts by time: `20240131-093000-250-1f2e3d`. */
function newRun(now: Date): string {
  const time = now.toISOString().replaceAll(/[-:Z]/g, '').replaceAll(/[T.]/g, '-');
  return `${time}-${randomBytes(3).toString('hex')}`;
}
