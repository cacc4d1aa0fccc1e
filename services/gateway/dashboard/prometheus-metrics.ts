import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { call } from '../../../events/messages/define.ts';
import { ModelStatus, type ModelStatusReply } from '../../../events/messages/models.ts';
import { TradingStatus, type TradingStatusReply } from '../../../events/messages/trading.ts';
import { actorGauge } from '../http/actors-route.ts';
import { createGauges, type Figure } from '../http/metrics-registry.ts';
import { contextOf } from '../http/route.ts';
import type { DashboardContext } from './dashboard-context.ts';

/** Milliseconds that a scrape waits for the account. */
const SCRAPE_TIMEOUT_MS = 2_000;

type Status = z.output<typeof TradingStatusReply>;
type Model = z.output<typeof ModelStatusReply>;

const READY: readonly Figure<boolean>[] = [
  ['beleg_trading_ready', '1 while the trading service answers', Number],
];
const ACCOUNT: readonly Figure<Status>[] = [
  ['beleg_trading_active', '1 while orders can open positions', ({ active }) => Number(active)],
  [
    'beleg_trading_halted',
    '1 while trading is halted and orders may only close positions',
    ({ state }) => Number(state === 'halted'),
  ],
  ['beleg_account_cash', 'Cash in the currency of the account', ({ cash }) => cash],
  ['beleg_account_value', 'Cash and positions at the last prices', ({ total_value }) => total_value],
  ['beleg_account_positions', 'Number of open positions', ({ positions }) => Object.keys(positions).length],
  ['beleg_orders_open', 'Orders that can still be filled', ({ open_orders }) => open_orders],
  ['beleg_discrepancies', 'Open discrepancies with the broker', ({ discrepancies }) => discrepancies],
];
const MODEL: readonly Figure<Model>[] = [
  ['beleg_model_training', '1 while training is running', ({ training_active }) => Number(training_active)],
  ['beleg_model_in_use', '1 while weights are in use', ({ weights }) => Number(weights !== null)],
  ['beleg_model_predictions', 'Predictions answered', ({ predictions }) => predictions.count],
  [
    'beleg_model_prediction_p50_seconds',
    'Median time of the latest 512 predictions',
    ({ predictions }) => seconds(predictions.p50_ms),
  ],
  [
    'beleg_model_prediction_p95_seconds',
    '95th percentile of the time of the latest 512 predictions',
    ({ predictions }) => seconds(predictions.p95_ms),
  ],
];

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

/** `GET /metrics`, Prometheus text: figures of Node, trading and models. A service that does not answer has no figures. */
export function addMetrics(app: FastifyInstance, { bus, access, register }: DashboardContext): void {
  const ready = createGauges(register, READY);
  const account = createGauges(register, ACCOUNT);
  const models = createGauges(register, MODEL);
  const showActors = actorGauge(register, bus);
  app.get('/metrics', { onRequest: access.metrics, schema: { hide: true } }, async (request, reply) => {
    const context = contextOf(request);
    const timeout = { timeoutMs: SCRAPE_TIMEOUT_MS };
    const [status, model] = await Promise.all([
      call(bus, TradingStatus, {}, context, timeout).catch(() => null),
      call(bus, ModelStatus, {}, context, timeout).catch(() => null),
      showActors(context),
    ]);
    ready(status !== null);
    account(status);
    models(model);
    void reply.type(register.contentType);
    return register.metrics();
  });
}
