import { type Json, canonicalJson } from '../../../events/json.ts';
import type { RecordReader } from '../../../events/store/store.ts';
import { count } from '../number-format.ts';
import { toJson } from '../../foundation/json.ts';
import { painter, printable, standardOutput, type Paint, type Terminal } from '../terminal.ts';
import { describeState, type DescribedState } from './state.ts';
import { stateAt, withStore, type Point } from './stream-point.ts';

/** `beleg audit diff`: the changes in a stream's state from one point to a later one. */
export async function diff(
  stream: string,
  { at, and = 'end', json }: { at: Point; and?: Point; json?: true },
): Promise<void> {
  await withStore(async (store, onProgress) => {
    const find = async (point: Point) => describeState(await stateAt(store, stream, point, onProgress));
    const found = await compareStates(store, stream, [await find(at), await find(and)]);
    console.log(json ? toJson(found, 2) : formatDiff(found, standardOutput()));
  });
}

type StateDiff = Awaited<ReturnType<typeof compareStates>>;

/** Compares the earlier state with the later one, in whichever order they are given. */
async function compareStates(store: RecordReader, stream: string, states: readonly DescribedState[]) {
  const [earlier, later] = states.toSorted((one, other) => one.revision - other.revision) as [
    DescribedState,
    DescribedState,
  ];
  return {
    stream,
    from: endOf(earlier),
    to: endOf(later),
    /** The events after the earlier revision, up to and including the later one, counted by type. */
    events: await countEvents(store, stream, earlier.revision, later.revision),
    changes: changesBetween(earlier.state, later.state),
  };
}

const endOf = ({ revision, event, state_hash }: DescribedState) => ({ revision, event, state_hash });

async function countEvents(
  store: RecordReader,
  stream: string,
  after: number,
  until: number,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  if (until === after) return counts;
  const options = { from: BigInt(after) + 1n, limit: until - after };
  for await (const { type } of store.readStream(stream, options)) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

function formatDiff({ stream, from, to, events, changes }: StateDiff, terminal: Terminal): string {
  const paint = painter(terminal);
  const between = Object.entries(events).toSorted(([, one], [, other]) => other - one);
  const total = between.reduce((sum, [, number]) => sum + number, 0);
  return [
    `${stream} from revision ${from.revision} (${from.event.at}) to ${to.revision} (${to.event.at})`,
    `${count(total, 'event')}${total === 0 ? '' : ': '}${between.map(([type, number]) => `${number} ${type}`).join(', ')}`,
    '',
    ...(changes.length === 0 ? ['no differences'] : changes.map((change) => formatChange(change, paint))),
  ].join('\n');
}

function formatChange(change: Change, paint: Paint): string {
  switch (change.kind) {
    case 'added':
      return paint('green', `+ ${change.path}: ${inLine(change.to)}`);
    case 'removed':
      return paint('red', `- ${change.path}: ${inLine(change.from)}`);
    case 'changed':
      return paint('yellow', `~ ${change.path}: ${inLine(change.from)} -> ${inLine(change.to)}`);
  }
}

const inLine = (value: Json): string => printable(typeof value === 'string' ? value : JSON.stringify(value));

/** A difference between two states. */
type Change =
  | { readonly kind: 'added'; readonly path: string; readonly to: Json }
  | { readonly kind: 'removed'; readonly path: string; readonly from: Json }
  | { readonly kind: 'changed'; readonly path: string; readonly from: Json; readonly to: Json };

type Members = { readonly [name: string]: Json };

/** The differences with their paths, in the order of the members. Objects are compared by member, lists as a whole. */
export function changesBetween(from: Json, to: Json, path = ''): Change[] {
  if (!isObject(from) || !isObject(to)) {
    return canonicalJson(from) === canonicalJson(to) ? [] : [{ kind: 'changed', path, from, to }];
  }
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...names].flatMap((name): Change[] => {
    const at = path === '' ? name : `${path}.${name}`;
    if (!Object.hasOwn(from, name)) return [{ kind: 'added', path: at, to: to[name]! }];
    if (!Object.hasOwn(to, name)) return [{ kind: 'removed', path: at, from: from[name]! }];
    return changesBetween(from[name]!, to[name]!, at);
  });
}

const isObject = (value: Json): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
