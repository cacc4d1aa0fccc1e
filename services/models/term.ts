import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { MessageBus } from '../../events/bus/bus.ts';
import { MODELS_STREAM } from '../../events/catalog/models.ts';
import type { Codec } from '../../events/define.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import type { CallContext } from '../../events/messages/define.ts';
import type { BenchmarkReply, ModelStatusReply, Prediction } from '../../events/messages/models.ts';
import type { EventStore } from '../../events/store/store.ts';
import { Turns } from '../../events/turns.ts';
import type { ModelSettings } from '../config-trading.ts';
import type { Predictor } from './inference/predictor.ts';
import type { LatencyFigures } from './latency.ts';
import { ModelFiles } from './model-files.ts';
import { ModelInUse, MODELS_DECIDER, type ModelsRecord } from './model-in-use.ts';
import { Predictions } from './predictions.ts';
import type { RunUnderWay } from './run-under-way.ts';
import { Runs } from './runs.ts';
import { modelStatus } from './status.ts';
import { StreamRecord } from './stream-record.ts';
import type { TrainerPort } from './training/training.ts';
import type { Weights } from './weights/weights.ts';

export interface TermOptions {
  readonly bus: MessageBus;
  readonly store: EventStore;
  readonly codec: Codec;
  readonly logger: Logger;
  readonly settings: ModelSettings;
  readonly now: () => Date;
  readonly trainer: TrainerPort;
  readonly openPredictor: (weights: Weights) => Promise<Predictor>;
  /** Called when the term cannot go on: another holder has written, or the record does not add up. */
  readonly giveUp: () => void;
}

/** Milliseconds between tries of what has to be done and cannot, while the store is away. */
const RETRY_MS = 500;

/** The model in the hands of one process, while it holds the lease. */
export class Term {
  readonly #options: TermOptions;
  readonly #files: ModelFiles;
  readonly #models: ModelsRecord;
  readonly #runs: Runs;
  readonly #inUse: ModelInUse;
  readonly #predictions: Predictions;
  readonly #turns = new Turns();
  readonly #closing = new AbortController();
  readonly #closed = Promise.withResolvers<never>();
  #watching: Promise<void> = Promise.resolve();
  #benchmarking = false;
  #loading = false;
  /** What was tried last may be on record or not. */
  #unsure = false;

