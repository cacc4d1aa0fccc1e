import type { ModelSettings } from './settings.ts';
import { whileHeld } from '../foundation/lease-holder.ts';
import { Responder } from '../foundation/responder.ts';
import { type StateHashes, stateHashOf } from '../foundation/streams/state-hashes.ts';
import { openPredictor, type Predictor } from './inference/predictor.ts';
import { forkedTrainer } from './training/forked-trainer.ts';
import type { TrainerPort } from './training/trainer-port.ts';
import type { Weights } from './weights/weights.ts';
import type { ServiceParts } from '../foundation/service-parts.ts';
import { MODELS, TRAINING } from '../../actors/streams/models.ts';
import { MODELS_STREAM } from '../../events/catalog/models.ts';
import { BelegError } from '../../events/errors.ts';
import type { CallContext } from '../../events/messages/define.ts';
import { StreamWriter } from '../foundation/streams/writer.ts';
import { StreamWriters } from '../foundation/streams/writers.ts';
import { modelCommands } from './model-commands.ts';
import { modelFiles } from './model-files.ts';
import { modelInUse } from './model-in-use.ts';
import { predictionsOf } from './predictions.ts';
import { trainingRuns } from './training-runs.ts';
import { modelStatus } from './model-status.ts';
import * as messages from '../../events/messages/models.ts';

interface ModelServiceOptions extends ServiceParts {
  readonly settings: ModelSettings;
  /** The trainer; by default it runs in processes of its own. */
  readonly trainer?: TrainerPort;
  /** Replaces the inference in tests. */
  readonly openPredictor?: (weights: Weights) => Promise<Predictor>;
}

export type ModelService = ReturnType<typeof serveModels>;

/**
 * The model service: training, weights and predictions. One process at a time runs it, under the lease `training`; one
 * that has lost the lease without notice is fenced off by the revisions of its streams. While no process holds the
 * lease, callers get `NO_RESPONDERS`.
 */
export function serveModels(options: ModelServiceOptions) {
  const { logger } = options;
  const trainer = options.trainer ?? forkedTrainer({ logger });
  let held: LeaseSession | null = null;
  const part = whileHeld(options.leases, 'training', async (giveUp) => {
    const lease = (held = await openLeaseSession({ openPredictor, ...options, trainer, giveUp }));
    const close = serveModelRequests(options, lease);
    return async () => {
      await close();
      held = null;
    };
  });
  return {
    /** Resolves when this process holds the lease for the first time. Rejects if it could not begin. */
    allHeld: part.begun,
    /** The figures for readiness checks and metrics; `null` while another process runs this service. */
    status: () => (held === null ? null : figuresOf(held)),
    /** State hashes of the streams that this process holds. */
    stateHashes: (): StateHashes => held?.stateHashes() ?? {},
    /**
     * To be called before the bus is drained. A training under way is interrupted and can be resumed later, here or
     * elsewhere.
     */
    leave: () => part.end(),
  };
}

/** Serves requests until the returned function has resolved. */
function serveModelRequests(options: ModelServiceOptions, lease: LeaseSession): () => Promise<void> {
  const requests = new Responder(options, 'models', 'training');
  requests.answer(messages.ModelStatus, async () => lease.status());
  requests.answer(messages.TrainModel, ({ resume }, call) => lease.commands.train(resume, call));
  requests.answer(messages.StopTraining, (_, call) => lease.commands.stop(call));
  requests.answer(messages.SaveModel, (_, call) => lease.commands.save(call));
  requests.answer(messages.LoadModel, (_, call) => lease.commands.load(call));
  requests.answer(messages.BenchmarkModel, () => lease.commands.benchmark());
  requests.answer(messages.Predict, ({ session }, call) => lease.predict(session, call));

  return async () => {
    await requests.leave();
    // Closing the lease ends a run, so that callers who wait for its end get their replies before the responder closes.
    await lease.close();
    await requests.rest();
  };
}

function figuresOf({ status, commands }: LeaseSession) {
  const { training_active, run, weights, error, predictions } = status();
  return {
    training_active,
    benchmarking: commands.benchmarking,
    /** The number of completed steps of the newest run. */
    step: run?.step ?? 0,
    steps: run?.steps ?? 0,
    in_use: weights !== null,
    error,
    predictions,
  };
}

interface LeaseSessionOptions extends Required<ModelServiceOptions> {
  /** Called if this process cannot continue: another holder has written, or the record is inconsistent. */
  readonly giveUp: () => void;
}

type LeaseSession = Awaited<ReturnType<typeof openLeaseSession>>;

/**
 * The work of one process while it holds the lease. Reads the record, closes what a crash left open, and loads the
 * weights that were put to use last. Rejects with `STORE_UNAVAILABLE` or `STREAM_CORRUPT`.
 */
async function openLeaseSession(options: LeaseSessionOptions) {
  const { bus, store, codec, now, settings, openPredictor, logger, giveUp } = options;
  // `hasty`: the writer fails at once while the store is away, because its callers and the machine of a run retry by
  // themselves.
  const writing = { store, codec, now, context: undefined, hasty: true, onLost: giveUp };
  const models = await StreamWriter.open(MODELS, MODELS_STREAM, writing);
  const records = new StreamWriters(TRAINING, writing);
  const shared = { ...options, models, records, files: modelFiles(settings.folder) };
  const runs = trainingRuns(shared);
  const inUse = modelInUse(shared);
  const commands = modelCommands({ ...shared, runs, inUse });
  const sequenceLength = settings.spec.sequence_length;
  const predictions = predictionsOf({ bus, sequenceLength, openPredictor, logger });
  await commands.restore();
  return {
    commands,
    stateHashes: (): StateHashes => ({ ...stateHashOf(MODELS_STREAM, models.state), ...runs.stateHashes() }),
    status: () =>
      modelStatus({
        settings,
        models: models.state,
        inUse,
        newest: runs.newest,
        underWay: runs.underWay,
        predictions: predictions.figures(),
        loading: commands.loading,
      }),
    /** See `Predict`. */
    async predict(session: string, call: CallContext) {
      const { model, fault } = inUse;
      if (model === null || model.weights.run === null) {
        throw new BelegError('MODEL_NOT_READY', { detail: fault ?? undefined });
      }
      return predictions.ask(model, session, call);
    },
    /** Resolves when nothing is in flight. */
    async close(): Promise<void> {
      await commands.close();
      await Promise.all([models.close(), records.close()]);
      await predictions.close();
    },
  };
}
