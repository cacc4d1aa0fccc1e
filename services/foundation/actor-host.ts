import { SpanKind, type Span } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type {
  ActorOptions,
  AnyActorRef,
  AnyActorLogic,
  AnyMachineSnapshot,
  AnyTransitionDefinition,
} from 'xstate';
import type { ActorList } from '../../events/messages/actors.ts';
import { startSpan, type TraceContext } from '../../events/trace.ts';
import { stateAround, stateText } from '../../actors/state-text.ts';
import { machinesIn, regionsOf, waitsFor } from './actor-state.ts';
import { systemClock, type Clock } from './clock.ts';

/** Names an actor. It never contains text that anybody wrote. */
export interface ActorName {
  readonly kind: string;
  /** The actor's id among actors of its kind: that of the request, the order or the run. */
  readonly id: string;
  /** The trace of the actor's cause: each state becomes a span of that trace. */
  readonly trace?: TraceContext | undefined;
}

interface Life extends ActorName {
  readonly actor: AnyActorRef;
  state: string;
  /**
   * When the present state was entered, in milliseconds since 1970; for a machine with regions, the state that contains
   * them.
   */
  since: number;
  /** The regions that run side by side, each with its own time. A machine without regions has one. */
  regions: readonly { readonly state: string; readonly since: number }[];
  span: Span | undefined;
}

/** The most actors of a process that are listed: this many fit into a message. */
const LISTED = 1_000;

/**
 * The living actors of a process: their names, their states and since when, and what each waits for. A change of state
 * is logged at level `debug`.
 *
 * @example
 * const actors = new ActorHost({ logger });
 * const actor = actors.host(createActor(machine, { clock: actors.clock }), { kind: 'training', id: run });
 * actor.start();
 */
export class ActorHost {
  readonly #process: string;
  readonly #logger: Pick<Logger, 'debug'>;
  readonly #time: Clock;
  readonly #living = new Set<Life>();
  /** The states of all known actors over time, including children. */
  readonly #lives = new WeakMap<AnyActorRef, Life>();
  /** The clock for the delays of machines, which is the process's clock. */
  readonly clock: NonNullable<ActorOptions<AnyActorLogic>['clock']>;

  constructor({
    logger,
    process = '',
    clock = systemClock,
  }: {
    readonly logger: Pick<Logger, 'debug'>;
    /** The id of this process among all processes. */
    readonly process?: string;
    readonly clock?: Clock;
  }) {
    this.#logger = logger;
    this.#process = process;
    this.#time = clock;
    this.clock = {
      setTimeout: (run: () => void, ms: number) => clock.after(ms, run),
      clearTimeout: (callOff: () => void) => callOff(),
    };
  }

  /** Lists the actor until it ends, with the state in which it will start. The caller still has to start it. */
  host<Hosted extends AnyActorRef>(actor: Hosted, name: ActorName): Hosted {
    this.#living.add(this.#watch(actor, name));
    // Within one step a state can be left and entered again, which the next snapshot does not show.
    actor.system.inspect((inspected) => {
      if (inspected.type !== '@xstate.microstep') return;
      const life = this.#lives.get(inspected.actorRef as AnyActorRef);
      if (life !== undefined) this.#enterAnew(life, inspected._transitions);
    });
    return actor;
  }

