import { z } from 'zod';
import { Score, Scores } from '../catalog/models.ts';
import { SessionDate } from '../catalog/trading.ts';
import { defineRequest } from './define.ts';
import { optionalOr } from './optional.ts';

const MODEL_STATES = [
  /** The weights in use are the initial ones, without any training. */
  'uninitialized',
  'loading',
  /** The weights in use were loaded. */
  'loaded',
  'training',
  'stopping',
  /** The weights in use are those of the last training. */
  'trained',
  /** No model can be used because of a fault, which is in `error`. */
  'error',
] as const;

const RUN_STATES = [
  'preparing',
  'training',
  'stopping',
  'trained',
  'failed',
  /** The run is not finished, and can be resumed from its last checkpoint. */
  'interrupted',
] as const;

const Part = z.object({ windows: z.int(), from: z.string(), to: z.string() }).meta({ title: 'TrainingPart' });

/** The state of the newest run of training. */
export const TrainingRun = z
  .object({
    run: z.string(),
    state: z.enum(RUN_STATES),
    /** The newest day of the data that the run may use; `null` for all of the market's data. */
    as_of: z
      .string()
      .nullable()
      .describe('Last day of the training data; the market data feed has not gone further yet'),
    device: z.string(),
    /** Why another provider is used than the wanted one. */
    fallback: z.string().nullable(),
    epoch: z.int().describe('Current epoch, starting at 1'),
    epochs: z.int(),
    /** Steps that are done, and steps of the whole run; 0 while the run prepares. */
    step: z.int().describe('Steps done so far; `steps` is the total of the run'),
    steps: z.int(),
    loss: z.number().nullable().describe('Mean squared error of the scaled targets over the last steps'),
    steps_per_second: z.number().nullable(),
    seconds_left: z.number().nullable(),
    train: Part.nullable().describe(
      'Number of windows and the days on which they end. Training, validation and test follow each other in time, with gaps between them',
    ),
    validation: Part.nullable().describe('Used to choose the best epoch'),
    test: Part.nullable().describe('Used once, to compute the scores of the best epoch'),
    history: z
      .array(
        z.object({
          epoch: z.int(),
          train_loss: z.number(),
          validation_loss: z.number(),
          validation: Score,
          best: z.boolean(),
        }),
      )
      .describe(
        'All epochs so far; `validation` is the R² on the validation part, `best` is true if it was the best epoch so far',
      ),
    scores: Scores.nullable().describe(
      'R² on the test part, for the network, ridge regression and the mean: 1 is perfect, 0 is as good as a constant. Values near zero are usual for daily returns',
    ),
    reason: z.string().nullable().describe('Why the run failed or was interrupted'),
  })
  .describe('State of the latest training run.');

/** `GET /api/models/status`. */
export const ModelStatusReply = z.object({
  status: z
    .enum(MODEL_STATES)
    .describe(
      '`uninitialized`: random initial weights, which can be saved, loaded and measured; `loaded`, `trained`: where the weights in use come from; `error`: no model can be used, the field `error` says why',
    ),
  training_active: z.boolean(),
  device: z.string().describe('Device in use; it can differ from the configured one'),
  amd_gpu: z.boolean(),
  mixed_precision: z.boolean(),
  precision: z.string().describe('Number format of the weights and of all computation'),
  model_name: z.string(),
  hidden_channels: z.int(),
  num_heads: z.int(),
  batch_size: z.int(),
  epochs: z.int(),
  sequence_length: z.int(),
  dropout: z.number(),
  learning_rate: z.number(),
  layers: z.int().describe('Extension: number of layers'),
  seed: z.int().describe('Extension: random seed; the same seed and data give the same weights'),
  parameters: z.int().describe('Extension: number of trained parameters'),
  features: z.array(z.string()).describe('Extension: input features of a day'),
  weights: z
    .string()
    .nullable()
    .describe('Extension: SHA-256 of the weights in use; `null` for random initial weights'),
  saved: z.string().nullable().describe('Extension: SHA-256 of the saved weights; `null` if none are saved'),
  error: z.string().nullable().describe('Extension: why no model can be used'),
  /** How many milliseconds the newest predictions took, including the market's part. */
  predictions: z
    .object({
      count: z.int(),
      last_ms: z.number().nullable(),
      p50_ms: z.number().nullable(),
      p95_ms: z.number().nullable(),
    })
    .describe('Extension: how long the latest predictions for the strategy took, in milliseconds'),
  run: TrainingRun.nullable().describe('Extension: the latest training run; `null` before the first'),
});

