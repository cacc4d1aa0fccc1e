import { createHash } from 'node:crypto';
import type { DomainEvent } from '../../events/define.ts';
import { canonicalJson, type Json } from '../../events/json.ts';

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
  /** The same live, on replay, and from snapshot plus tail: SHA-256, lower-case hexadecimal. */
  hash(state: State): string;
  /** For people: amounts as decimals, things by their ids. */
  readable(state: State): Json;
  /**
   * For snapshots: in lines, of which those of a long state mostly stay the same from one event to the next. Holds no free
   * text: what is erased must not survive in a snapshot.
   */
  toLines(state: State): string[];
  /** Of what `toLines` wrote. Throws for anything else. */
  fromLines(lines: readonly string[]): State;
}

/** The types of a union of events, none of them missing: the compiler sees to that. */
export function typesOf<Event extends { readonly type: string }>(
  types: Readonly<Record<Event['type'], true>>,
): readonly string[] {
  return Object.keys(types);
}

/** Of a kind whose states are short: one JSON is all that is made of them. */
export function inJson<State>(
  toJson: (state: State) => Json,
  fromJson: (json: Json) => State,
): Pick<StreamFold<State>, 'hash' | 'readable' | 'toLines' | 'fromLines'> {
  return {
    hash: (state) => jsonHash(toJson(state)),
    readable: toJson,
    toLines: (state) => [JSON.stringify(toJson(state))],
    fromLines: ([line]) => fromJson(JSON.parse(line!) as Json),
  };
}

/** Whose states are JSON as they are. */
export const plain = inJson<never>(
  (state) => state,
  (json) => json as never,
);

export function jsonHash(json: Json): string {
  return createHash('sha256').update(canonicalJson(json)).digest('hex');
}
