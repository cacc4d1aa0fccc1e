import { setImmediate as nextTurn } from 'node:timers/promises';
import { fillBatch, type Dataset, type Part } from '../data/dataset.ts';
import { scoreOf } from '../data/scores.ts';
import { permutation } from '../network/random.ts';
import { writeCheckpoint, type Checkpoint } from '../weights/checkpoint.ts';
import { openOnDevice } from './device.ts';
import type { Optimization } from './optimization.ts';
import { PartPredictor, squaredError } from './part-predictor.ts';
import { ProgressMeter } from './progress.ts';
import { threadsOf } from '../onnx-runtime/threads.ts';
import { checkpointFile, startingPoint } from './starting-point.ts';
import {
  TrainingFailure,
  type Device,
  type EpochResult,
  type PartSummary,
  type Preparation,
  type TrainingJob,
  type TrainingListener,
} from './training.ts';

/** What a run learns from, and with. */
interface Opened {
  readonly job: TrainingJob;
  readonly dataset: Dataset;
  readonly start: Checkpoint;
  readonly device: Device;
  readonly optimization: Optimization;
  readonly predictor: PartPredictor;
  readonly stepsPerEpoch: number;
}

/**
 * A run of training in this process. On the same device the same job and data give the same bits, however often it was
 * stopped.
 */
export class TrainingRun {
  readonly preparation: Preparation;
  readonly #opened: Opened;
  readonly #signal: AbortSignal;
  #step: number;
  #lossSum: number;
  #best: Checkpoint['best'];
  readonly #epochs: EpochResult[];

  /**
   * Rejects with what is wrong with the checkpoint, the disk or the network. Where the wanted provider cannot be used the
   * preparation's device says so; `cause` is for the log.
   *
   * @param signal stops it between two steps: what is under way then rejects with its reason.
   */
  static async open(
    job: TrainingJob,
    dataset: Dataset,
    signal: AbortSignal,
  ): Promise<{ run: TrainingRun; cause: unknown }> {
    const { spec, settings, provider } = job;
    if (spec.features !== dataset.features.length) {
      throw new RangeError(`${dataset.features.length} features given, but the network has ${spec.features}`);
    }
    const start = await startingPoint(job, dataset);
    const windows = dataset.train.rows;
    const batch = Math.min(settings.batch_size, windows.length);
    // What does not fill a batch is left out: other windows in each epoch.
    const stepsPerEpoch = Math.floor(windows.length / batch);
    const threads = threadsOf(job.threads);
    const { optimization, device, cause } = await openOnDevice(
      { spec, settings, batch, steps: stepsPerEpoch * settings.epochs },
      { provider, threads },
      (x, y) => fillBatch(dataset, windows, 0, batch, x, y),
    );
    const predictor = await PartPredictor.open(spec, batch, { provider: device.provider, threads });
    optimization.state = start;
    const opened = { job, dataset, start, device, optimization, predictor, stepsPerEpoch };
    return { run: new TrainingRun(opened, signal), cause };
  }

  private constructor(opened: Opened, signal: AbortSignal) {
    const { job, dataset, start, device, stepsPerEpoch } = opened;
    this.#opened = opened;
    this.#signal = signal;
    this.#step = start.step;
    this.#lossSum = start.lossSum;
    this.#best = start.best;
    this.#epochs = [...start.epochs];
    this.preparation = {
      device,
      parameters: start.parameters.length,
      dataset: dataset.hash,
      tickers: dataset.tickers.length,
      train: summaryOf(dataset.train),
      validation: summaryOf(dataset.validation),
      test: summaryOf(dataset.test),
      steps: stepsPerEpoch * job.settings.epochs,
      step: start.step,
    };
  }

  /** Done, of the whole run. */
  get step(): number {
    return this.#step;
  }

  /** Of the epoch with the lowest validation loss; `null` before the first is over. */
  get best(): Checkpoint['best'] {
    return this.#best;
  }

