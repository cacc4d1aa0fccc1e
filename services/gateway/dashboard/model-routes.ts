import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
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

/** No body is an empty one: an interrupted training goes on. */
export const TrainRequest = z.preprocess((sent) => sent ?? {}, TrainModel.request);

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
    summary: 'Start a training, or go on with the one that was interrupted',
    body: TrainRequest,
    bodyOptional: true,
    reply: TrainModel.reply,
    means: 'The training has begun; `GET /api/models/status` tells how it goes on, and so does the WebSocket',
    codes: [...BEHIND, 'MODEL_NOT_READY', 'ALREADY_TRAINING', 'STORE_UNAVAILABLE'],
    handler: (request) => tell(bus, TrainModel, request.body as z.output<typeof TrainRequest>, request),
  });

  addOperation(app, access, {
    method: 'POST',
    path: '/api/models/train/stop',
    tag: 'models',
    summary: 'Stop the training; it can go on later from where it was',
    reply: StopTraining.reply,
    means: 'The training ends within a step',
    codes: [...BEHIND, 'NOT_TRAINING', 'STORE_UNAVAILABLE'],
    handler: (request) => tell(bus, StopTraining, {}, request),
  });

  addOperation(app, access, {
    method: 'POST',
    path: '/api/models/save',
    tag: 'models',
    summary: 'Keep the weights in use',
    reply: SaveModel.reply,
    means: 'The weights are saved',
    codes: [...BEHIND, 'MODEL_NOT_READY', 'STORE_UNAVAILABLE'],
    handler: (request) => tell(bus, SaveModel, {}, request),
  });

  addOperation(app, access, {
    method: 'POST',
    path: '/api/models/load',
    tag: 'models',
    summary: 'Put the saved weights to use; where that is refused, what was in use stays in use',
    reply: LoadModel.reply,
    means: 'The weights are in use',
    codes: [
      ...BEHIND,
      'MODEL_NOT_READY',
      'WEIGHTS_MISSING',
      'WEIGHTS_MISMATCH',
      'WEIGHTS_DAMAGED',
      'ALREADY_TRAINING',
      'STORE_UNAVAILABLE',
    ],
    handler: (request) => tell(bus, LoadModel, {}, request),
  });

  addOperation(app, access, {
    method: 'POST',
    path: '/api/models/benchmark',
    tag: 'models',
    summary: 'Measure the model on this machine, in a process of its own; takes up to two minutes',
    reply: BenchmarkModel.reply,
    means: 'Times of one batch, and windows a second',
    codes: [...BEHIND, 'MODEL_NOT_READY', 'ALREADY_TRAINING'],
    handler: (request) => tell(bus, BenchmarkModel, {}, request),
  });
}
