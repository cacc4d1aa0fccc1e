import { ADAMW } from './optimizer.ts';
import type { TrainingSettings } from './spec.ts';

/** The warm-up takes a tenth of the run, but at most this many steps. */
const LONGEST_WARM_UP = 100;

/**
 * The rate rises linearly to its maximum, then falls along half a cosine towards 0. (Loshchilov, Hutter, SGDR, 2017,
 * without restarts)
 *
 * @param step 1 … steps.
 */
export function learningRate(
  { learning_rate }: Pick<TrainingSettings, 'learning_rate'>,
  step: number,
  steps: number,
): number {
  const warmUp = Math.min(LONGEST_WARM_UP, Math.ceil(steps / 10));
  if (step <= warmUp) return (learning_rate * step) / warmUp;
  const progress = (step - warmUp) / (steps - warmUp + 1);
  return (learning_rate * (1 + Math.cos(Math.PI * progress))) / 2;
}

/** The bias corrections of Adam's running means, which begin at 0. (Kingma, Ba, Adam, 2015, 3) */
export function biasCorrections(step: number): readonly [number, number] {
  return [1 / (1 - ADAMW.beta1 ** step), 1 / (1 - ADAMW.beta2 ** step)];
}

/** The input `hp` of the training graph for a step, 1 … steps. */
export function hyperparameters(
  settings: Pick<TrainingSettings, 'learning_rate'>,
  step: number,
  steps: number,
): readonly [number, number, number] {
  return [learningRate(settings, step, steps), ...biasCorrections(step)];
}
