import { kindOf } from '../../../actors/streams/streams.ts';

/**
 * Hashes of the recorded states that a service has in memory, by stream. A replay of the streams must come to the same
 * ones.
 */
export type StateHashes = Readonly<Record<string, string>>;

/** `state` in the form that its kind of stream keeps. */
export function stateHashOf(stream: string, state: unknown): StateHashes {
  return { [stream]: kindOf(stream)!.hash(state) };
}
