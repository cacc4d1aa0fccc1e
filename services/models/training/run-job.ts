import { join } from 'node:path';
import { readBars } from '../data/bars.ts';
import type { Dataset } from '../data/dataset.ts';
import { prepareDataset } from '../data/prepare.ts';
import { faultOf } from './fault.ts';
import { leaveResult } from './result.ts';
import { TrainingRun } from './training-loop.ts';
import type { Preparation, TrainingEnd, TrainingJob, TrainingListener } from './training.ts';

/** From the bars in the job's folder. Rejects with `TOO_LITTLE_DATA`, or with what is wrong with the file. */
export async function loadDataset({ folder, spec }: TrainingJob): Promise<Dataset> {
  const bars = await readBars(join(folder, 'bars.safetensors'));
  return prepareDataset(bars, { sequenceLength: spec.sequence_length });
}

export interface Ended {
  readonly end: TrainingEnd;
  /** Why it failed, for the log: it may hold paths. */
  readonly cause: unknown;
}

export interface TrainListener extends Omit<TrainingListener, 'prepared'> {
  /** @param cause why another provider is used than was wanted, for the log; `null` where there is nothing to say. */
  prepared(preparation: Preparation, cause: unknown): void;
}

/**
 * Trains in this process, which has time for little else meanwhile. Never rejects. When the signal aborts it stops between
 * two steps, with a checkpoint of the one done last.
 *
 * @param load makes the dataset; what it rejects with ends the run.
 */
export async function train(
  job: TrainingJob,
  load: () => Promise<Dataset>,
  listener: TrainListener,
  signal: AbortSignal,
): Promise<Ended> {
  let run: TrainingRun | null = null;
  try {
    const dataset = await load();
    const opened = await TrainingRun.open(job, dataset, signal);
    run = opened.run;
    listener.prepared(run.preparation, opened.cause);
    await run.train(listener);
    return { end: await leaveResult(job, dataset, run, signal), cause: null };
  } catch (error) {
    if (run === null || !signal.aborted || error !== signal.reason) return failed(error, run);
    return await stopped(run);
  } finally {
    await run?.close();
  }
}

async function stopped(run: TrainingRun): Promise<Ended> {
  try {
    await run.keep();
    return { end: { outcome: 'stopped', step: run.step, killed: false }, cause: null };
  } catch (error) {
    return failed(error, run);
  }
}

function failed(cause: unknown, run: TrainingRun | null): Ended {
  return { end: { outcome: 'failed', ...faultOf(cause), step: run?.step ?? 0 }, cause };
}
