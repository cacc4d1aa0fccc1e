import { stringify } from 'yaml';
import type { Json } from '../../../events/json.ts';
import { toJson } from '../../foundation/json.ts';
import { stateAt, withStore, type Point, type StreamState } from './stream-point.ts';

/** `beleg audit state`: the state of a stream after one of its events. */
export async function state(
  stream: string,
  { at = 'end', json }: { at?: Point; json?: true },
): Promise<void> {
  await withStore(async (store, onProgress) => {
    const found = await stateAt(store, stream, at, onProgress);
    console.log(json ? toJson(describeState(found), 2) : formatState(found));
  });
}

export type DescribedState = ReturnType<typeof describeState>;

export function describeState({ stream, definition, event, state }: StreamState) {
  const { at, hash } = event.metadata;
  return {
    stream,
    kind: definition.kind,
    revision: Number(event.revision),
    event: { id: event.id, type: event.type, at, hash },
    state_hash: definition.hash(state),
    state: definition.readable(state),
  };
}

function formatState(found: StreamState): string {
  const { stream, revision, event, state_hash, state } = describeState(found);
  return [
    `${stream} at revision ${revision}`,
    `  after   ${event.type} ${event.id}`,
    `  at      ${event.at}`,
    `  hash    ${state_hash}`,
    '',
    stringify(shortened(state), { lineWidth: 0 }).trimEnd(),
  ].join('\n');
}

/** The most members of a list that are shown. */
const SHOWN = 20;

/** Shortens long lists to their last members, which are the newest. */
function shortened(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    const left = list.length - SHOWN;
    const shown = list.slice(-SHOWN).map(shortened);
    return left > 0 ? [`(${left} earlier ones; --json shows all)`, ...shown] : shown;
  }
  const entries = Object.entries(value as { readonly [name: string]: Json });
  const left = entries.length - SHOWN;
  const shown = entries.map(([name, member]) => [name, shortened(member)] as const);
  // A normal state has up to 40 members, which are all shown. An object with more is shortened.
  if (left <= SHOWN) return Object.fromEntries(shown);
  return Object.fromEntries([['…', `${left} earlier ones; --json shows all`], ...shown.slice(-SHOWN)]);
}
