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
   * Applies an event. It is pure, except that it writes to its argument if `inPlace` is set. It reads no free text,
   * because a decision must not depend on text that can be erased.
   *
   * @throws {BelegError} `STREAM_CORRUPT` for an event that is not legal now.
   */
  evolve(state: State, event: Event): State;
  /**
   * The events that follow from a command; none if the command changes nothing. The state is only read.
   *
   * @throws {BelegError} if the command is refused.
   */
  decide(command: Command, state: State, context: Context): readonly DraftOf<Event>[];
  /** Whether `evolve` writes to the state that it is given. */
  readonly inPlace?: boolean;
  /**
   * Gives an event another cause than the call, or another key than that of its stream. Event ids are derived from the
   * cause, and free text is encrypted with the key.
   */
  stamp?(draft: DraftOf<Event>, command: Command): Partial<Stamp>;
  /**
   * Whether these events may be appended together with the next ones, because they only say that nothing happened. The
   * state without them is equally valid. Only kinds with `inPlace` have this function.
   */
  defers?(events: readonly Event[], state: State): boolean;
  /** The commands that take back events whose caller was told that they could not be recorded. */
  undo?(events: readonly Event[]): readonly Command[];
  /** Converts a state that is not JSON into JSON for people: amounts as decimals, entities keyed by id. */
  readable?(state: State): Json;
  /**
   * A hash of the state (SHA-256, lower-case hexadecimal). It is equal whether the state was folded live, on replay, or
   * from a snapshot with later events. By default it is the hash of `readable`.
   */
  hash?(state: State): string;
}

/** One kind of stream: its events, its lifecycle and its rules. */
export interface StreamDefinition<
  State = unknown,
  Command = unknown,
  Event extends DomainEvent<string, unknown> = DomainEvent<string, unknown>,
  Context = unknown,
> extends Rules<State, Command, Event, Context> {
  /** The lifecycle of the entity that the stream describes; `null` if it has none. */
  readonly lifecycle: AnyLifecycle | null;
  /** The event types of this kind of stream. Others cannot occur in it. */
  readonly types: readonly string[];
  readonly inPlace: boolean;
  matches(stream: string): boolean;
  readable(state: State): Json;
  hash(state: State): string;
}

/** Any definition, for code that works with all kinds of streams. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyStream = StreamDefinition<any, any, any, any>;

/**
 * The only definition of a kind of stream. An event that is listed and not handled by `evolve` is a type error.
 *
 * @param stream the stream's name, or a function that makes it from an id.
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
