import { setImmediate as nextTurn } from 'node:timers/promises';
import { fillBatch, type Dataset, type Part } from '../data/dataset.ts';
import { scoreOf } from '../data/r-squared.ts';
import { permutation } from '../network/random.ts';
import { writeCheckpoint, type Checkpoint } from '../weights/checkpoint.ts';
import { openOnDevice } from './device.ts';
import { openPartPredictor, squaredError } from './part-predictor.ts';
import { progressMeter, type ProgressMeter } from './progress.ts';
import { threadsOf } from '../onnx-runtime/threads.ts';
import { checkpointFile, startingPoint } from './starting-point.ts';
import {
  TrainingFailure,
  type EpochResult,
  type PartSummary,
  type Preparation,
  type TrainingJob,
  type TrainingListener,
} from './trainer-port.ts';

export type TrainingRun = Awaited<ReturnType<typeof openRun>>['run'];

/**
 * A training run in this process. On the same device, the same job and data give bit-identical results, however often
 * the run was stopped. Rejects with the fault of the checkpoint, the disk or the network. If the wanted provider cannot
 * be used, the device in the preparation says why; `cause` is for the log.
 *
 * @param signal stops the run between two steps: the pending call then rejects with its reason.
 */
export async function openRun(job: TrainingJob, dataset: Dataset, signal: AbortSignal) {
  const { spec, settings, provider } = job;
  if (spec.features !== dataset.features.length) {
    throw new RangeError(`${dataset.features.length} features given, but the network has ${spec.features}`);
  }
  const start = await startingPoint(job, dataset);
  const windows = dataset.train.rows;
  const batch = Math.min(settings.batch_size, windows.length);
  // Windows that do not fill a batch are left out, different ones in each epoch.
  const stepsPerEpoch = Math.floor(windows.length / batch);
  const steps = stepsPerEpoch * settings.epochs;
  const threads = threadsOf(job.threads);
  const { optimization, device, cause } = await openOnDevice(
    { spec, settings, batch, steps },
    { provider, threads },
    (x, y) => fillBatch(dataset, windows, 0, batch, x, y),
  );
  const predictor = await openPartPredictor(spec, batch, { provider: device.provider, threads });
  optimization.state = start;
  let { step, lossSum, best } = start;
  const epochs = [...start.epochs];
  const preparation: Preparation = {
    device,
    parameters: start.parameters.length,
    dataset: dataset.hash,
    tickers: dataset.tickers.length,
    train: summaryOf(dataset.train),
    validation: summaryOf(dataset.validation),
    test: summaryOf(dataset.test),
    steps,
    step,
  };

  /** The scaled predictions for a part: windows × outputs. */
  const predict = (parameters: Float32Array, part: Part) => predictor.of(parameters, dataset, part, signal);

  /** Writes a checkpoint of the present step. It must not be called while a step is under way. */
  const keep = (): Promise<void> =>
    writeCheckpoint(checkpointFile(job.folder), {
      ...start,
      ...optimization.state,
      step,
      best,
      epochs,
      lossSum,
    });

  /** Runs the remaining steps of the epoch. */
  async function stepTo(epoch: number, meter: ProgressMeter, listener: Listener): Promise<void> {
    const order = permutation(windows.length, settings.seed, epoch).map((window) => windows[window]!);
    const { x, y } = optimization;
    for (let left = epoch * stepsPerEpoch - step; left > 0; left--) {
      // A stop that came during the last step is noticed here.
      await nextTurn();
      signal.throwIfAborted();
      fillBatch(dataset, order, (stepsPerEpoch - left) * batch, batch, x, y);
      const loss = await optimization.step(step + 1);
      step += 1;
      if (!Number.isFinite(loss)) throw notFinite('loss', step);
      lossSum += loss;
      const progress = meter(step, epoch, loss, performance.now());
      if (progress !== null) listener.progress(progress);
    }
  }

  async function finishEpoch(epoch: number): Promise<EpochResult> {
    const { parameters } = optimization.state;
    const { rows } = dataset.validation;
    const predicted = await predict(parameters, dataset.validation);
    const validationLoss = squaredError(predicted, dataset.targets, rows);
    if (!Number.isFinite(validationLoss)) throw notFinite('validation loss', step);
    const isBest = best === null || validationLoss < best.validationLoss;
    if (isBest) best = { epoch, validationLoss, parameters: parameters.slice() };
    const result = {
      epoch,
      step,
      train_loss: lossSum / stepsPerEpoch,
      validation_loss: validationLoss,
      validation: scoreOf(predicted, dataset.targets, rows),
      best: isBest,
    };
    epochs.push(result);
    lossSum = 0;
    return result;
  }

  const run = {
    preparation,
    predict,
    keep,
    /** The steps done in the whole run. */
    get step(): number {
      return step;
    },
    /** The parameters of the epoch with the lowest validation loss; `null` before the first epoch has ended. */
    get best(): Checkpoint['best'] {
      return best;
    },
    /**
     * Trains to the end of the last epoch, and writes a checkpoint after each. Rejects with `LOSS_NOT_FINITE`, among
     * others.
     */
    async train(listener: Listener): Promise<void> {
      // The service may have stopped after the checkpoint of an epoch was written and before the epoch was reported.
      const last = start.epochs.at(-1);
      if (last?.step === start.step) listener.epoch(last);
      const meter = progressMeter(steps, step, performance.now());
      while (epochs.length < settings.epochs) {
        const epoch = epochs.length + 1;
        await stepTo(epoch, meter, listener);
        const result = await finishEpoch(epoch);
        await keep();
        listener.epoch(result);
      }
    },
    async close(): Promise<void> {
      await optimization.close();
      await predictor.close();
    },
  };
  return { run, cause };
}

type Listener = Pick<TrainingListener, 'progress' | 'epoch'>;

const summaryOf = ({ rows, from, to }: Part): PartSummary => ({ windows: rows.length, from, to });

const notFinite = (what: string, step: number): TrainingFailure =>
  new TrainingFailure('LOSS_NOT_FINITE', `The ${what} is not a finite number after step ${step}`);
