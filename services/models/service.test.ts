import pino from 'pino';
import { expect, test } from 'vitest';
import { InProcessBroker } from '../../events/bus/in-process.ts';
import { call } from '../../events/messages/define.ts';
import {
  BenchmarkModel,
  LoadModel,
  ModelStatus,
  SaveModel,
  StopTraining,
  TrainModel,
} from '../../events/messages/models.ts';
import { serveModels } from './service.ts';

const CONTEXT = { correlationId: 'test', callId: 'test' };

function start() {
  const faults: unknown[] = [];
  const bus = new InProcessBroker().connect((error) => faults.push(error));
  serveModels({ bus, logger: pino({ level: 'silent' }) });
  return { bus, faults };
}

test('there is no model yet, and its status says which one it will be', async () => {
  const { bus } = start();
  expect(await call(bus, ModelStatus, {}, CONTEXT)).toEqual({
    status: 'uninitialized',
    training_active: false,
    device: 'cpu',
    amd_gpu: false,
    mixed_precision: false,
    precision: 'fp32',
    model_name: 'beleg-tcn',
    hidden_channels: 64,
    num_heads: 4,
    batch_size: 32,
    epochs: 10,
    sequence_length: 30,
    dropout: 0.1,
    learning_rate: 0.001,
  });
});

test.each([
  ['train', TrainModel, 'MODEL_NOT_READY'],
  ['save', SaveModel, 'MODEL_NOT_READY'],
  ['load', LoadModel, 'MODEL_NOT_READY'],
  ['benchmark', BenchmarkModel, 'MODEL_NOT_READY'],
  ['stop training', StopTraining, 'NOT_TRAINING'],
] as const)('%s is refused', async (_, definition, code) => {
  const { bus, faults } = start();
  await expect(call(bus, definition, {}, CONTEXT)).rejects.toMatchObject({ code, status: 409 });
  expect(faults).toEqual([]);
});