  private constructor(options: TermOptions, models: ModelsRecord) {
    const { bus, settings, openPredictor, giveUp } = options;
    this.#options = options;
    this.#models = models;
    this.#files = new ModelFiles(settings.folder);
    const shared = { ...options, files: this.#files };
    this.#runs = new Runs({ ...shared, models, onLost: giveUp });
    this.#inUse = new ModelInUse({ ...shared, record: models });
    const sequenceLength = settings.spec.sequence_length;
    this.#predictions = new Predictions({ bus, sequenceLength, openPredictor });
    // Whoever waits hears of it; without one there is nobody to tell.
    this.#closed.promise.catch(() => undefined);
  }

  /**
   * Reads the record, closes what a crash left open, and loads the weights last put to use. Rejects with
   * `STORE_UNAVAILABLE`, or `STREAM_CORRUPT`.
   */
  static async open(options: TermOptions): Promise<Term> {
    const term = new Term(options, await StreamRecord.open(MODELS_STREAM, MODELS_DECIDER, options));
    await term.#restore();
    return term;
  }

  get trainingActive(): boolean {
    return this.#runs.underWay !== null;
  }

  get benchmarking(): boolean {
    return this.#benchmarking;
  }

  predictionFigures(): LatencyFigures {
    return this.#predictions.figures();
  }

  status(): z.output<typeof ModelStatusReply> {
    return modelStatus({
      settings: this.#options.settings,
      models: this.#models.state,
      inUse: this.#inUse,
      newest: this.#runs.newest,
      underWay: this.#runs.underWay,
      loading: this.#loading,
    });
  }

  /** See `TrainModel`. */
  train(resume: boolean, call: CallContext): Promise<{ run: string; resumed: boolean }> {
    return this.#command(async () => {
      if (this.#benchmarking) {
        throw new BelegError('ALREADY_TRAINING', { detail: 'A benchmark is running' });
      }
      const before = this.#runs.newest?.run;
      const underWay = await this.#runs.train(resume, call);
      this.#watching = this.#watch(underWay);
      const { run } = this.#runs.newest!;
      return { run, resumed: run === before };
    });
  }

  /** See `StopTraining`. */
  async stop(call: CallContext): Promise<string> {
    const { underWay, newest } = this.#runs;
    if (underWay === null || newest === null) throw new BelegError('NOT_TRAINING');
    await underWay.stop(call);
    return newest.run;
  }

  /** See `SaveModel`. */
  save(call: CallContext): Promise<string> {
    return this.#command(() => this.#inUse.save(() => this.#options.store.ping(), call));
  }

  /** See `LoadModel`. */
  load(call: CallContext): Promise<string> {
    return this.#command(async () => {
      this.#loading = true;
      try {
        return await this.#inUse.load(call);
      } finally {
        this.#loading = false;
      }
    });
  }

  /** See `BenchmarkModel`. */
  async benchmark(): Promise<z.output<typeof BenchmarkReply>> {
    if (this.trainingActive || this.#benchmarking) throw new BelegError('ALREADY_TRAINING');
    const { trainer, settings } = this.#options;
    const { spec, training, provider, threads } = settings;
    this.#benchmarking = true;
    try {
      const measuring = trainer.benchmark({ spec, settings: training, provider, threads });
      const { device, ...measured } = await Promise.race([measuring, this.#closed.promise]);
      return { status: 'complete', ...measured, device: device.provider };
    } finally {
      this.#benchmarking = false;
    }
  }

  /** See `Predict`. */
  async predict(session: string, call: CallContext): Promise<{ weights: string; predictions: Prediction[] }> {
    const { model, fault } = this.#inUse;
    if (model === null || model.weights.run === null) {
      throw new BelegError('MODEL_NOT_READY', fault === null ? {} : { detail: fault });
    }
    const { weights, predictions } = await this.#predictions.ask(model, session, call);
    return { weights, predictions };
  }

  /** Ends a run that is under way, which is then interrupted. Nothing is in flight afterwards. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#closed.reject(new BelegError('SERVICE_UNAVAILABLE'));
    // One that is being begun is ended too.
    await this.#turns.run('command', () => Promise.resolve());
    await this.#runs.underWay?.close();
    await this.#watching;
    await this.#predictions.close();
  }

  /** One after the other, each on what is on record and on disk. */
  #command<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run('command', async () => {
      if (this.#closing.signal.aborted) throw new BelegError('SERVICE_UNAVAILABLE');
      try {
        if (this.#unsure) await this.#restore();
        this.#unsure = false;
        return await work();
      } catch (error) {
        if (isBelegError(error, 'STORE_UNAVAILABLE')) this.#unsure = true;
        if (isBelegError(error, 'WRONG_EXPECTED_REVISION', 'STREAM_CORRUPT')) this.#options.giveUp();
        throw error;
      }
    });
  }

  /** What the record says, made so: also what a crash, or a store that went away, has left half done. */
  async #restore(): Promise<void> {
    const callId = randomUUID();
    const call = { correlationId: callId, callId };
    await this.#models.refresh();
    await this.#runs.restore(call);
    const { newest } = this.#runs;
    if (newest !== null && newest.finished !== null) {
      const { run, finished } = newest;
      await this.#models.submit({ type: 'AdoptTrained', run, weights: finished.weights }, call);
    }
    await this.#inUse.restore(call);
    await this.#prune();
  }

  async #prune(): Promise<void> {
    const { inUse, saved } = this.#models.state;
    const { logger } = this.#options;
    const needed = [inUse?.run ?? null, saved?.run ?? null, this.#runs.newest?.run ?? null];
    try {
      const removed = await this.#files.prune(needed);
      if (removed > 0) logger.info({ removed }, 'folders of old trainings removed');
    } catch (error) {
      logger.warn({ err: error }, 'folders of old trainings could not be removed');
    }
  }

  /** When a run is over: what it has trained is put to use, as soon as that can be put on record. */
  async #watch(underWay: RunUnderWay): Promise<void> {
    await underWay.done;
    const { signal } = this.#closing;
    tellEnd(this.#options.logger, this.status().run);
    for (let over = false; !over && !signal.aborted;) {
      over = await this.#command(() => this.#restore()).then(
        () => true,
        (error: unknown) => this.#tellRestoring(error),
      );
      if (!over) await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
    this.#runs.clear();
  }

  /** Whether there is no going on. */
  #tellRestoring(error: unknown): boolean {
    if (this.#closing.signal.aborted) return true;
    this.#options.logger.warn({ err: error }, 'what was trained is not put to use yet');
    return !isBelegError(error, 'STORE_UNAVAILABLE');
  }
}

function tellEnd(logger: Logger, run: z.output<typeof ModelStatusReply>['run']): void {
  if (run === null) return;
  const { state, step, reason, scores } = run;
  if (state === 'failed') logger.error({ run: run.run, step, reason }, 'training failed');
  else if (state === 'trained') logger.info({ run: run.run, step, scores }, 'training finished');
  else logger.info({ run: run.run, step, reason }, 'training interrupted');
}
