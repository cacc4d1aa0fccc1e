import type { DomainEvent } from '../events/define.ts';
import type { Json } from '../events/json.ts';

/**
 * How the events of one kind of stream add up: the same fold that the deciders of that stream use, so that what an operator
 * sees at a revision is what was decided on.
 */
export interface StreamFold<State = unknown> {
  readonly kind: string;
  /** Goes up with every change of what a state is: snapshots of another version are thrown away. */
  readonly version: number;
  matches(stream: string): boolean;
  initial(stream: string): State;
  /** Pure. @throws {BelegError} `STREAM_CORRUPT` for an event that is not legal at this place. */
  evolve(state: State, event: DomainEvent<string, unknown>): State;
  /** For people, for snapshots and for the hash. Holds no free text: what is erased must not survive in a snapshot. */
  toJson(state: State): Json;
  fromJson(json: Json): State;
}
