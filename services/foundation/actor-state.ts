import type { AnyActorRef, AnyMachineSnapshot, StateValue } from 'xstate';

/** `asked.retrieving`; regions side by side: `run.training work.going`. */
export function stateText(value: StateValue): string {
  if (typeof value === 'string') return value;
  return Object.entries(value)
    .map(([name, inner]) => [name, inner === undefined ? '' : stateText(inner)])
    .map(([name, inner]) => (inner === '' ? name : inner!.replaceAll(/(^| )(?=\S)/g, `$1${name}.`)))
    .join(' ');
}

/** Work that was begun, and pauses; where there are none, the events that lead on. */
export function waitsFor({ _nodes: nodes, status }: AnyMachineSnapshot): string[] {
  if (status !== 'active') return [];
  const begun = nodes.flatMap((node) => [
    ...node.invoke.map(({ src, id }) => (typeof src === 'string' ? src : id)),
    ...node.after.map(({ delay }) => (typeof delay === 'number' ? `${delay} ms` : String(delay))),
  ]);
  const events = nodes.flatMap((node) => node.ownEvents.filter((event) => !event.startsWith('xstate.')));
  return [...new Set(begun.length > 0 ? begun : events)];
}

/** The machines that it has invoked or spawned, and theirs. */
export function childrenOf({ children }: AnyMachineSnapshot): { id: string; state: string }[] {
  return Object.entries(children as Record<string, AnyActorRef>).flatMap(([id, child]) => {
    const snapshot = child.getSnapshot() as AnyMachineSnapshot;
    return 'machine' in snapshot ? [{ id, state: stateText(snapshot.value) }, ...childrenOf(snapshot)] : [];
  });
}
