import type { z } from 'zod';
import { MODELS, TRAINING } from '../../actors/streams/models.ts';
import { MODELS_STREAM } from '../../events/catalog/models.ts';
import { BelegError } from '../../events/errors.ts';
import type { CallContext } from '../../events/messages/define.ts';
import type { ModelStatusReply, Prediction } from '../../events/messages/models.ts';
import type { ModelSettings } from '../config-trading.ts';
import { StreamWriter } from '../streams/writer.ts';
import { StreamWriters, type WritersOf } from '../streams/writers.ts';
import { stateHashOf, type StateHashes } from '../state-hashes.ts';
import { ModelCommands } from './model-commands.ts';
import type { Predictor } from './inference/predictor.ts';
import type { LatencyFigures } from './latency.ts';
import { ModelFiles } from './model-files.ts';
import { ModelInUse, type ModelsRecord } from './model-in-use.ts';
import { Predictions } from './predictions.ts';
import { Runs } from './runs.ts';
import { modelStatus } from './status.ts';
import type { TrainerPort } from './training/training.ts';
import type { Weights } from './weights/weights.ts';
import type { ServiceParts } from '../service-parts.ts';

interface LeaseSessionOptions extends Omit<ServiceParts, 'leases'> {
  readonly settings: ModelSettings;
  readonly trainer: TrainerPort;
  readonly openPredictor: (weights: Weights) => Promise<Predictor>;
  /** Called when it cannot go on: another holder has written, or the record does not add up. */
  readonly giveUp: () => void;
}

/** The model in the hands of one process, while it holds the lease. */
export class LeaseSession {
  readonly commands: ModelCommands;
  readonly #settings: ModelSettings;
  readonly #models: ModelsRecord;
  readonly #records: WritersOf<typeof TRAINING>;
  readonly #runs: Runs;
  readonly #inUse: ModelInUse;
  readonly #predictions: Predictions;

  private constructor(options: LeaseSessionOptions, models: ModelsRecord) {
    const { bus, settings, openPredictor, logger } = options;
    const records = (this.#records = new StreamWriters(TRAINING, writing(options)));
    const shared = { ...options, models, records, files: new ModelFiles(settings.folder) };
    this.#settings = settings;
    this.#models = models;
    this.#runs = new Runs(shared);
    this.#inUse = new ModelInUse(shared);
    this.commands = new ModelCommands({ ...shared, runs: this.#runs, inUse: this.#inUse });
    const sequenceLength = settings.spec.sequence_length;
    this.#predictions = new Predictions({ bus, sequenceLength, openPredictor, logger });
  }

  /**
   * Reads the record, closes what a crash left open, and loads the weights last put to use. Rejects with
   * `STORE_UNAVAILABLE`, or `STREAM_CORRUPT`.
   */
  static async open(options: LeaseSessionOptions): Promise<LeaseSession> {
    const lease = new LeaseSession(options, await StreamWriter.open(MODELS, MODELS_STREAM, writing(options)));
    await lease.commands.restore();
    return lease;
  }

  get trainingActive(): boolean {
    return this.#runs.underWay !== null;
  }

  get predictionFigures(): LatencyFigures {
    return this.#predictions.figures();
  }

  stateHashes(): StateHashes {
    return { ...stateHashOf(MODELS_STREAM, this.#models.state), ...this.#runs.stateHashes() };
  }

  status(): z.output<typeof ModelStatusReply> {
    return modelStatus({
      settings: this.#settings,
      models: this.#models.state,
      inUse: this.#inUse,
      newest: this.#runs.newest,
      underWay: this.#runs.underWay,
      predictions: this.predictionFigures,
      loading: this.commands.loading,
    });
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

  /** Nothing is in flight afterwards. */
  async close(): Promise<void> {
    await this.commands.close();
    await Promise.all([this.#models.close(), this.#records.close()]);
    await this.#predictions.close();
  }
}

/** Who asks, and the machine of a run, try again themselves. */
const writing = ({ store, codec, now }: LeaseSessionOptions) => ({
  store,
  codec,
  now,
  context: undefined,
  hasty: true,
});
