import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { MessageBus } from '../../../events/bus/bus.ts';
import type { ErrorCode } from '../../../events/error-codes.ts';
import type { AskResponse, ModelFigures } from '../../../events/messages/knowledge.ts';
import { actorGauge } from '../http/actors-route.ts';
import { observeRequests } from '../http/request-metrics.ts';
import { createRegistry, createGauges, type Figure } from '../http/metrics-registry.ts';
import { contextOf } from '../http/route.ts';
import type { Access } from './access.ts';
import { readHealth, type HealthResponse } from './health.ts';

const FIGURES: readonly Figure<HealthResponse>[] = [
  [
    'beleg_knowledge_ready',
    '1 while questions can be answered',
    (health) => Number(health.status !== 'unavailable'),
  ],
  ['beleg_index_passages', 'Passages in the index in use', ({ index }) => index.passages],
  ['beleg_audit_spooled_events', 'Events waiting to be recorded', ({ audit }) => audit.spooled],
  [
    'beleg_audit_lost_events',
    'Events lost because they could be stored nowhere, over all restarts until an operator resets it',
    ({ audit }) => audit.lost,
  ],
];

/** Counts an ask under the status of its answer, or under its error code. */
export type CountAsk = (outcome: AskResponse['status'] | ErrorCode) => void;

/** Prometheus text: all requests, the outcomes of asks, the present health, and the figures of the language model. */
export function addMetrics(app: FastifyInstance, bus: MessageBus, access: Access): CountAsk {
  const register = createRegistry();
  observeRequests(app, register);
  const registers = [register];
  const asks = new Counter({
    name: 'beleg_asks_total',
    help: 'Questions by status of the answer or code of the error',
    labelNames: ['status'],
    registers,
  });
  const show = createGauges(register, FIGURES);
  const tellModel = modelCounters(registers);
  const showActors = actorGauge(register, bus);
  const followers = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['follower'], registers });
  const seconds = followers(
    'beleg_follower_behind_seconds',
    'Age of the oldest event that a follower has not processed yet',
  );
  const events = followers('beleg_follower_behind_events', 'Events that a follower has not processed yet');
  const behind = followers('beleg_follower_behind', '1 while a follower is behind the record');

  app.get('/metrics', { onRequest: access.metrics, schema: { hide: true } }, async (request, reply) => {
    const context = contextOf(request);
    const [{ health, figures }] = await Promise.all([readHealth(bus, context), showActors(context)]);
    if (figures !== null) tellModel(figures);
    show(health);
    for (const gauge of [seconds, events, behind]) gauge.reset();
    for (const lag of health.followers) {
      const labels = { follower: lag.name };
      seconds.set(labels, lag.seconds);
      events.set(labels, lag.events);
      behind.set(labels, Number(lag.behind));
    }
    void reply.type(register.contentType);
    return register.metrics();
  });
  return (status) => asks.inc({ status });
}

/** Shows the counters of the processes that use the model. */
function modelCounters(registers: Registry[]): (figures: ModelFigures) => void {
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const calls = counter('beleg_model_calls_total', 'Calls of the language model by result', ['outcome']);
  const seconds = counter('beleg_model_call_seconds_total', 'Total time of these calls', []);
  const tokens = counter('beleg_model_tokens_total', 'Tokens reported by the model server', ['kind']);
  const asks = counter(
    'beleg_model_asks_total',
    'Questions by whether the language model wrote the answer, or why it did not',
    ['outcome'],
  );
  return (figures) => {
    tell(calls, 'outcome', figures.calls);
    tell(asks, 'outcome', figures.asks);
    tell(tokens, 'kind', { prompt: figures.prompt_tokens, completion: figures.completion_tokens });
    seconds.reset();
    seconds.inc(figures.call_seconds);
  };
}

function tell(of: Counter, label: string, counts: Readonly<Record<string, number>>): void {
  of.reset();
  for (const [name, count] of Object.entries(counts)) of.inc({ [label]: name }, count);
}
