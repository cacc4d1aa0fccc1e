import * as messages from '../../events/messages/models.ts';
import type { ModelSettings } from '../config-trading.ts';
import { whileHeld } from '../held.ts';
import { Responder } from '../responder.ts';
import type { StateHashes } from '../state-hashes.ts';
import { openPredictor, type Predictor } from './inference/predictor.ts';
import type { LatencyFigures } from './latency.ts';
import { LeaseSession } from './lease-session.ts';
import { forkedTrainer } from './training/forked-trainer.ts';
import type { TrainerPort } from './training/training.ts';
import type { Weights } from './weights/weights.ts';
import type { ServiceParts } from '../service-parts.ts';

interface ModelServiceOptions extends ServiceParts {
  readonly settings: ModelSettings;
  /** What does the heavy work; by default processes of its own. */
  readonly trainer?: TrainerPort;
  /** For tests. */
  readonly openPredictor?: (weights: Weights) => Promise<Predictor>;
}

/** For readiness and figures; `null` where another process serves. */
type ModelServiceStatus = {
  readonly training_active: boolean;
  readonly benchmarking: boolean;
  /** Steps of the newest run: done, and in all. */
  readonly step: number;
  readonly steps: number;
  readonly in_use: boolean;
  readonly error: string | null;
  readonly predictions: LatencyFigures;
} | null;

export interface ModelService {
  /** Resolves when this process has the model, which it does at once where it is the only one. Rejects when it could not begin. */
  readonly allHeld: Promise<void>;
  status(): ModelServiceStatus;
  /** Of what this process has. */
  stateHashes(): StateHashes;
  /** Before the bus is drained: a training under way is interrupted and can go on later, here or elsewhere. */
  leave(): Promise<void>;
}

/**
 * The model: its training, its weights, its predictions. One process at a time, under the lease `training`; one that has
 * lost it without knowing is fenced off by the revisions of its streams. Where none holds it, callers hear
 * `NO_RESPONDERS`.
 */
export function serveModels(options: ModelServiceOptions): ModelService {
  const { logger } = options;
  const trainer = options.trainer ?? forkedTrainer({ logger });
  let held: LeaseSession | null = null;
  const part = whileHeld(options.leases, 'training', async (giveUp) => {
    const lease = (held = await LeaseSession.open({ openPredictor, ...options, trainer, giveUp }));
    const close = serveModelRequests(options, lease);
    return async () => {
      await close();
      held = null;
    };
  });
  return {
    allHeld: part.begun,
    status: () => (held === null ? null : figuresOf(held)),
    stateHashes: () => held?.stateHashes() ?? {},
    leave: () => part.end(),
  };
}

/** Serves requests until the function that it returns has been called and has resolved. */
function serveModelRequests(options: ModelServiceOptions, lease: LeaseSession): () => Promise<void> {
  const requests = new Responder(options, 'models');
  requests.answer(messages.ModelStatus, async () => lease.status());
  requests.answer(messages.TrainModel, async ({ resume }, call) => ({
    status: 'started' as const,
    ...(await lease.commands.train(resume, call)),
  }));
  requests.answer(messages.StopTraining, async (_, call) => ({
    status: 'stopped' as const,
    run: await lease.commands.stop(call),
  }));
  requests.answer(messages.SaveModel, async (_, call) => ({
    status: 'saved' as const,
    weights: await lease.commands.save(call),
  }));
  requests.answer(messages.LoadModel, async (_, call) => ({
    status: 'loaded' as const,
    weights: await lease.commands.load(call),
  }));
  requests.answer(messages.BenchmarkModel, () => lease.commands.benchmark());
  requests.answer(messages.Predict, ({ session }, call) => lease.predict(session, call));

  return async () => {
    await requests.leave();
    // Whoever waits for a run to stop hears of it.
    await lease.close();
    await requests.rest();
  };
}

function figuresOf(lease: LeaseSession): ModelServiceStatus {
  const { run, weights, error } = lease.status();
  return {
    training_active: lease.trainingActive,
    benchmarking: lease.commands.benchmarking,
    step: run?.step ?? 0,
    steps: run?.steps ?? 0,
    in_use: weights !== null,
    error,
    predictions: lease.predictionFigures,
  };
}
