import type {
  IndexEvent,
  MarketEvent,
  ModelsEvent,
  TrainingEvent,
} from '../../../../events/catalog/catalog.ts';
import { count, grouped } from '../../figures.ts';
import type { Facts } from './facts.ts';
import { bad, good, plain, type Describe } from './tones.ts';

type Types = (IndexEvent | MarketEvent | ModelsEvent | TrainingEvent)['type'];

export const RUN_WORDS: Readonly<Record<Types, Describe>> = {
  TrainingStarted: (facts) => {
    const settings = facts.within('settings');
    return plain(
      'Training started',
      `${count(settings.number('epochs'), 'epoch')} on ${facts.text('provider')}, ${count(settings.count('features'), 'feature')}, ` +
        `learning rate ${settings.number('learning_rate')}, seed ${settings.number('seed')}`,
      `${facts.has('as_of') ? `bars up to ${facts.text('as_of')}` : 'all bars'}${facts.has('source') ? ` of ${facts.text('source')}` : ''}`,
    );
  },
  TrainingPrepared: (facts) =>
    plain(
      'Data and device ready',
      `${count(facts.number('tickers'), 'ticker')}, ${grouped(facts.within('train').number('windows'))} training windows; dataset ${facts.hash('dataset')}`,
      `step ${grouped(facts.number('step'))} of ${grouped(facts.number('steps'))}, ${grouped(facts.number('parameters'))} parameters, on ${facts.text('provider')}`,
      facts.has('fallback') ? `not the requested device: ${facts.text('fallback')}` : '',
    ),
  TrainingEpochFinished: (facts) =>
    plain(
      `Epoch ${facts.number('epoch')} done${facts.is('best', true) ? ', best so far' : ''}`,
      `loss ${figure(facts, 'train_loss')} in training, ${figure(facts, 'validation_loss')} in validation; ${scores(facts.within('validation'))}`,
    ),
  TrainingStopRequested: () => plain('Stop requested'),
  TrainingInterrupted: (facts) =>
    bad(
      'Interrupted',
      `${facts.text('reason')} at step ${grouped(facts.number('step'))}`,
      facts.has('detail') ? facts.text('detail') : '',
    ),
  TrainingResumed: () => plain('Resumed', 'from its last checkpoint'),
  TrainingFinished: (facts) => {
    const of = facts.within('scores');
    return good(
      'Trained',
      `best epoch ${facts.number('best_epoch')}, ${grouped(facts.number('step'))} steps; weights ${facts.hash('weights')}`,
      `network: ${scores(of.within('network'))}; ridge: ${scores(of.within('ridge'))}; mean: ${scores(of.within('mean'))}`,
    );
  },
  TrainingFailed: (facts) =>
    bad(
      'Failed',
      `${facts.text('fault')}: ${facts.text('detail')}`,
      `at step ${grouped(facts.number('step'))}`,
    ),
  TrainingRunOpened: () => plain('Training run opened'),
  ModelPutToUse: (facts) =>
    good(
      'Weights in use',
      `${facts.hash('weights')}, ${facts.is('cause', 'loaded') ? 'loaded' : 'as trained'}`,
    ),
  ModelSaved: (facts) => plain('Weights saved', facts.hash('weights')),
  MarketUpdateStarted: (facts) =>
    plain(
      'Update started',
      `${count(facts.count('tickers'), 'ticker')} of ${facts.text('source')}: ${facts.ids('tickers')}`,
    ),
  TickerUpdated: (facts) =>
    plain(
      `${facts.text('ticker')} updated`,
      `${count(facts.number('bars'), 'bar')}, ${count(facts.number('splits'), 'split')}, ${count(facts.number('dividends'), 'dividend')}` +
        (facts.has('last') ? `; ${facts.text('first')} to ${facts.text('last')}` : ''),
      facts.number('warnings_total') === 0
        ? ''
        : `${count(facts.number('warnings_total'), 'warning')}: ${facts.list('warnings', (of) => `${of.text('date')} ${of.text('kind')}`)}`,
    ),
  TickerUpdateFailed: (facts) => bad(`${facts.text('ticker')} failed`, facts.ids('faults')),
  MarketUpdateFinished: (facts) =>
    good(
      'Update finished',
      `${count(facts.number('updated'), 'ticker')} updated, ${facts.number('failed')} failed`,
    ),
  ReindexStarted: () => plain('Reindex started'),
  IndexBuilt: (facts) =>
    good(
      'New index in use',
      `${grouped(facts.number('passages'))} passages of ${count(facts.number('sources'), 'source')}: ` +
        `${facts.number('added')} added, ${facts.number('changed')} changed, ${facts.number('removed')} removed`,
      `index ${facts.hash('index')}, built in ${grouped(facts.number('duration_ms'))} ms`,
    ),
  ReindexFailed: (facts) =>
    bad(
      'Reindex failed',
      `${facts.text('code')}, ${count(facts.number('faults'), 'fault')}; the old index stays in use`,
    ),
};

const figure = (facts: Facts, field: string): string => facts.number(field).toPrecision(4);

/** R² of the two things that are predicted. */
const scores = (facts: Facts): string =>
  `R² ${facts.number('return').toFixed(3)} return, ${facts.number('volatility').toFixed(3)} volatility`;
