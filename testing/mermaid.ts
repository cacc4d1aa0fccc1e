import type { AnyStateMachine } from 'xstate';
import { withinRegion } from '../services/foundation/actor-state.ts';

type Node = AnyStateMachine['root'];
type Way = NonNullable<Node['always']>[number];

/** A machine as a Mermaid state diagram: its states, what runs in each, and its transitions. */
export function mermaidOf(machine: AnyStateMachine): string {
  return ['stateDiagram-v2', ...inside(machine.root).map((line) => `  ${line}`)].join('\n');
}

/** The content of a state: its children, and the arrows between them. */
function inside(node: Node): string[] {
  const children = Object.values(node.states);
  if (node.type === 'parallel') {
    return children.flatMap((child, i) => [...(i === 0 ? [] : ['--']), ...stateOf(child)]);
  }
  const initial = node.initial.target[0];
  return [
    ...(initial === undefined ? [] : [`[*] --> ${idOf(initial)}`]),
    ...children.flatMap(stateOf),
    ...waysWithin(node),
    ...waysFromAnywhere(node),
  ];
}

function stateOf(node: Node): string[] {
  const work = node.invoke.map(({ src, id }) => (typeof src === 'string' ? src : id));
  const label = [node.key, ...work.map((each) => `(${each})`)].join(' ');
  const named = `state "${label}" as ${idOf(node)}`;
  if (Object.keys(node.states).length === 0) {
    return [named, ...(node.type === 'final' ? [`${idOf(node)} --> [*]`] : [])];
  }
  return [`${named} {`, ...inside(node).map((line) => `  ${line}`), '}'];
}

/** Mermaid cannot draw an arrow out of a state into the inside of another, so it is drawn between the outer states. */
function waysWithin(node: Node): string[] {
  const lines = descendants(node).flatMap((source) =>
    waysOf(source).flatMap((way) =>
      (way.target ?? []).flatMap((target) => {
        if (isWithin(target, source) || nearestOfBoth(source, target) !== node) return [];
        const from = childOf(node, source);
        const label = [...labelOf(way), ...(from === source ? [] : [`from ${source.key}`])].join(' ');
        return `${idOf(from)} --> ${idOf(childOf(node, target))}${label === '' ? '' : ` : ${label}`}`;
      }),
    ),
  );
  return [...new Set(lines)];
}

/** Transitions from a state to one inside of it, unless a child handles the event differently. */
function waysFromAnywhere(node: Node): string[] {
  return waysOf(node).flatMap((way) =>
    (way.target ?? [])
      .filter((target) => isWithin(target, node))
      .flatMap((target) => {
        const to = childOf(node, target);
        const label = labelOf(way).join(' ');
        return Object.values(node.states)
          .filter((from) => from !== to && from.type !== 'final' && !overrides(from, way))
          .map((from) => `${idOf(from)} --> ${idOf(to)} : ${label}`);
      }),
  );
}

const overrides = (node: Node, { eventType }: Way): boolean =>
  node.transitions.get(eventType)?.some(({ guard }) => guard === undefined) ?? false;

const isWithin = (node: Node, outer: Node): boolean => ancestors(node).includes(outer);

const descendants = (node: Node): Node[] =>
  Object.values(node.states).flatMap((child) => [child, ...descendants(child)]);

const waysOf = (node: Node): Way[] => [...[...node.transitions.values()].flat(), ...(node.always ?? [])];

const ancestors = (node: Node): Node[] =>
  node.parent === undefined ? [] : [node.parent, ...ancestors(node.parent)];

function nearestOfBoth(a: Node, b: Node): Node | undefined {
  const above = new Set(ancestors(b));
  return ancestors(a).find((node) => above.has(node));
}

function childOf(node: Node, descendant: Node): Node {
  return descendant.parent === node ? descendant : childOf(node, descendant.parent as Node);
}

const idOf = (node: Node): string => node.path.join('_').replaceAll(/\W/g, '_');

/** The event and its condition. */
function labelOf({ eventType, guard, source }: Way): string[] {
  const condition = guard === undefined ? [] : [`[${guardText(guard, source)}]`];
  const events = eventType === '' && rests(source) ? notedIn(source) : eventText(eventType, source);
  return [...events, ...condition];
}

/** Whether something may have to happen before it is left. */
const rests = ({ always }: Node): boolean => (always ?? []).every(({ guard }) => guard !== undefined);

/** The events after which its conditions are looked at again: those that it notes without a change of state. */
function notedIn(node: Node): string[] {
  const ways = withinRegion(node).flatMap(({ transitions }) => [...transitions.values()].flat());
  const noted = ways.filter(
    ({ eventType, target }) => target === undefined && !eventType.startsWith('xstate.'),
  );
  return noted.length === 0 ? [] : [[...new Set(noted.map(({ eventType }) => eventType))].join(' or ')];
}

function eventText(type: string, source: Node): string[] {
  if (type === '') return [];
  if (type.startsWith('xstate.after.')) return [`after ${type.split('.')[2]}`];
  if (type.startsWith('xstate.done.state')) return ['done'];
  const invoked = source.invoke.find(({ id }) => type.endsWith(`.${id}`));
  const name = typeof invoked?.src === 'string' ? invoked.src : (invoked?.id ?? type);
  if (type.startsWith('xstate.done.actor')) return [`${name} done`];
  return [type.startsWith('xstate.error.actor') ? `${name} fails` : type];
}

/** A guard by its name and its word, if it has one; a combined one by its parts and operator. */
function guardText(guard: unknown, source: Node): string {
  if (typeof guard === 'string') return guard;
  if (typeof guard === 'object' && guard !== null && 'type' in guard) {
    const word = 'params' in guard && typeof guard.params === 'string' ? ` ${guard.params}` : '';
    return `${String(guard.type)}${word}`;
  }
  if (typeof guard !== 'function') return '…';
  if ('stateValue' in guard)
    return `in ${placeOf(source.machine.getStateNodeById(String(guard.stateValue)))}`;
  if (!('guards' in guard)) return guard.name;
  const parts = (guard.guards as unknown[]).map((part) => guardText(part, source));
  return guard.name === 'not' ? `not ${parts[0]}` : parts.join(` ${guard.name} `);
}

/** A state of another region, by the names from that region on. */
const placeOf = (node: Node): string =>
  node.parent === undefined || node.parent.type === 'parallel'
    ? node.key
    : `${placeOf(node.parent)}.${node.key}`;
