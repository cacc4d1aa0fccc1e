import { createHash } from 'node:crypto';
import type { AnyEventDefinition, DomainEvent, EventCause, EventOf } from '../../events/define.ts';
import { canonicalJson, type Json } from '../../events/json.ts';
import type { DraftOf } from '../../events/catalog/catalog.ts';
import type { AnyLifecycle } from '../lifecycle.ts';

type Stamp = Pick<EventCause, 'correlationId' | 'causationId' | 'key'>;

/** The fold and the decisions of a kind of stream. */
interface Rules<State, Command, Event extends DomainEvent<string, unknown>, Context> {
  readonly kind: string;
  initial(): State;
  /**
   * Pure, except that it writes to its argument if `inPlace` is set. It reads no free text, because a decision must not
   * depend on what can be erased.
   * @throws {BelegError} `STREAM_CORRUPT` for an event that is not legal at this place.
   */
  evolve(state: State, event: Event): State;
  /** The events that follow from a command; none if it changes nothing. It only reads the state. @throws the reason against it */
  decide(command: Command, state: State, context: Context): readonly DraftOf<Event>[];
  /** `evolve` writes to the state that it is given. */
  readonly inPlace?: boolean;
  /**
   * Stamps an event whose cause is not its call, or whose key is not that of its stream. Event ids are derived from the
   * cause, and free text is sealed with the key.
   */
  stamp?(draft: DraftOf<Event>, command: Command): Partial<Stamp>;
  /**
   * Whether the append of these events can wait for the next one, because they only say that nothing happened. A state
   * without them is equally valid. Only kinds with `inPlace` have it.
   */
  defers?(events: readonly Event[], state: State): boolean;
  /** The commands that take back events whose caller was told that nothing had happened. */
  undo?(events: readonly Event[]): readonly Command[];
  /**
   * Converts a state that is not JSON itself into JSON for people to read: amounts as decimals, entities keyed by
   * id.
   */
  readable?(state: State): Json;
  /**
   * A hash that is the same live, on replay and from a snapshot with the events after it: SHA-256, lower-case
   * hexadecimal. By default it is that of `readable`.
   */
  hash?(state: State): string;
}

/** One kind of stream: what it holds, and its rules. */
export interface StreamDefinition<
  State = unknown,
  Command = unknown,
  Event extends DomainEvent<string, unknown> = DomainEvent<string, unknown>,
  Context = unknown,
> extends Rules<State, Command, Event, Context> {
  /** The lifecycle of the entity that the stream describes; `null` if it has none. */
  readonly lifecycle: AnyLifecycle | null;
  /** The event types of this kind of stream. It has no others. */
  readonly types: readonly string[];
  readonly inPlace: boolean;
  matches(stream: string): boolean;
  readable(state: State): Json;
  hash(state: State): string;
}

/** What every definition has in common, whatever its state. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyStream = StreamDefinition<any, any, any, any>;

/**
 * ONE definition of a kind of stream. An event that is listed and not handled by `evolve` is a type error.
 *
 * @param stream The stream's name, or how the names of this kind are made of an id.
 */
export function defineStream<
  State,
  Command,
  const Events extends readonly AnyEventDefinition[],
  Context = void,
  Cycle extends AnyLifecycle | null = null,
>(
  definition: Rules<State, Command, EventOf<Events[number]>, Context> & {
    stream: string | ((id: string) => string);
    events: Events;
    lifecycle?: Cycle;
  },
): StreamDefinition<State, Command, EventOf<Events[number]>, Context> & { readonly lifecycle: Cycle } {
  const { stream, events, lifecycle = null } = definition;
  const readable = (state: State): Json => definition.readable?.(state) ?? (state as Json);
  return {
    hash: (state) => jsonHash(readable(state)),
    ...definition,
    readable,
    lifecycle: lifecycle as Cycle,
    types: events.map(({ type }) => type),
    matches: (name) => (typeof stream === 'string' ? name === stream : name.startsWith(stream(''))),
    inPlace: definition.inPlace ?? false,
  };
}

export function jsonHash(json: Json): string {
  return createHash('sha256').update(canonicalJson(json)).digest('hex');
}
