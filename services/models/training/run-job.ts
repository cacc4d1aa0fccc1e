import { join } from 'node:path';
import { readBars } from '../data/bars.ts';
import type { Dataset } from '../data/dataset.ts';
import { prepareDataset } from '../data/prepare.ts';
import { faultOf } from './fault.ts';
import { openRun, type TrainingRun } from './training-loop.ts';
import type { Preparation, TrainingEnd, TrainingJob, TrainingListener } from './trainer-port.ts';
import { writeDurably } from '../../../kb/snapshot/durable-file.ts';
import { fitRidge, predictRidge } from '../baseline/ridge.ts';
import { scoreOf } from '../data/r-squared.ts';
import { inferenceGraph } from '../network/inference-graph.ts';
import { writeWeights } from '../weights/weights.ts';

/** The dataset from the bars in the job's folder. Rejects with `TOO_LITTLE_DATA` or the fault of the file. */
export async function loadDataset({ folder, spec }: TrainingJob): Promise<Dataset> {
  const bars = await readBars(join(folder, 'bars.safetensors'));
  return prepareDataset(bars, { sequenceLength: spec.sequence_length });
}

export interface Ended {
  readonly end: TrainingEnd;
  /** The cause of the failure, for the log only, because it may have paths. */
  readonly cause: unknown;
}

export interface TrainListener extends Omit<TrainingListener, 'prepared'> {
  /** @param cause why another provider than the wanted one is used, for the log; `null` if the wanted one is used. */
  prepared(preparation: Preparation, cause: unknown): void;
}

/**
 * Trains in this process, which can do little else meanwhile. Never rejects. When the signal aborts, it stops after the
 * present step and writes a checkpoint.
 *
 * @param load makes the dataset; if it rejects, the run ends with that fault.
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
    const opened = await openRun(job, dataset, signal);
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

/**
 * Scores the chosen weights on the test part, and writes them to the folder: `model.onnx`, which takes and returns
 * unscaled figures, and `weights.safetensors`. The event loop gets turns in between; rejects with the signal's reason.
 */
async function leaveResult(
  { run: id, folder, spec, settings }: TrainingJob,
  dataset: Dataset,
  run: TrainingRun,
  signal: AbortSignal,
): Promise<Extract<TrainingEnd, { outcome: 'trained' }>> {
  const { epoch, parameters } = run.best!;
  const scores = await scoresOf(parameters, dataset, run, signal);
  const { features, scaler } = dataset;
  const model = inferenceGraph(spec, { batch: 'any', parameters, scaler });
  await writeDurably(join(folder, 'model.onnx'), model);
  const weights = await writeWeights(join(folder, 'weights.safetensors'), {
    spec,
    features,
    scaler,
    parameters,
    run: id,
    trainedUntil: dataset.validation.to,
    seed: settings.seed,
    scores,
  });
  return { outcome: 'trained', weights, best_epoch: epoch, step: run.step, scores };
}

async function scoresOf(parameters: Float32Array, dataset: Dataset, run: TrainingRun, signal: AbortSignal) {
  const { targets, test } = dataset;
  const score = (predicted: ArrayLike<number>) => scoreOf(predicted, targets, test.rows);
  const network = await run.predict(parameters, test);
  const ridge = await predictRidge(await fitRidge(dataset, signal), dataset, test.rows, signal);
  // In scaled figures the mean of the training part is 0, so zeros predict the mean.
  const mean = new Float32Array(network.length);
  return { network: score(network), ridge: score(ridge), mean: score(mean) };
}
