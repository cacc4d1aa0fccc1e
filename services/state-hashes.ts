import { foldOf } from '../actors/folds/folds.ts';

/**
 * Hashes of the states that a service has in memory, by stream: each as it is on record. They must be those that a replay
 * of the streams comes to.
 */
export type StateHashes = Readonly<Record<string, string>>;

/** `state`: what the fold of this stream makes. */
export function stateHashOf(stream: string, state: unknown): StateHashes {
  return { [stream]: foldOf(stream)!.hash(state) };
}
