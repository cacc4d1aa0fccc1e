import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import * as models from '../../../events/messages/models.ts';
import { addOperation } from './add-operation.ts';
import type { DashboardContext } from './dashboard-context.ts';
import { asks, BEHIND } from '../http/route.ts';

/** A missing body means an empty one: an interrupted training is resumed. */
export const TrainRequest = z
  .preprocess((sent) => sent ?? {}, models.TrainModel.request)
  .describe('Extension: the contract has no body here; no body is the same as `{}`.');

/** Adds the routes for the state of the model, its training and its weights. */
export function addModelRoutes(app: FastifyInstance, { bus, access }: DashboardContext): void {
  addOperation(app, access, {
    at: 'GET /api/models/status',
    summary: 'State and size of the model',
    means: 'Current state of the model',
    codes: BEHIND,
    ...asks(bus, models.ModelStatus),
  });

  addOperation(app, access, {
    at: 'POST /api/models/train',
    summary: 'Start a training run, or resume an interrupted one',
    body: TrainRequest,
    bodyOptional: true,
    means: 'The training has started; follow it with `GET /api/models/status` or over the WebSocket',
    codes: [...BEHIND, 'MODEL_NOT_READY', 'ALREADY_TRAINING', 'STORE_UNAVAILABLE'],
    ...asks(bus, models.TrainModel),
  });

  addOperation(app, access, {
    at: 'POST /api/models/train/stop',
    summary: 'Stop the training; it can be resumed later',
    means: 'The training ends within a step',
    codes: [...BEHIND, 'NOT_TRAINING', 'STORE_UNAVAILABLE'],
    ...asks(bus, models.StopTraining),
  });

  addOperation(app, access, {
    at: 'POST /api/models/save',
    summary: 'Save the weights that are in use',
    means: 'The weights are saved',
    codes: [...BEHIND, 'MODEL_NOT_READY', 'STORE_UNAVAILABLE'],
    ...asks(bus, models.SaveModel),
  });

  addOperation(app, access, {
    at: 'POST /api/models/load',
    summary: 'Use the saved weights; if that fails, the current weights stay in use',
    means: 'The saved weights are in use',
    codes: [
      ...BEHIND,
      'MODEL_NOT_READY',
      'WEIGHTS_MISSING',
      'WEIGHTS_MISMATCH',
      'WEIGHTS_DAMAGED',
      'ALREADY_TRAINING',
      'STORE_UNAVAILABLE',
    ],
    ...asks(bus, models.LoadModel),
  });

  addOperation(app, access, {
    at: 'POST /api/models/benchmark',
    summary: 'Measure the speed of the model on this machine, in a separate process; takes up to two minutes',
    means: 'Time per batch and windows per second',
    codes: [...BEHIND, 'MODEL_NOT_READY', 'ALREADY_TRAINING'],
    ...asks(bus, models.BenchmarkModel),
  });
}
