import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { RunState } from '../../actors/training/training-run.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { newCall, type CallContext } from '../../events/messages/define.ts';
import type { BenchmarkReply } from '../../events/messages/models.ts';
import { KeyedQueue } from '../../events/keyed-queue.ts';
import type { ModelInUse } from './model-in-use.ts';
import type { ModelParts } from './model-parts.ts';
import type { RunUnderWay } from './run-under-way.ts';
import type { Runs } from './training-runs.ts';

interface ModelCommandsOptions extends ModelParts {
  readonly runs: Runs;
  readonly inUse: ModelInUse;
}

/** Milliseconds between two tries while the store is away. */
const RETRY_MS = 500;
/** Commands share this key of the queue, so they run one after the other. */
const COMMAND_TURN = 'command';

/** Handles commands. Before each command, the disk is made to agree with the record. */
export function modelCommands({
  models,
  runs,
  inUse,
  store,
  trainer,
  settings,
  files,
  logger,
  giveUp,
}: ModelCommandsOptions) {
  const turns = new KeyedQueue();
  const closing = new AbortController();
  let watching: Promise<void> = Promise.resolve();
  let isBenchmarking = false;
  let isLoading = false;
  /** Whether the disk and the weights in use may differ from the record. Then the next command restores them first. */
  let unsure = false;
  /** Pending while the weights are being restored. */
  let restoring: Promise<void> | undefined;

  function refuseWhileMeasuring(): void {
    if (isBenchmarking) throw new BelegError('ALREADY_TRAINING', { detail: 'A benchmark is running' });
  }

  function command<T>(work: () => Promise<T>): Promise<T> {
    return turns.run(COMMAND_TURN, async () => {
      closing.signal.throwIfAborted();
      try {
        if (unsure) await restore();
        unsure = false;
        return await work();
      } catch (error) {
        if (isBelegError(error, 'STORE_UNAVAILABLE')) void restoreSoon();
        if (isBelegError(error, 'STREAM_CORRUPT')) giveUp();
        throw error;
      }
    });
  }

  /** When a run is over, its weights are put to use as soon as that can be recorded. */
  async function watch(underWay: RunUnderWay): Promise<void> {
    await underWay.done;
    tellEnd(logger, underWay.state);
    // A `restore` that began earlier may not have seen the end of the run.
    await restoring;
    await restoreSoon();
    runs.clear();
  }

  /** Restores in the background, and retries until it succeeds. Never rejects. */
  function restoreSoon(): Promise<void> {
    unsure = true;
    return (restoring ??= restoreInTime().finally(() => (restoring = undefined)));
  }

  async function restoreInTime(): Promise<void> {
    const { signal } = closing;
    for (let tries = 1; !signal.aborted; tries++) {
      const error = await command(() => Promise.resolve()).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error === undefined || signal.aborted) return;
      if (tries === 1) logger.warn({ err: error }, 'the model is not what is on record yet; trying again');
      if (!isBelegError(error, 'STORE_UNAVAILABLE')) return;
      await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async function prune(): Promise<void> {
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

  /**
   * Makes the disk agree with the record, even if a crash or a store that was away left a command half done. Rejects if
   * the record cannot be read or written.
   */
  async function restore(): Promise<void> {
    const call = newCall();
    await models.read(() => undefined, call);
    await runs.restore(call);
    if (runs.newest !== null && runs.newest.finished !== null) {
      const { run, finished } = runs.newest;
      await models.submit({ type: 'adopt-trained', run, weights: finished.weights }, call);
    }
    await inUse.restore(call);
    await prune();
  }

  return {
    get benchmarking(): boolean {
      return isBenchmarking;
    },
    /** Whether weights are being loaded. */
    get loading(): boolean {
      return isLoading;
    },
    restore,
    /** See `TrainModel`. */
    train(resume: boolean, call: CallContext) {
      return command(async () => {
        refuseWhileMeasuring();
        const before = runs.newest?.run;
        const underWay = await runs.train(resume, call);
        watching = watch(underWay);
        const { run } = runs.newest!;
        return { status: 'started' as const, run, resumed: run === before };
      });
    },
    /** See `StopTraining`. */
    async stop(call: CallContext) {
      const { underWay, newest } = runs;
      if (underWay === null || newest === null) throw new BelegError('NOT_TRAINING');
      await underWay.stop(call);
      // A client that asks for the status after this reply must not see the training any more.
      await watching;
      return { status: 'stopped' as const, run: newest.run };
    },
    /** See `SaveModel`. */
    save(call: CallContext) {
      return command(async () => {
        const weights = await inUse.save(() => store.ping(), call);
        return { status: 'saved' as const, weights };
      });
    },
    /** See `LoadModel`. */
    load(call: CallContext) {
      return command(async () => {
        isLoading = true;
        try {
          return { status: 'loaded' as const, weights: await inUse.load(call) };
        } finally {
          isLoading = false;
        }
      });
    },
    /** See `BenchmarkModel`. */
    async benchmark(): Promise<z.output<typeof BenchmarkReply>> {
      const { spec, training, provider, threads } = settings;
      // Waits until a training that is being started has started.
      await turns.run(COMMAND_TURN, async () => {
        closing.signal.throwIfAborted();
        refuseWhileMeasuring();
        if (runs.underWay !== null) throw new BelegError('ALREADY_TRAINING');
        isBenchmarking = true;
      });
      try {
        const job = { spec, settings: training, provider, threads };
        const { device, ...measured } = await trainer.benchmark(job, closing.signal);
        return { status: 'complete', ...measured, device: device.provider };
      } finally {
        isBenchmarking = false;
      }
    },
    /** Interrupts a running training and cancels a benchmark. Resolves when nothing is in flight. */
    async close(): Promise<void> {
      closing.abort(new BelegError('SERVICE_UNAVAILABLE'));
      // Waits for a training that is just being started, so that it is stopped too.
      await turns.run(COMMAND_TURN, () => Promise.resolve());
      await runs.underWay?.close();
      await watching;
      await restoring;
    },
  };
}

/** A network that was trained on fewer windows than a year of one ticker has learned nothing that lasts. */
const FEW_WINDOWS = 250;

function tellEnd(logger: Logger, state: RunState): void {
  if (state.status === 'idle') return;
  const { run, status, step, reason, finished, prepared } = state;
  if (status === 'failed') logger.error({ run, step, reason }, 'training failed');
  else if (finished !== null) {
    logger.info({ run, step, scores: finished.scores }, 'training finished');
    const windows = prepared?.train.windows ?? 0;
    if (windows < FEW_WINDOWS) {
      logger.warn(
        { run, windows },
        'the model goes in use, but was trained on few windows: its predictions mean little',
      );
    }
  } else logger.info({ run, step, reason }, 'training interrupted');
}
