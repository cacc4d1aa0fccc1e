import { kindOf } from '../../../actors/streams/streams.ts';

/**
 * Hashes of the states that a service has in memory, by stream: each as it is on record. They must be those that a replay
 * of the streams comes to.
 */
export type StateHashes = Readonly<Record<string, string>>;

/** `state`: as its kind of stream keeps it. */
export function stateHashOf(stream: string, state: unknown): StateHashes {
  return { [stream]: kindOf(stream)!.hash(state) };
}
