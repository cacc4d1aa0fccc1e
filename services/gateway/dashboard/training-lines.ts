import type { EventReaders } from './follow-events.ts';
import type * as models from '../../../events/catalog/models.ts';

/** The lines of the log for trainings and for their weights. */
export const MODEL_LINES: EventReaders<typeof models, string> = {
  TrainingStarted: ({ settings, as_of }) =>
    `Training started: ${counted(settings.epochs, 'epoch')}, batch ${settings.batch_size}, ` +
    `learning rate ${settings.learning_rate}, ${as_of === null ? 'all market data' : `market data up to ${as_of}`}`,
  TrainingResumed: () => 'Training resumed from its last checkpoint',
  TrainingPrepared: ({ tickers, train, validation, test, parameters, steps, step, provider, fallback }) =>
    `Training prepared: ${counted(tickers, 'ticker')}, windows ${train.windows} to train, ${validation.windows} to ` +
    `validate, ${test.windows} to test; ${counted(parameters, 'parameter')}, ${counted(steps, 'step')} on ${brief(provider)}` +
    (step === 0 ? '' : `, ${step} of them done before`) +
    (fallback === null ? '' : `. Not the device that was asked for: ${brief(fallback)}`),
  TrainingEpochFinished: ({ epoch, train_loss, validation_loss, validation, best }) =>
    `Training: epoch ${epoch} done, loss ${figure(train_loss)}, validation loss ${figure(validation_loss)}, ` +
    `validation R² ${scoreOf(validation)}${best ? ', best so far' : ''}`,
  TrainingStopRequested: () => 'Training is stopping',
  TrainingInterrupted: ({ reason, detail, step }) =>
    `${INTERRUPTIONS[reason]}${detail === null ? '' : ` (${brief(detail)})`}, at step ${step}: it can be resumed`,
  TrainingFinished: ({ step, best_epoch, scores: { network, ridge, mean } }) =>
    `Training finished after ${counted(step, 'step')}, best epoch ${best_epoch}. R² out of sample: network ` +
    `${scoreOf(network)}; ridge ${scoreOf(ridge)}; mean ${scoreOf(mean)}`,
  TrainingFailed: ({ fault, detail, step }) =>
    `Training FAILED at step ${step} (${brief(fault)}): ${brief(detail)}`,
  ModelPutToUse: ({ weights, cause }) => `Model: ${cause} weights ${short(weights)} are now in use`,
  ModelSaved: ({ weights }) => `Model: weights ${short(weights)} saved`,
};

const INTERRUPTIONS = {
  stopped: 'Training stopped',
  shutdown: 'Training interrupted because its service stopped',
  crashed: 'Training INTERRUPTED: its process stopped unexpectedly',
} as const;

/** A number with four decimals, without a minus sign before zero. */
const figure = (value: number): string => value.toFixed(4).replace(/^-(0\.0+)$/, '$1');

const scoreOf = (score: { return: number; volatility: number }): string =>
  `${figure(score.return)} of return, ${figure(score.volatility)} of volatility`;

/** The beginning of a hash, which is enough to tell two apart. */
const short = (hash: string): string => hash.slice(0, 12);

/** The most characters of a reason of a broker or a source; a longer one is cut. */
const MAX_REASON = 200;

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The text in one line, without control characters, cut if it is long. */
export function brief(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, MAX_REASON);
}
