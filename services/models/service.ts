import type { Logger } from 'pino';
import type { z } from 'zod';
import type { MessageBus } from '../../events/bus/bus.ts';
import { BelegError, type ErrorCode } from '../../events/errors.ts';
import { serve, type RequestDefinition } from '../../events/messages/define.ts';
import {
  BenchmarkModel,
  LoadModel,
  ModelStatus,
  type ModelStatusReply,
  SaveModel,
  StopTraining,
  TrainModel,
} from '../../events/messages/models.ts';
import { logFailure } from '../log-failure.ts';
import type { ModelSettings } from '../config-trading.ts';
import { configuredModel } from './configuration.ts';

const QUEUE = 'models';

const uninitialized = (settings: ModelSettings): z.output<typeof ModelStatusReply> => ({
  ...configuredModel(settings),
  status: 'uninitialized',
  training_active: false,
  device: 'cpu',
  amd_gpu: false,
  parameters: 0,
  weights: null,
  saved: null,
  error: null,
  run: null,
});

/** Answers for the model: there is none to train, save, load or measure, and it says so. It serves until the bus is drained. */
export function serveModels({
  bus,
  logger,
  settings,
}: {
  bus: MessageBus;
  logger: Logger;
  settings: ModelSettings;
}): void {
  const onError = logFailure(logger);
  serve(bus, ModelStatus, QUEUE, async () => uninitialized(settings), onError);

  const refuse = <Req extends z.ZodType, Rep extends z.ZodType>(
    definition: RequestDefinition<Req, Rep>,
    code: ErrorCode,
  ) => serve(bus, definition, QUEUE, () => Promise.reject(new BelegError(code)), onError);
  refuse(TrainModel, 'MODEL_NOT_READY');
  refuse(SaveModel, 'MODEL_NOT_READY');
  refuse(LoadModel, 'MODEL_NOT_READY');
  refuse(BenchmarkModel, 'MODEL_NOT_READY');
  refuse(StopTraining, 'NOT_TRAINING');
}
