import { totalmem } from 'node:os';
import { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { call, type CallContext } from '../../../events/messages/define.ts';
import { ModelStatus, ModelStatusReply } from '../../../events/messages/models.ts';
import { Position, TradingStatus } from '../../../events/messages/trading.ts';
import { configuredModel } from '../../models/configuration.ts';
import { VERSION } from '../../foundation/version.ts';
import type { DashboardGatewaySettings } from './access.ts';

export const ModelMetrics = ModelStatusReply.pick({
  status: true,
  device: true,
  precision: true,
  amd_gpu: true,
  mixed_precision: true,
  hidden_channels: true,
  num_heads: true,
  batch_size: true,
  learning_rate: true,
}).extend({
  status: ModelStatusReply.shape.status.describe(
    'Also `error` while the model service does not answer; the sizes are then those of the settings',
  ),
});

/** `GET /api/dashboard/metrics`. */
export const Metrics = z.object({
  memory: z
    .object({
      allocated_gb: z.number(),
      max_allocated_gb: z.number(),
      total_gb: z.number(),
      limit_gb: z.number(),
      usage_percent: z.number().describe('`allocated_gb` as a percentage of `limit_gb`'),
      free_gb: z.number(),
    })
    .describe(
      'Memory in gigabytes (10^9 bytes): resident set of this process and its peak, the memory of the machine, the cgroup limit (without one: the memory of the machine), and the memory still available',
    ),
  account: z.object({
    cash: z.number(),
    total_value: z.number(),
    positions_count: z.int(),
    positions: z.record(z.string(), Position).describe('Positions by ticker'),
  }),
  model: ModelMetrics,
  system: z.object({
    project_name: z.string(),
    version: z.string(),
    training_active: z.boolean(),
    trading_active: z.boolean(),
  }),
});
export type Metrics = z.output<typeof Metrics>;

/** Milliseconds to wait for each service. For current figures it is better to leave out those that come late. */
const TIMEOUT_MS = 2_000;

/**
 * The present figures of memory, account, model and system. Rejects as `TradingStatus` does, because an account that
 * cannot be read has no figures. If the model service does not answer, the model's state is `error` and its sizes are
 * the configured ones.
 */
export async function readMetrics(
  bus: MessageBus,
  settings: Pick<DashboardGatewaySettings, 'model'>,
  context: CallContext,
): Promise<Metrics> {
  const timeout = { timeoutMs: TIMEOUT_MS };
  const [trading, model] = await Promise.all([
    call(bus, TradingStatus, {}, context, timeout),
    call(bus, ModelStatus, {}, context, timeout).catch(() => silent(settings)),
  ]);
  const { cash, total_value, positions, active } = trading;
  return {
    memory: readMemory(),
    account: { cash, total_value, positions_count: Object.keys(positions).length, positions },
    model: ModelMetrics.parse(model),
    system: {
      project_name: 'Beleg',
      version: VERSION,
      training_active: model.training_active,
      trading_active: active,
    },
  };
}

const silent = ({ model }: Pick<DashboardGatewaySettings, 'model'>) => ({
  ...configuredModel(model),
  status: 'error' as const,
  training_active: false,
  amd_gpu: false,
  device: 'unknown',
});

const GB = 1e9;

/**
 * The memory of this process in gigabytes (10^9 bytes), to the megabyte: resident set and its peak, the memory of the
 * machine, the limit of a cgroup (v1 or v2), and what is still available. The percentage refers to the limit.
 */
export function readMemory({
  resident = process.memoryUsage.rss(),
  constrained = process.constrainedMemory(),
} = {}): Metrics['memory'] {
  const total = totalmem();
  // Systems without a limit report 0, or more than their memory.
  const limit = constrained > 0 && constrained < total ? constrained : total;
  return {
    allocated_gb: gigabytes(resident),
    // The system samples the peak, in kilobytes, so it may be below the present size.
    max_allocated_gb: gigabytes(Math.max(resident, process.resourceUsage().maxRSS * 1_024)),
    total_gb: gigabytes(total),
    limit_gb: gigabytes(limit),
    usage_percent: round((resident / limit) * 100, 2),
    free_gb: gigabytes(Math.min(process.availableMemory(), Math.max(0, limit - resident))),
  };
}

const gigabytes = (bytes: number): number => round(bytes / GB, 3);

function round(value: number, places: number): number {
  return Number(value.toFixed(places));
}