  #enterAnew(life: Life, transitions: readonly AnyTransitionDefinition[]): void {
    // Most events of a busy actor lead to no other state.
    if (transitions.every(({ target }) => target === undefined)) return;
    const now = this.#time.now();
    const isEntered = (state: string): boolean => transitions.some((transition) => enters(transition, state));
    if (isEntered(stateAround(life.regions.map(({ state }) => state)))) life.since = now;
    life.regions = life.regions.map((region) =>
      isEntered(region.state) ? { ...region, since: now } : region,
    );
  }

  #watch(actor: AnyActorRef, name: ActorName): Life {
    const life: Life = { ...name, actor, state: '', since: 0, regions: [], span: undefined };
    this.#lives.set(actor, life);
    let { value, children } = actor.getSnapshot() as AnyMachineSnapshot;
    this.#enter(life, stateText(value));
    const watchChildren = (snapshot: AnyMachineSnapshot): void => {
      for (const [kind, child] of machinesIn(snapshot))
        if (!this.#lives.has(child)) this.#watch(child, { kind, id: name.id });
    };
    watchChildren(actor.getSnapshot() as AnyMachineSnapshot);
    const end = (): void => {
      this.#living.delete(life);
      life.span?.end();
    };
    actor.subscribe({
      next: (snapshot: AnyMachineSnapshot) => {
        // The state has changed only if states were left or entered.
        if (snapshot.value !== value) {
          value = snapshot.value;
          this.#enter(life, stateText(value));
        }
        if (snapshot.children !== children) {
          children = snapshot.children;
          watchChildren(snapshot);
        }
      },
      error: end,
      complete: end,
    });
    return life;
  }

  #enter(life: Life, state: string): void {
    if (state === life.state) return;
    const { kind, id, trace } = life;
    this.#logger.debug({ kind, id, from: life.state, to: state }, 'an actor changed its state');
    const now = this.#time.now();
    const regions = state.split(' ');
    const before = life.regions.map((region) => region.state);
    // Without regions, this line is only reached if the state has changed.
    const hasRegions = Math.max(regions.length, before.length) > 1;
    if (!hasRegions || before.length === 0 || stateAround(regions) !== stateAround(before)) life.since = now;
    // A region whose state has not changed keeps its time.
    life.regions = regions.map(
      (name) => life.regions.find((region) => region.state === name) ?? { state: name, since: now },
    );
    life.state = state;
    if (trace === undefined) return;
    life.span?.end();
    life.span = startSpan(`${kind} ${state}`, { kind: SpanKind.INTERNAL, parent: trace });
  }

  /** The number of living actors, and a list of those that have lived longest. */
  list(): ActorList {
    const living = [...this.#living];
    return {
      processes: 1,
      counts: [...Map.groupBy(living, ({ kind, state }) => `${kind}\n${state}`).values()].map((alike) => ({
        kind: alike[0]!.kind,
        state: alike[0]!.state,
        count: alike.length,
      })),
      actors: living.slice(0, LISTED).map(({ kind, id, actor, state, since, regions }) => {
        const snapshot = actor.getSnapshot() as AnyMachineSnapshot;
        const waits = new Map(regionsOf(snapshot).map((region) => [region.state, region.waits_for]));
        return {
          process: this.#process,
          kind,
          id,
          state,
          since: new Date(since).toISOString(),
          waits_for: waitsFor(snapshot),
          regions: (regions.length === 1 ? [] : regions).map((region) => ({
            state: region.state,
            since: new Date(region.since).toISOString(),
            waits_for: waits.get(region.state) ?? [],
          })),
          children: this.#childrenOf(snapshot),
        };
      }),
    };
  }
  /** The machines that a machine has invoked, and their children. */
  #childrenOf(snapshot: AnyMachineSnapshot): ActorList['actors'][number]['children'] {
    return machinesIn(snapshot).flatMap(([id, child]) => {
      const inner = child.getSnapshot() as AnyMachineSnapshot;
      const { state, since } = this.#lives.get(child)!;
      return [
        { id, state, since: new Date(since).toISOString(), waits_for: waitsFor(inner) },
        ...this.#childrenOf(inner),
      ];
    });
  }
}

/**
 * Whether the transition enters that state: its target is the state or one that contains it, and the state was not
 * merely kept.
 */
function enters({ source, target, reenter }: AnyTransitionDefinition, state: string): boolean {
  return (target ?? []).some((node) => {
    const name = node.path.join('.');
    return state.startsWith(`${name}.`) || (state === name && (reenter || node !== source));
  });
}
