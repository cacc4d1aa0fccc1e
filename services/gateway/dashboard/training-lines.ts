import { onEvent, type EventHandler, type Publication } from './published.ts';
import * as models from '../../../events/catalog/models.ts';

/** What the log says of trainings, and of the weights that come of them. */
export function describeTraining(say: (message: string, publication: Publication) => void): EventHandler[] {
  return [
    onEvent(models.TrainingStarted, ({ settings, as_of }, of) =>
      say(
        `Training started: ${counted(settings.epochs, 'epoch')}, batch ${settings.batch_size}, ` +
          `learning rate ${settings.learning_rate}, ${as_of === null ? 'all market data' : `market data up to ${as_of}`}`,
        of,
      ),
    ),
    onEvent(models.TrainingResumed, (_, of) => say('Training resumed from its last checkpoint', of)),
    onEvent(models.TrainingPrepared, (prepared, of) => {
      const { tickers, train, validation, test, parameters, steps, step, provider, fallback } = prepared;
      say(
        `Training prepared: ${counted(tickers, 'ticker')}, windows ${train.windows} to train, ${validation.windows} to ` +
          `validate, ${test.windows} to test; ${counted(parameters, 'parameter')}, ${counted(steps, 'step')} on ${brief(provider)}` +
          (step === 0 ? '' : `, ${step} of them done before`) +
          (fallback === null ? '' : `. Not the device that was asked for: ${brief(fallback)}`),
        of,
      );
    }),
    onEvent(models.TrainingEpochFinished, ({ epoch, train_loss, validation_loss, validation, best }, of) =>
      say(
        `Training: epoch ${epoch} done, loss ${figure(train_loss)}, validation loss ${figure(validation_loss)}, ` +
          `validation R² ${scoreOf(validation)}${best ? ', best so far' : ''}`,
        of,
      ),
    ),
    onEvent(models.TrainingStopRequested, (_, of) => say('Training is stopping', of)),
    onEvent(models.TrainingInterrupted, ({ reason, detail, step }, of) =>
      say(
        `${INTERRUPTIONS[reason]}${detail === null ? '' : ` (${brief(detail)})`}, at step ${step}: it can be resumed`,
        of,
      ),
    ),
    onEvent(models.TrainingFinished, ({ step, best_epoch, scores: { network, ridge, mean } }, of) =>
      say(
        `Training finished after ${counted(step, 'step')}, best epoch ${best_epoch}. R² out of sample: network ` +
          `${scoreOf(network)}; ridge ${scoreOf(ridge)}; mean ${scoreOf(mean)}`,
        of,
      ),
    ),
    onEvent(models.TrainingFailed, ({ fault, detail, step }, of) =>
      say(`Training FAILED at step ${step} (${brief(fault)}): ${brief(detail)}`, of),
    ),
    onEvent(models.ModelPutToUse, ({ weights, cause }, of) =>
      say(`Model: ${cause} weights ${short(weights)} are now in use`, of),
    ),
    onEvent(models.ModelSaved, ({ weights }, of) => say(`Model: weights ${short(weights)} saved`, of)),
  ];
}

const INTERRUPTIONS = {
  stopped: 'Training stopped',
  shutdown: 'Training interrupted because its service stopped',
  crashed: 'Training INTERRUPTED: its process stopped unexpectedly',
} as const;

/** Four places; none of them left is no minus either. */
const figure = (value: number): string => value.toFixed(4).replace(/^-(0\.0+)$/, '$1');

const scoreOf = (score: { return: number; volatility: number }): string =>
  `${figure(score.return)} of return, ${figure(score.volatility)} of volatility`;

/** As much of a hash as tells one from another. */
const short = (hash: string): string => hash.slice(0, 12);

/** A word of a broker or a source is let in, a speech of one is not. */
const MAX_REASON = 200;

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** In one line, whatever it was. */
export function brief(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, MAX_REASON);
}
