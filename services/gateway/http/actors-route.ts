import type { FastifyInstance } from 'fastify';
import { Gauge, type Registry } from 'prom-client';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { ListActors, type ActorList } from '../../../events/messages/actors.ts';
import { call, type CallContext } from '../../../events/messages/define.ts';
import type { Guard } from './keys-and-hosts.ts';
import type { Named } from './openapi.ts';
import { addRoute, asks, BEHIND } from './route.ts';

const EXAMPLE: ActorList = {
  processes: 1,
  counts: [{ kind: 'training', state: 'run.training work.going record.waiting', count: 1 }],
  actors: [
    {
      process: '9f1c2ab04d5e6f78',
      kind: 'training',
      id: '20260115-080000-000-1f2e3d',
      state: 'run.training work.going record.waiting',
      since: '2026-01-15T08:00:00.000Z',
      waits_for: ['TrainingStopRequested', 'work', 'REPORT', 'ENDED'],
      regions: [
        { state: 'run.training', since: '2026-01-15T08:00:00.000Z', waits_for: ['TrainingStopRequested'] },
        { state: 'work.going', since: '2026-01-15T08:00:00.000Z', waits_for: ['work'] },
        { state: 'record.waiting', since: '2026-01-15T08:00:00.000Z', waits_for: ['REPORT', 'ENDED'] },
      ],
      children: [],
    },
  ],
};

/** The schemas of the actors for the documents. */
export const ACTOR_REPLIES: Readonly<Record<string, Named>> = {
  ActorList: { schema: ListActors.reply, examples: [EXAMPLE] },
};

/** The actors of all processes, for operators. */
export function addActorsRoute(
  app: FastifyInstance,
  bus: MessageBus,
  { tag, ...entrance }: { readonly tag: string; readonly guard: Guard; readonly keys: readonly string[] },
): void {
  addRoute(
    app,
    {
      at: 'GET /actors',
      tag,
      summary: 'Living actors of all processes: state, since when, and what each waits for. No texts',
      means: 'The actors of the processes that answered within half a second',
      codes: BEHIND,
      ...asks(bus, ListActors),
    },
    entrance,
  );
}

/** Shows the number of actors of each kind in each state; no figures if no process answers. */
export function actorGauge(register: Registry, bus: MessageBus): (context: CallContext) => Promise<void> {
  const gauge = new Gauge({
    name: 'beleg_actors',
    help: 'Living actors of all processes by kind and state',
    labelNames: ['kind', 'state'],
    registers: [register],
  });
  return async (context) => {
    const list = await call(bus, ListActors, {}, context).catch(() => null);
    gauge.reset();
    for (const { kind, state, count } of list?.counts ?? []) gauge.set({ kind, state }, count);
  };
}
