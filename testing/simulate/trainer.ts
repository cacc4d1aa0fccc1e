import { join } from 'node:path';
import { initialWeights } from '../../services/models/configuration.ts';
import type {
  RunningTraining,
  TrainerPort,
  TrainingEnd,
  TrainingJob,
  TrainingListener,
} from '../../services/models/training/trainer-port.ts';
import { writeWeights } from '../../services/models/weights/weights.ts';
import type { Simulation } from './simulation.ts';

const EPOCHS = 2;
const STEPS_EACH = 10;
const part = { windows: 10, from: '2024-01-02', to: '2024-01-20' };
const score = { return: 0.01, volatility: 0.2 };
const scores = { network: score, ridge: score, mean: { return: 0, volatility: 0 } };

/** Learns nothing, but reports, writes and fails like a trainer. It ends with its process. */
export function simulatedTrainer(simulation: Simulation): TrainerPort {
  return {
    start(job, listener): RunningTraining {
      const stopping = new AbortController();
      return {
        stop: () => stopping.abort(),
        ended: train(simulation, job, listener, stopping.signal),
      };
    },
    benchmark: () => Promise.reject(new TypeError('nobody measures a simulated trainer')),
  };
}

async function train(
  simulation: Simulation,
  { folder, spec, settings, run }: TrainingJob,
  listener: TrainingListener,
  stop: AbortSignal,
): Promise<TrainingEnd> {
  await simulation.sleep(simulation.between(5, 100));
  let step = 0;
  listener.prepared({
    device: { provider: 'cpu', fallback: null, precision: 'float32', amd_gpu: false },
    parameters: 10,
    dataset: '0'.repeat(64),
    tickers: 2,
    train: part,
    validation: part,
    test: part,
    steps: EPOCHS * STEPS_EACH,
    step,
  });
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    await simulation.sleep(simulation.between(5, 300));
    if (stop.aborted) return { outcome: 'stopped', step, killed: simulation.chance(0.2) };
    if (simulation.chance(0.05))
      return { outcome: 'failed', fault: 'OUT_OF_MEMORY', detail: 'simulated', step };
    step += STEPS_EACH;
    const loss = 1 / epoch;
    listener.epoch({ epoch, step, train_loss: loss, validation_loss: loss, validation: score, best: true });
  }
  try {
    const initial = initialWeights({ spec, training: { ...settings, seed: simulation.whole(1_000) } });
    const trained = { ...initial, run, trainedUntil: part.to, scores };
    const weights = await writeWeights(join(folder, 'weights.safetensors'), trained);
    return { outcome: 'trained', weights, best_epoch: EPOCHS, step, scores };
  } catch (error) {
    return { outcome: 'failed', fault: 'DISK_FAILED', detail: String(error), step };
  }
}
