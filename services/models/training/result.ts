import { join } from 'node:path';
import { writeDurably } from '../../../kb/snapshot/file.ts';
import type { Dataset } from '../data/dataset.ts';
import { fitRidge, predictRidge } from '../baseline/ridge.ts';
import { scoreOf } from '../data/scores.ts';
import { inferenceGraph } from '../network/inference-graph.ts';
import { writeWeights } from '../weights/weights.ts';
import type { TrainingRun } from './training-loop.ts';
import type { Scores, TrainingEnd, TrainingJob } from './training.ts';

/**
 * Scores what the validation part has chosen on the test part, and leaves it in the folder: `model.onnx`, which takes and
 * gives figures as they are, and `weights.safetensors`. Others get their turn in between; rejects with the signal's reason.
 */
export async function leaveResult(
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

async function scoresOf(
  parameters: Float32Array,
  dataset: Dataset,
  run: TrainingRun,
  signal: AbortSignal,
): Promise<Scores> {
  const { targets, test } = dataset;
  const score = (predicted: ArrayLike<number>) => scoreOf(predicted, targets, test.rows);
  const network = await run.predict(parameters, test);
  const ridge = await predictRidge(await fitRidge(dataset, signal), dataset, test.rows, signal);
  // Scaled, the training part's mean is 0.
  const mean = new Float32Array(network.length);
  return { network: score(network), ridge: score(ridge), mean: score(mean) };
}
