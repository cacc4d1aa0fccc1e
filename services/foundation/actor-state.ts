import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';

type Node = AnyMachineSnapshot['_nodes'][number];

/**
 * The regions of a machine that stand side by side, or all of it as one: the innermost state of each, and what ends its
 * rest there.
 */
export function regionsOf({
  _nodes: nodes,
  status,
}: AnyMachineSnapshot): { state: string; waits_for: string[] }[] {
  const leaves = nodes
    .filter(({ type }) => type === 'atomic' || type === 'final')
    // In the order in which the machine is written, whichever state was entered last.
    .sort((a, b) => a.order - b.order);
  return leaves.map((leaf) => ({
    state: leaf.path.join('.'),
    waits_for: status === 'active' ? [...new Set(endsOf(leaf, leaves))] : [],
  }));
}

/** The events for which any of its regions waits. */
export const waitsFor = (snapshot: AnyMachineSnapshot): string[] => [
  ...new Set(regionsOf(snapshot).flatMap(({ waits_for }) => waits_for)),
];

/** The work that was begun there, if its end leads on. If there is none: the pauses, and the events that lead on. */
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

/** What XState sends when work has ended. */
const ENDS = ['xstate.done.actor', 'xstate.error.actor'];

/** A state and those around it, as far as no other region stands beside them; the innermost one first. */
export function withinRegion(node: Node): Node[] {
  const around = node.parent as Node | undefined;
  return around === undefined || around.type === 'parallel' ? [node] : [node, ...withinRegion(around)];
}

function eventsThatLeadOn(leaf: Node, nodes: readonly Node[]): string[] {
  /** A state that is left as soon as something is so may be left after any event. */
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

/** Whether a state further inside takes the event, so that those around it do not get it. */
const isTakenWithin = (inner: readonly Node[], event: string): boolean =>
  inner.some(({ transitions }) => transitions.get(event)?.some(({ guard }) => guard === undefined));

/** A state that another region must reach waits for what ends the rest of that one. */
function endsOfOthers(leaf: Node, nodes: readonly Node[], leaves: readonly Node[]): string[] {
  const awaited = nodes
    .flatMap(({ always }) => always ?? [])
    .flatMap(({ guard }) => statesIn(guard))
    .map((id) => withinRegion(leaf.machine.getStateNodeById(id)).at(-1)!);
  return leaves
    .filter((other) => other !== leaf && awaited.includes(withinRegion(other).at(-1)!))
    .flatMap((other) => endsOf(other, []));
}

/** The ids of the states that a guard asks for by `stateIn`. */
function statesIn(guard: unknown): string[] {
  if (typeof guard !== 'function') return [];
  if ('guards' in guard) return (guard.guards as unknown[]).flatMap(statesIn);
  return 'stateValue' in guard ? [String(guard.stateValue)] : [];
}

/** The machines that it has invoked or spawned, by the ids that they have there. */
export const machinesIn = ({ children }: AnyMachineSnapshot): [string, AnyActorRef][] =>
  Object.entries(children as Record<string, AnyActorRef>).filter(
    ([, child]) => 'machine' in (child.getSnapshot() as object),
  );
