import { kindOf } from '../../../actors/streams/streams.ts';

/**
 * Hashes of the recorded states that a service has in memory, by stream. A replay of the streams must give equal
 * hashes.
 */
export type StateHashes = Readonly<Record<string, string>>;

/** The hash of a state. `state` has the form of its kind of stream. */
export function stateHashOf(stream: string, state: unknown): StateHashes {
  return { [stream]: kindOf(stream)!.hash(state) };
}
