import pino from 'pino';
import { expect, test } from 'vitest';
import { InProcessBroker } from '../../events/bus/in-process.ts';
import type { MessageBus } from '../../events/bus/bus.ts';
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
  ['train', (bus: MessageBus) => call(bus, TrainModel, {}, CONTEXT), 'MODEL_NOT_READY'],
  ['save', (bus: MessageBus) => call(bus, SaveModel, {}, CONTEXT), 'MODEL_NOT_READY'],
  ['load', (bus: MessageBus) => call(bus, LoadModel, {}, CONTEXT), 'MODEL_NOT_READY'],
  ['benchmark', (bus: MessageBus) => call(bus, BenchmarkModel, {}, CONTEXT), 'MODEL_NOT_READY'],
  ['stop training', (bus: MessageBus) => call(bus, StopTraining, {}, CONTEXT), 'NOT_TRAINING'],
] as const)('%s is refused', async (_, ask, code) => {
  const { bus, faults } = start();
  await expect(ask(bus)).rejects.toMatchObject({ code, status: 409 });
  expect(faults).toEqual([]);
});
