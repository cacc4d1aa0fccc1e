import type { Strategy } from '../../actors/strategy/port.ts';
import { runHere } from './run-here.ts';
import type { Opened } from './run-own-strategies.ts';

/** A strategy of a test, in this process. */
export function openedHere(name: string, strategy: Strategy): Opened {
  const runs = { kind: 'file', path: `${name}.ts` } as const;
  const named = { name, source: runs.path, share: null };
  return { source: { ...named, runs }, strategy: runHere({ ...named, hash: '', strategy }) };
}
