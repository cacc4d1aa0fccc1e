import type {
  IndexEvent,
  MarketEvent,
  ModelsEvent,
  TrainingEvent,
} from '../../../../events/catalog/catalog.ts';
import type { Facts } from './event-facts.ts';
import { bad, good, plain, type Describe } from './tones.ts';

type Types = (IndexEvent | MarketEvent | ModelsEvent | TrainingEvent)['type'];

export const RUN_WORDS: Readonly<Record<Types, Describe>> = {
  TrainingStarted: (facts) => {
    const settings = facts.within('settings');
    return plain(
      'Training started',
      settings.say('{epochs epoch} on ') +
        facts.say('{provider}, ') +
        settings.say('{features feature}, learning rate {learning_rate}, seed {seed}'),
      (facts.sayIf('as_of', 'bars up to {as_of}') || 'all bars') + facts.sayIf('source', ' of {source}'),
    );
  },
  TrainingPrepared: (facts) =>
    plain(
      'Data and device ready',
      facts.say('{tickers ticker}, ') +
        facts.within('train').say('{windows#} training windows; ') +
        facts.say('dataset {dataset~}'),
      facts.say('step {step#} of {steps#}, {parameters#} parameters, on {provider}'),
      facts.sayIf('fallback', 'not the requested device: {fallback}'),
    ),
  TrainingEpochFinished: (facts) =>
    plain(
      `${facts.say('Epoch {epoch} done')}${facts.is('best', true) ? ', best so far' : ''}`,
      `loss ${figure(facts, 'train_loss')} in training, ${figure(facts, 'validation_loss')} in validation; ${scores(facts, 'validation')}`,
    ),
  TrainingStopRequested: plain('Stop requested'),
  TrainingInterrupted: (facts) =>
    bad('Interrupted', facts.say('{reason} at step {step#}'), facts.sayIf('detail', '{detail}')),
  TrainingResumed: plain('Resumed', 'from its last checkpoint'),
  TrainingFinished: (facts) => {
    const of = facts.within('scores');
    return good(
      'Trained',
      facts.say('best epoch {best_epoch}, {step#} steps; weights {weights~}'),
      `network: ${scores(of, 'network')}; ridge: ${scores(of, 'ridge')}; mean: ${scores(of, 'mean')}`,
    );
  },
  TrainingFailed: bad('Failed', '{fault}: {detail}', 'at step {step#}'),
  TrainingRunOpened: plain('Training run opened'),
  ModelPutToUse: (facts) =>
    good(
      'Weights in use',
      `${facts.say('{weights~}')}, ${facts.is('cause', 'loaded') ? 'loaded' : 'as trained'}`,
    ),
  ModelSaved: plain('Weights saved', '{weights~}'),
  MarketUpdateStarted: plain('Update started', '{tickers ticker} of {source}: {tickers*}'),
  TickerUpdated: (facts) =>
    plain(
      facts.say('{ticker} updated'),
      facts.say('{bars bar}, {splits split}, {dividends dividend}') +
        facts.sayIf('last', '; {first} to {last}'),
      facts.number('warnings_total') === 0
        ? ''
        : `${facts.say('{warnings_total warning}')}: ${facts.list('warnings', (of) => of.say('{date} {kind}'))}`,
    ),
  TickerUpdateFailed: bad('{ticker} failed', '{faults*}'),
  MarketUpdateFinished: good('Update finished', '{updated ticker} updated, {failed} failed'),
  ReindexStarted: (facts) => {
    if (!facts.has('files')) return plain('Reindex started');
    const files = facts.within('files');
    return plain(
      'Reindex started, because files changed',
      files.say('{added file} added, {changed} changed, {removed} removed'),
    );
  },
  IndexBuilt: good(
    'New index in use',
    '{passages#} passages of {sources source}: {added} added, {changed} changed, {removed} removed',
    'index {index~}, built in {duration_ms#} ms',
  ),
  ReindexFailed: bad('Reindex failed', '{code}, {faults fault}; the old index stays in use'),
};

const figure = (facts: Facts, field: string): string => facts.number(field).toPrecision(4);

/** R² of the two predicted quantities. */
function scores(facts: Facts, field: string): string {
  const of = facts.within(field);
  return `R² ${of.number('return').toFixed(3)} return, ${of.number('volatility').toFixed(3)} volatility`;
}
