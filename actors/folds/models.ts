import type { MarketEvent, ModelsEvent, TrainingEvent } from '../../events/catalog/catalog.ts';
import { MODELS_STREAM } from '../../events/catalog/models.ts';
import { plain, typesOf, type StreamFold } from './fold.ts';
import * as update from '../market-update/update.ts';
import { evolveModels, initialModels, type ModelsState } from '../training/models.ts';
import * as training from '../training/run.ts';

export const marketFold: StreamFold<update.UpdateState> = {
  ...plain,
  kind: 'market',
  version: 1,
  types: typesOf<MarketEvent>({
    MarketUpdateStarted: true,
    TickerUpdated: true,
    TickerUpdateFailed: true,
    MarketUpdateFinished: true,
  }),
  matches: (stream) => stream.startsWith('market-'),
  initial: () => update.initialState,
  evolve: (state, event) => update.evolve(state, event as MarketEvent),
};

export const trainingFold: StreamFold<training.RunState> = {
  ...plain,
  kind: 'training',
  version: 1,
  types: typesOf<TrainingEvent>({
    TrainingStarted: true,
    TrainingPrepared: true,
    TrainingEpochFinished: true,
    TrainingStopRequested: true,
    TrainingInterrupted: true,
    TrainingResumed: true,
    TrainingFinished: true,
    TrainingFailed: true,
  }),
  matches: (stream) => stream.startsWith('training-'),
  initial: () => training.initialState,
  evolve: (state, event) => training.evolve(state, event as TrainingEvent),
};

export const modelsFold: StreamFold<ModelsState> = {
  ...plain,
  kind: 'models',
  version: 1,
  types: typesOf<ModelsEvent>({ TrainingRunOpened: true, ModelPutToUse: true, ModelSaved: true }),
  matches: (stream) => stream === MODELS_STREAM,
  initial: () => initialModels,
  evolve: (state, event) => evolveModels(state, event as ModelsEvent),
};
