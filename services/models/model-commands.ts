import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { RunState } from '../../actors/training/run.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { newCall, type CallContext } from '../../events/messages/define.ts';
import type { BenchmarkReply } from '../../events/messages/models.ts';
import { KeyedQueue } from '../../events/keyed-queue.ts';
import type { ModelInUse } from './model-in-use.ts';
import type { ModelParts } from './model-parts.ts';
import type { RunUnderWay } from './run-under-way.ts';
import type { Runs } from './runs.ts';

interface ModelCommandsOptions extends ModelParts {
  readonly runs: Runs;
  readonly inUse: ModelInUse;
}

/** Milliseconds between tries of what has to be done and cannot, while the store is away. */
const RETRY_MS = 500;
/** Commands run one after the other. */
const COMMAND_TURN = 'command';

/** Takes commands. Each finds what is on record and what is on disk in line with each other. */
export class ModelCommands {
  readonly #options: ModelCommandsOptions;
  readonly #turns = new KeyedQueue();
  readonly #closing = new AbortController();
  #watching: Promise<void> = Promise.resolve();
  #benchmarking = false;
  #loading = false;
  /** What was tried last may be on record or not. */
  #unsure = false;
  /** Until that is known. */
  #restoring: Promise<void> | undefined;

  constructor(options: ModelCommandsOptions) {
    this.#options = options;
  }

  get benchmarking(): boolean {
    return this.#benchmarking;
  }

  /** Weights are being loaded. */
  get loading(): boolean {
    return this.#loading;
  }

  /** What the record says, made so: also what a crash, or a store that went away, has left half done. Rejects as the record does. */
  async restore(): Promise<void> {
    const { models, runs, inUse } = this.#options;
    const call = newCall();
    await models.read(() => undefined, call);
    await runs.restore(call);
    if (runs.newest !== null && runs.newest.finished !== null) {
      const { run, finished } = runs.newest;
      await models.submit({ type: 'AdoptTrained', run, weights: finished.weights }, call);
    }
    await inUse.restore(call);
    await this.#prune();
  }

  /** See `TrainModel`. */
  train(resume: boolean, call: CallContext) {
    return this.#command(async () => {
      this.#refuseWhileMeasuring();
      const { runs } = this.#options;
      const before = runs.newest?.run;
      const underWay = await runs.train(resume, call);
      this.#watching = this.#watch(underWay);
      const { run } = runs.newest!;
      return { status: 'started' as const, run, resumed: run === before };
    });
  }

  /** See `StopTraining`. */
  async stop(call: CallContext) {
    const { underWay, newest } = this.#options.runs;
    if (underWay === null || newest === null) throw new BelegError('NOT_TRAINING');
    await underWay.stop(call);
    // Whoever looks next finds no training.
    await this.#watching;
    return { status: 'stopped' as const, run: newest.run };
  }

  /** See `SaveModel`. */
  save(call: CallContext) {
    const { inUse, store } = this.#options;
    return this.#command(async () => {
      const weights = await inUse.save(() => store.ping(), call);
      return { status: 'saved' as const, weights };
    });
  }

  /** See `LoadModel`. */
  load(call: CallContext) {
    return this.#command(async () => {
      this.#loading = true;
      try {
        return { status: 'loaded' as const, weights: await this.#options.inUse.load(call) };
      } finally {
        this.#loading = false;
      }
    });
  }

  /** See `BenchmarkModel`. */
  async benchmark(): Promise<z.output<typeof BenchmarkReply>> {
    const { trainer, settings, runs } = this.#options;
    const { spec, training, provider, threads } = settings;
    // Not while a training is being begun.
    await this.#turns.run(COMMAND_TURN, async () => {
      this.#closing.signal.throwIfAborted();
      this.#refuseWhileMeasuring();
      if (runs.underWay !== null) throw new BelegError('ALREADY_TRAINING');
      this.#benchmarking = true;
    });
    try {
      const job = { spec, settings: training, provider, threads };
      const { device, ...measured } = await trainer.benchmark(job, this.#closing.signal);
      return { status: 'complete', ...measured, device: device.provider };
    } finally {
      this.#benchmarking = false;
    }
  }

  /** Ends a run that is under way, which is then interrupted, and gives a benchmark up. No run is in flight afterwards. */
  async close(): Promise<void> {
    this.#closing.abort(new BelegError('SERVICE_UNAVAILABLE'));
    // One that is being begun is ended too.
    await this.#turns.run(COMMAND_TURN, () => Promise.resolve());
    await this.#options.runs.underWay?.close();
    await this.#watching;
    await this.#restoring;
  }

  #refuseWhileMeasuring(): void {
    if (this.#benchmarking) throw new BelegError('ALREADY_TRAINING', { detail: 'A benchmark is running' });
  }

  #command<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run(COMMAND_TURN, async () => {
      this.#closing.signal.throwIfAborted();
      try {
        if (this.#unsure) await this.restore();
        this.#unsure = false;
        return await work();
      } catch (error) {
        if (isBelegError(error, 'STORE_UNAVAILABLE')) void this.#restoreSoon();
        if (isBelegError(error, 'STREAM_CORRUPT')) this.#options.giveUp();
        throw error;
      }
    });
  }

  /** When a run is over: what it has trained is put to use, as soon as that can be put on record. */
  async #watch(underWay: RunUnderWay): Promise<void> {
    await underWay.done;
    const { logger, runs } = this.#options;
    tellEnd(logger, underWay.state);
    // One that had begun before may not have seen the end.
    await this.#restoring;
    await this.#restoreSoon();
    runs.clear();
  }

  /** Tries until it has worked. Never rejects. */
  #restoreSoon(): Promise<void> {
    this.#unsure = true;
    return (this.#restoring ??= this.#restoreInTime().finally(() => (this.#restoring = undefined)));
  }

  async #restoreInTime(): Promise<void> {
    const { signal } = this.#closing;
    for (let tries = 1; !signal.aborted; tries++) {
      const error = await this.#command(() => Promise.resolve()).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error === undefined || signal.aborted) return;
      if (tries === 1)
        this.#options.logger.warn({ err: error }, 'the model is not what is on record yet; trying again');
      if (!isBelegError(error, 'STORE_UNAVAILABLE')) return;
      await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #prune(): Promise<void> {
    const { models, runs, files, logger } = this.#options;
    const { inUse, saved } = models.state;
    const needed = [inUse?.run ?? null, saved?.run ?? null, runs.newest?.run ?? null];
    try {
      const removed = await files.prune(needed);
      if (removed > 0) logger.info({ removed }, 'removed the folders of old trainings');
      if (runs.underWay === null) await files.sweep();
    } catch (error) {
      logger.warn({ err: error }, 'folders of old trainings could not be removed');
    }
  }
}

function tellEnd(logger: Logger, state: RunState): void {
  if (state.status === 'idle') return;
  const { run, status, step, reason, finished } = state;
  if (status === 'failed') logger.error({ run, step, reason }, 'training failed');
  else if (finished !== null) logger.info({ run, step, scores: finished.scores }, 'training finished');
  else logger.info({ run, step, reason }, 'training interrupted');
}
