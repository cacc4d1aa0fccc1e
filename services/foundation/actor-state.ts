import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import { stateText } from '../../actors/state-text.ts';

/** The work that was begun and the pauses; if there are none, the events that lead on. */
export function waitsFor({ _nodes: nodes, status }: AnyMachineSnapshot): string[] {
  if (status !== 'active') return [];
  const begun = nodes.flatMap((node) => [
    ...node.invoke.map(({ src, id }) => (typeof src === 'string' ? src : id)),
    ...node.after.map(({ delay }) => (typeof delay === 'number' ? `${delay} ms` : String(delay))),
  ]);
  const events = nodes.flatMap((node) => node.ownEvents.filter((event) => !event.startsWith('xstate.')));
  return [...new Set(begun.length > 0 ? begun : events)];
}

/** The machines that it has invoked or spawned, and their children. */
export function childrenOf({ children }: AnyMachineSnapshot): { id: string; state: string }[] {
  return Object.entries(children as Record<string, AnyActorRef>).flatMap(([id, child]) => {
    const snapshot = child.getSnapshot() as AnyMachineSnapshot;
    return 'machine' in snapshot ? [{ id, state: stateText(snapshot.value) }, ...childrenOf(snapshot)] : [];
  });
}
