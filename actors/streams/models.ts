import { MARKET_EVENTS, MODELS_EVENTS, TRAINING_EVENTS } from '../../events/catalog/catalog.ts';
import { marketStream } from '../../events/catalog/market.ts';
import { MODELS_STREAM, trainingStream } from '../../events/catalog/models.ts';
import { deterministicId } from '../../events/json.ts';
import * as update from '../market-update/update.ts';
import { TRAINING_LIFECYCLE } from '../training/lifecycle.ts';
import * as models from '../training/models.ts';
import * as training from '../training/training-run.ts';
import { defineStream } from './define-stream.ts';

export const MARKET = defineStream({
  kind: 'market',
  stream: marketStream,
  events: MARKET_EVENTS,
  lifecycle: update.UPDATE_LIFECYCLE,
  initial: update.initialState,
  evolve: update.evolve,
  decide: update.decide,
  /** Event ids depend on the step, so that a step that is repeated after a crash gives events with equal ids. */
  stamp: ({ data }) => ({
    causationId: deterministicId(data.update_id, 'ticker' in data ? data.ticker : ''),
  }),
});

export const TRAINING = defineStream({
  kind: 'training',
  stream: trainingStream,
  events: TRAINING_EVENTS,
  lifecycle: TRAINING_LIFECYCLE,
  initial: training.initialState,
  evolve: training.evolve,
  decide: training.decide,
});

export const MODELS = defineStream({
  kind: 'models',
  stream: MODELS_STREAM,
  events: MODELS_EVENTS,
  initial: models.initialState,
  evolve: models.evolve,
  decide: models.decide,
});