  /** To the end of the last epoch; a checkpoint is on disk after each. Rejects with `LOSS_NOT_FINITE`, among others. */
  async train(listener: Pick<TrainingListener, 'progress' | 'epoch'>): Promise<void> {
    const { job, start } = this.#opened;
    // Between an epoch's checkpoint and what was told of it the service may have gone.
    const last = start.epochs.at(-1);
    if (last?.step === start.step) listener.epoch(last);
    const meter = new ProgressMeter(this.preparation.steps, this.#step, performance.now());
    while (this.#epochs.length < job.settings.epochs) {
      const epoch = this.#epochs.length + 1;
      await this.#stepTo(epoch, meter, listener);
      const result = await this.#finishEpoch(epoch);
      await this.keep();
      listener.epoch(result);
    }
  }

  /** Writes a checkpoint of this very step. Not while a step is under way. */
  async keep(): Promise<void> {
    const { job, start, optimization } = this.#opened;
    await writeCheckpoint(checkpointFile(job.folder), {
      ...start,
      ...optimization.state,
      step: this.#step,
      best: this.#best,
      epochs: this.#epochs,
      lossSum: this.#lossSum,
    });
  }

  /** Windows × outputs of a part, scaled. */
  predict(parameters: Float32Array, part: Part): Promise<Float32Array> {
    const { predictor, dataset } = this.#opened;
    return predictor.of(parameters, dataset, part, this.#signal);
  }

  async close(): Promise<void> {
    const { optimization, predictor } = this.#opened;
    await optimization.close();
    await predictor.close();
  }

  /** Does what is left of the epoch's steps. */
  async #stepTo(
    epoch: number,
    meter: ProgressMeter,
    listener: Pick<TrainingListener, 'progress'>,
  ): Promise<void> {
    const { job, dataset, optimization, stepsPerEpoch } = this.#opened;
    const { rows } = dataset.train;
    const order = permutation(rows.length, job.settings.seed, epoch).map((window) => rows[window]!);
    const { x, y, batch } = optimization;
    for (let left = epoch * stepsPerEpoch - this.#step; left > 0; left--) {
      // A stop that came during the last step is heard here.
      await nextTurn();
      this.#signal.throwIfAborted();
      fillBatch(dataset, order, (stepsPerEpoch - left) * batch, batch, x, y);
      const loss = await optimization.step(this.#step + 1);
      this.#step += 1;
      if (!Number.isFinite(loss)) throw notFinite('loss', this.#step);
      this.#lossSum += loss;
      const progress = meter.after(this.#step, epoch, loss, performance.now());
      if (progress !== null) listener.progress(progress);
    }
  }

  async #finishEpoch(epoch: number): Promise<EpochResult> {
    const { dataset, optimization, stepsPerEpoch } = this.#opened;
    const { parameters } = optimization.state;
    const { rows } = dataset.validation;
    const predicted = await this.predict(parameters, dataset.validation);
    const validationLoss = squaredError(predicted, dataset.targets, rows);
    if (!Number.isFinite(validationLoss)) throw notFinite('validation loss', this.#step);
    const best = this.#best === null || validationLoss < this.#best.validationLoss;
    if (best) this.#best = { epoch, validationLoss, parameters: parameters.slice() };
    const result = {
      epoch,
      step: this.#step,
      train_loss: this.#lossSum / stepsPerEpoch,
      validation_loss: validationLoss,
      validation: scoreOf(predicted, dataset.targets, rows),
      best,
    };
    this.#epochs.push(result);
    this.#lossSum = 0;
    return result;
  }
}

const summaryOf = ({ rows, from, to }: Part): PartSummary => ({ windows: rows.length, from, to });

const notFinite = (what: string, step: number): TrainingFailure =>
  new TrainingFailure('LOSS_NOT_FINITE', `The ${what} is not a finite number after step ${step}`);
