import type { DomainEvent } from '../../events/define.ts';
import type { Json } from '../../events/json.ts';

/**
 * How the events of one kind of stream add up: the same fold that the deciders of that stream use, so that what an operator
 * sees at a revision is what was decided on.
 */
export interface StreamFold<State = unknown> {
  readonly kind: string;
  /** Goes up with every change of what a state is: snapshots of another version are thrown away. */
  readonly version: number;
  /** What streams of this kind hold, and nothing else. */
  readonly types: readonly string[];
  matches(stream: string): boolean;
  initial(stream: string): State;
  /**
   * Pure but for its argument, which may be written to and returned. @throws {BelegError} `STREAM_CORRUPT` for an event
   * that is not legal at this place.
   */
  evolve(state: State, event: DomainEvent<string, unknown>): State;
  /** For snapshots, for the hash, and for people. Holds no free text: what is erased must not survive in a snapshot. */
  toJson(state: State): Json;
  fromJson(json: Json): State;
  /** Where the state is long: in lines, most of which stay the same from one event to the next. */
  readonly lines?: {
    write(state: State): string[];
    read(lines: readonly string[]): State;
  };
  /** For people, where `toJson` is not: amounts as decimals, things by their ids. */
  readable?(state: State): Json;
  /** Where it is not that of `toJson`. */
  hash?(state: State): string;
}

/** The types of a union of events, none of them missing: the compiler sees to that. */
export function typesOf<Event extends { readonly type: string }>(
  types: Readonly<Record<Event['type'], true>>,
): readonly string[] {
  return Object.keys(types);
}

/** Of a state that is JSON as it is. */
export const plain = {
  toJson: (state: unknown) => state as never,
  fromJson: (json: unknown) => json as never,
};
