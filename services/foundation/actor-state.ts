import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';

type Node = AnyMachineSnapshot['_nodes'][number];

/**
 * The regions of a machine that run side by side, or the whole machine as one region: the innermost state of each, and
 * the events that end it.
 */
export function regionsOf({
  _nodes: nodes,
  status,
}: AnyMachineSnapshot): { state: string; waits_for: string[] }[] {
  const leaves = nodes
    .filter(({ type }) => type === 'atomic' || type === 'final')
    // Regions are sorted in the order of the machine, whichever state was entered last.
    .sort((a, b) => a.order - b.order);
  return leaves.map((leaf) => ({
    state: leaf.path.join('.'),
    waits_for: status === 'active' ? [...new Set(endsOf(leaf, leaves))] : [],
  }));
}

/** The events for which a machine waits, in any of its regions. */
export const waitsFor = (snapshot: AnyMachineSnapshot): string[] => [
  ...new Set(regionsOf(snapshot).flatMap(({ waits_for }) => waits_for)),
];

/** What ends a state: its work, if the end of the work leads on; otherwise its delays, and the events that lead on. */
function endsOf(leaf: Node, leaves: readonly Node[]): string[] {
  if (leaf.type === 'final') return [];
  const nodes = withinRegion(leaf);
  const work = nodes.flatMap(({ invoke, transitions }) =>
    invoke
      .filter(({ id }) => ENDS.some((end) => transitions.has(`${end}.${id}`)))
      .map(({ src, id }) => (typeof src === 'string' ? src : id)),
  );
  const pauses = nodes.flatMap(({ after }) =>
    after.map(({ delay }) => (typeof delay === 'number' ? `${delay} ms` : String(delay))),
  );
  if (work.length > 0) return [...work, ...pauses];
  return [...pauses, ...eventsThatLeadOn(leaf, nodes), ...endsOfOthers(leaf, nodes, leaves)];
}

/** The events that XState sends when work has ended. */
const ENDS = ['xstate.done.actor', 'xstate.error.actor'];

/** A state and those that contain it, innermost first, up to the first that has another region beside it. */
export function withinRegion(node: Node): Node[] {
  const around = node.parent as Node | undefined;
  return around === undefined || around.type === 'parallel' ? [node] : [node, ...withinRegion(around)];
}

function eventsThatLeadOn(leaf: Node, nodes: readonly Node[]): string[] {
  /** A state with a transition that depends only on a condition may be left after any event. */
  const looks = nodes.some(({ always }) => (always ?? []).length > 0);
  return nodes.flatMap(({ transitions }, depth) =>
    [...transitions]
      .filter(([event]) => !event.startsWith('xstate.') && !isTakenWithin(nodes.slice(0, depth), event))
      .filter(([, ways]) =>
        ways.some(({ target }) => (target === undefined ? looks : target.some((node) => node !== leaf))),
      )
      .map(([event]) => event),
  );
}

/** Whether an inner state handles the event, so that outer states do not get it. */
const isTakenWithin = (inner: readonly Node[], event: string): boolean =>
  inner.some(({ transitions }) => transitions.get(event)?.some(({ guard }) => guard === undefined));

/**
 * A state that waits until another region is in a certain state waits for the events that end that region's present
 * state.
 */
function endsOfOthers(leaf: Node, nodes: readonly Node[], leaves: readonly Node[]): string[] {
  const awaited = nodes
    .flatMap(({ always }) => always ?? [])
    .flatMap(({ guard }) => statesIn(guard))
    .map((id) => withinRegion(leaf.machine.getStateNodeById(id)).at(-1)!);
  return leaves
    .filter((other) => other !== leaf && awaited.includes(withinRegion(other).at(-1)!))
    .flatMap((other) => endsOf(other, []));
}

/** The ids of the states that a guard tests by `stateIn`. */
function statesIn(guard: unknown): string[] {
  if (typeof guard !== 'function') return [];
  if ('guards' in guard) return (guard.guards as unknown[]).flatMap(statesIn);
  return 'stateValue' in guard ? [String(guard.stateValue)] : [];
}

/** The machines that a machine has invoked or spawned, by their ids in it. */
export const machinesIn = ({ children }: AnyMachineSnapshot): [string, AnyActorRef][] =>
  Object.entries(children as Record<string, AnyActorRef>).filter(
    ([, child]) => 'machine' in (child.getSnapshot() as object),
  );