export const ModelStatus = defineRequest({
  subject: 'beleg.v1.qry.models.status',
  reply: ModelStatusReply,
});

/**
 * Begins a run, or resumes the newest one if it was interrupted and its settings equal the present ones; `resume:
 * false` always begins a new run. Rejects with `ALREADY_TRAINING` while a run or a benchmark is under way.
 */
export const TrainModel = defineRequest({
  subject: 'beleg.v1.cmd.models.train',
  request: z.strictObject({
    resume: optionalOr(z.boolean(), true).describe(
      'true: resume an interrupted run if its settings are still the same, with the same result as without the break; false: always start a new run. Default: true',
    ),
  }),
  reply: z.object({
    status: z.literal('started'),
    run: z.string().describe('Extension: id of the training run'),
    resumed: z
      .boolean()
      .describe('Extension: true if an interrupted run was resumed from its last checkpoint'),
  }),
});

/**
 * Stops the run within a step; it can be resumed later. Rejects with `NOT_TRAINING` if no training runs. While the run
 * is stopping, a second request has the same reply.
 */
export const StopTraining = defineRequest({
  subject: 'beleg.v1.cmd.models.stop',
  reply: z.object({
    status: z.literal('stopped'),
    run: z.string().describe('Extension: id of the run; it can be resumed later'),
  }),
  timeoutMs: 15_000,
});

/**
 * Saves the weights in use; if none were put to use yet, the initial ones. Rejects with `MODEL_NOT_READY` if the
 * weights that were put to use last cannot be read.
 */
export const SaveModel = defineRequest({
  subject: 'beleg.v1.cmd.models.save',
  reply: z.object({
    status: z.literal('saved'),
    weights: z.string().describe('Extension: SHA-256 of the weights'),
  }),
  timeoutMs: 30_000,
});

/**
 * Puts the saved weights to use. With `WEIGHTS_MISSING`, `WEIGHTS_MISMATCH` or `WEIGHTS_DAMAGED` the weights in use
 * stay.
 */
export const LoadModel = defineRequest({
  subject: 'beleg.v1.cmd.models.load',
  reply: z.object({
    status: z.literal('loaded'),
    weights: z.string().describe('Extension: SHA-256 of the weights'),
  }),
  timeoutMs: 30_000,
});

export const BenchmarkReply = z.object({
  status: z.literal('complete'),
  inference_time_ms: z.number().describe('Median time of one batch'),
  training_time_ms: z.number().describe('Median time of one step'),
  inference_throughput: z.number().describe('Windows per second'),
  training_throughput: z.number().describe('Windows per second'),
  memory_allocated_gb: z.number().describe('Memory of the measuring process, in gigabytes (10^9 bytes)'),
  device: z.string(),
});

/**
 * Measures training and predictions in a process of its own. Rejects with `ALREADY_TRAINING` while a training runs,
 * because each would slow the other down.
 */
export const BenchmarkModel = defineRequest({
  subject: 'beleg.v1.cmd.models.benchmark',
  reply: BenchmarkReply,
  timeoutMs: 120_000,
});

/** What the weights in use predict for the day after a session. */
export const Prediction = z.object({
  ticker: z.string(),
  /** The predicted log return: ln(close / previous close). */
  return: z.number(),
  /** The predicted volatility of a day, as a standard deviation of log returns. */
  volatility: z.number(),
});
export type Prediction = z.output<typeof Prediction>;

/**
 * Predictions for each ticker that traded in the session and has a full window of days up to it. Later days are not
 * used. Rejects with `MODEL_NOT_READY` if no trained weights are in use.
 */
export const Predict = defineRequest({
  subject: 'beleg.v1.qry.models.predictions',
  request: z.strictObject({ session: SessionDate }),
  reply: z.object({ weights: z.string(), predictions: z.array(Prediction) }),
});
