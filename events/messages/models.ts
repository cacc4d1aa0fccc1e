import { z } from 'zod';
import { defineRequest } from './define.ts';

export const MODEL_STATES = [
  'uninitialized',
  'loading',
  'loaded',
  'training',
  'stopping',
  'trained',
  'error',
] as const;

/** `GET /api/models/status`. */
export const ModelStatusReply = z.object({
  status: z.enum(MODEL_STATES),
  training_active: z.boolean(),
  device: z.string(),
  amd_gpu: z.boolean(),
  mixed_precision: z.boolean(),
  precision: z.string(),
  model_name: z.string(),
  hidden_channels: z.int(),
  num_heads: z.int(),
  batch_size: z.int(),
  epochs: z.int(),
  sequence_length: z.int(),
  dropout: z.number(),
  learning_rate: z.number(),
});

export const ModelStatus = defineRequest({
  subject: 'beleg.v1.qry.models.status',
  request: z.strictObject({}),
  reply: ModelStatusReply,
  timeoutMs: 5_000,
});

/** `ALREADY_TRAINING`, or `MODEL_NOT_READY` where there is no model to train. */
export const TrainModel = defineRequest({
  subject: 'beleg.v1.cmd.models.train',
  request: z.strictObject({}),
  reply: z.object({ status: z.literal('started') }),
  timeoutMs: 10_000,
});

/** `NOT_TRAINING` where no training runs. */
export const StopTraining = defineRequest({
  subject: 'beleg.v1.cmd.models.stop',
  request: z.strictObject({}),
  reply: z.object({ status: z.literal('stopped') }),
  timeoutMs: 10_000,
});

export const SaveModel = defineRequest({
  subject: 'beleg.v1.cmd.models.save',
  request: z.strictObject({}),
  reply: z.object({ status: z.literal('saved') }),
  timeoutMs: 30_000,
});

export const LoadModel = defineRequest({
  subject: 'beleg.v1.cmd.models.load',
  request: z.strictObject({}),
  reply: z.object({ status: z.literal('loaded') }),
  timeoutMs: 30_000,
});

export const BenchmarkReply = z.object({
  status: z.literal('complete'),
  inference_time_ms: z.number(),
  training_time_ms: z.number(),
  inference_throughput: z.number(),
  training_throughput: z.number(),
  memory_allocated_gb: z.number(),
  device: z.string(),
});

export const BenchmarkModel = defineRequest({
  subject: 'beleg.v1.cmd.models.benchmark',
  request: z.strictObject({}),
  reply: BenchmarkReply,
  timeoutMs: 120_000,
});
