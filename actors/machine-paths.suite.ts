import {
  createActor,
  fromPromise,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
} from 'xstate';
import { getShortestPaths } from 'xstate/graph';

/** What the paths through a machine have visited. */
export interface Walked {
  /** The ids of entered states. */
  readonly states: Set<string>;
  /** Transitions that were taken, as `transitionsOf` names them. */
  readonly transitions: Set<string>;
  /** The last snapshot of every path. */
  readonly ends: AnyMachineSnapshot[];
}

type Node = AnyStateMachine['root'];
type Transition = Node['always'] extends readonly (infer Each)[] | undefined ? Each : never;

/** An actor that never answers: its answers are among the events of the paths. */
export const silent = <Output, Input>() => fromPromise<Output, Input>(() => new Promise(() => undefined));

const nodesOf = (node: Node): Node[] => [node, ...Object.values(node.states).flatMap(nodesOf)];

const listed = (node: Node): Transition[] => [
  ...[...node.transitions.values()].flat(),
  ...(node.always ?? []),
];

/** A transition by its source, its event, and its place among those of that event. */
function nameOf(transition: Transition): string {
  const { source, eventType } = transition;
  const same = listed(source).filter((other) => other.eventType === eventType);
  const target = transition.target?.map(({ key }) => key).join(' ') ?? 'stays';
  return `${source.id} · ${eventType || 'always'} · ${same.indexOf(transition)} → ${target}`;
}

/** The ids of all states of a machine. */
export const statesOf = (machine: AnyStateMachine): string[] => nodesOf(machine.root).map(({ id }) => id);

/** The states without inner states. */
export const leavesOf = (machine: AnyStateMachine): string[] =>
  nodesOf(machine.root)
    .filter(({ type }) => type === 'atomic' || type === 'final')
    .map(({ id }) => id);

/** The names of all transitions of a machine. */
export const transitionsOf = (machine: AnyStateMachine): string[] =>
  nodesOf(machine.root).flatMap(listed).map(nameOf);

/**
 * Goes the shortest path to every state of the machine with an actor, and from there one step further by each event that
 * may follow. Fails where the actor does not come to where the graph says.
 */
export function walk(
  machine: AnyStateMachine,
  events: readonly EventObject[],
  options: { readonly input?: unknown } = {},
): Walked {
  const walked: Walked = { states: new Set(), transitions: new Set(), ends: [] };
  // Errors look alike as text, so their index distinguishes them.
  const serializeEvent = (event: EventObject): string => `${event.type} ${events.indexOf(event)}`;
  const paths = getShortestPaths(machine, { events, serializeState, serializeEvent, ...options } as never);
  for (const path of paths) {
    const steps = path.steps
      .map(({ event }) => event as EventObject)
      .filter(({ type }) => type !== 'xstate.init');
    const end = go(machine, steps, options, walked);
    if (JSON.stringify(end.value) !== JSON.stringify((path.state as AnyMachineSnapshot).value))
      throw new Error(`${JSON.stringify(end.value)} is not where the path leads`);
    walked.ends.push(end);
    const further = new Set(end._nodes.flatMap((node) => [...node.transitions.keys()]));
    for (const event of events) if (further.has(event.type)) go(machine, [...steps, event], options, walked);
  }
  return walked;
}

/** Answers and failures of invoked actors for which the machine has no transition. */
export const unansweredIn = (machine: AnyStateMachine): string[] =>
  nodesOf(machine.root).flatMap((node) =>
    node.invoke.flatMap(({ id, src }) =>
      ['done', 'error']
        .filter((end) => !node.transitions.has(`xstate.${end}.actor.${id}`))
        .map((end) => `${node.id} ${typeof src === 'string' ? src : id} ${end}`),
    ),
  );

/** For each state without inner states, those of these events that change nothing there. */
export function ignoredIn(
  ends: readonly AnyMachineSnapshot[],
  events: readonly string[],
): Record<string, string[]> {
  const ignored = ends.flatMap((end) => {
    // A machine that is done handles no events, even those of outer states.
    const met = end.status === 'done' ? [] : end._nodes.flatMap(({ transitions }) => [...transitions.keys()]);
    return end._nodes
      .filter(({ type }) => type === 'atomic' || type === 'final')
      .map(({ path }) => [path.join('.'), events.filter((type) => !met.includes(type)).toSorted()] as const);
  });
  return Object.fromEntries(ignored);
}

/** States are distinguished by which members the context has, not by their values. */
function serializeState({ value, context }: AnyMachineSnapshot): string {
  const there = Object.entries(context as object).filter(
    ([, part]) => typeof part === 'object' && part !== null,
  );
  return JSON.stringify([value, there.map(([name]) => name)]);
}

function go(
  machine: AnyStateMachine,
  steps: readonly EventObject[],
  { input }: { readonly input?: unknown },
  { states, transitions }: Walked,
): AnyMachineSnapshot {
  const actor = createActor(machine, {
    input,
    inspect: (event) => {
      // The first steps are taken before there is a name for the actor.
      if (event.type !== '@xstate.microstep' || event.actorRef.sessionId !== event.rootId) return;
      for (const transition of event._transitions) {
        transitions.add(nameOf(transition as Transition));
        // Includes states that are left at once, of which there is no snapshot.
        states.add((transition as Transition).source.id);
      }
      for (const { id } of (event.snapshot as AnyMachineSnapshot)._nodes) states.add(id);
    },
  });
  for (const { id } of actor.getSnapshot()._nodes) states.add(id);
  actor.start();
  for (const event of steps) actor.send(event);
  const end = actor.getSnapshot();
  actor.stop();
  return end;
}
