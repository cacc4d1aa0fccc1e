import type { FastifyInstance } from 'fastify';
import { Counter, Gauge } from 'prom-client';
import type { AskResponse } from '../../../events/messages/knowledge.ts';
import { observeRequests } from '../http/observe.ts';
import { createRegistry } from '../../operations/registry.ts';
import type { HealthResponse } from './health.ts';

export interface Metrics {
  countAsk(response: AskResponse): void;
  /** Prometheus text, with what health says now. */
  render(health: HealthResponse): Promise<string>;
  readonly contentType: string;
}

/** Every request, and the outcomes of asks. */
export function collectMetrics(app: FastifyInstance): Metrics {
  const register = createRegistry();
  observeRequests(app, register);
  const registers = [register];
  const asks = new Counter({
    name: 'beleg_asks_total',
    help: 'Answers given, by status',
    labelNames: ['status'],
    registers,
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const ready = gauge('beleg_knowledge_ready', '1 while questions are answered');
  const passages = gauge('beleg_index_passages', 'Passages in the index in service');
  const spooled = gauge('beleg_audit_spooled_events', 'Events that wait to be recorded');
  const lost = gauge('beleg_audit_lost_events', 'Events that could be kept nowhere since the start');

  return {
    countAsk: ({ status }) => asks.inc({ status }),
    render: async (health) => {
      ready.set(health.status === 'unavailable' ? 0 : 1);
      passages.set(health.index.passages);
      spooled.set(health.audit.spooled);
      lost.set(health.audit.lost);
      return register.metrics();
    },
    contentType: register.contentType,
  };
}
