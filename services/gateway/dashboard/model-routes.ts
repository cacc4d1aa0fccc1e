import type { FastifyInstance } from 'fastify';
import {
  BenchmarkModel,
  LoadModel,
  ModelStatus,
  SaveModel,
  StopTraining,
  TrainModel,
} from '../../../events/messages/models.ts';
import type { DashboardContext } from './context.ts';
import { addOperation, ask, tell } from './operation.ts';
import { BEHIND } from '../http/route.ts';

/** The model: how it stands, its training, its weights. */
export function addModelRoutes(app: FastifyInstance, { bus, access }: DashboardContext): void {
  addOperation(app, access, {
    method: 'GET',
    path: '/api/models/status',
    tag: 'models',
    summary: 'How the model stands, and its sizes',
    reply: ModelStatus.reply,
    means: 'The model as it is now',
    codes: BEHIND,
    handler: (request) => ask(bus, ModelStatus, {}, request),
  });

  addOperation(app, access, {
    method: 'POST',
    path: '/api/models/train',
    tag: 'models',
    summary: 'Start a training',
    reply: TrainModel.reply,
    means: 'The training has begun',
    codes: [...BEHIND, 'MODEL_NOT_READY', 'ALREADY_TRAINING'],
    handler: (request) => tell(bus, TrainModel, {}, request),
  });

  addOperation(app, access, {
    method: 'POST',
    path: '/api/models/train/stop',
    tag: 'models',
    summary: 'Stop the training',
    reply: StopTraining.reply,
    means: 'The training ends',
    codes: [...BEHIND, 'NOT_TRAINING'],
    handler: (request) => tell(bus, StopTraining, {}, request),
  });

  addOperation(app, access, {
    method: 'POST',
    path: '/api/models/save',
    tag: 'models',
    summary: "Save the model's weights",
    reply: SaveModel.reply,
    means: 'The weights are saved',
    codes: [...BEHIND, 'MODEL_NOT_READY', 'STORE_UNAVAILABLE'],
    handler: (request) => tell(bus, SaveModel, {}, request),
  });

  addOperation(app, access, {
    method: 'POST',
    path: '/api/models/load',
    tag: 'models',
    summary: 'Load the weights that were saved last',
    reply: LoadModel.reply,
    means: 'The weights are in use',
    codes: [...BEHIND, 'MODEL_NOT_READY'],
    handler: (request) => tell(bus, LoadModel, {}, request),
  });

  addOperation(app, access, {
    method: 'POST',
    path: '/api/models/benchmark',
    tag: 'models',
    summary: 'Measure the model on this machine; takes up to two minutes',
    reply: BenchmarkModel.reply,
    means: 'Times of one batch, and samples a second',
    codes: [...BEHIND, 'MODEL_NOT_READY', 'ALREADY_TRAINING'],
    handler: (request) => tell(bus, BenchmarkModel, {}, request),
  });
}
