import { CATALOG, type DraftOf } from '../../../events/catalog/catalog.ts';
import type { AnyEventDefinition, DomainEvent, EventCause } from '../../../events/define.ts';
import type { StreamDefinition } from '../../../actors/streams/define-stream.ts';
import type { CallContext } from '../../../events/messages/define.ts';

const DEFINITIONS = new Map<string, AnyEventDefinition>(
  CATALOG.map((definition) => [definition.type, definition]),
);

interface Draft {
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly at?: string;
}

type Cause = Omit<EventCause, 'ordinal'>;

/**
 * Adds id, time (the draft's own if it has one) and cause to drafts. Several events of one type with one cause are
 * numbered. `redact` drops free text here, before it goes anywhere.
 */
export function createEvents<D extends Draft>(
  drafts: readonly D[],
  cause: Cause | ((draft: D) => Cause),
  options: { redact: boolean },
): DomainEvent<string, unknown>[] {
  const ordinals = new Map<string, number>();
  return drafts.map((draft) => {
    const of = typeof cause === 'function' ? cause(draft) : cause;
    const named = `${draft.type} ${of.causationId}`;
    const ordinal = ordinals.get(named) ?? 0;
    ordinals.set(named, ordinal + 1);
    const { at = of.at } = draft;
    return DEFINITIONS.get(draft.type)!.create(draft.data, { ...of, at, ordinal }, options);
  });
}

interface Circumstances<Context> {
  readonly stream: string;
  readonly call: CallContext;
  readonly now: () => Date;
  /** Further input of `decide`. */
  readonly context: Context;
  /** Whether free text is dropped before it goes anywhere. */
  readonly redact?: boolean;
}

/**
 * The events of a command, with ids, time and cause.
 *
 * @throws {BelegError} if the command is refused.
 */
export function eventsOf<State, Command, Event extends DomainEvent<string, unknown>, Context>(
  definition: StreamDefinition<State, Command, Event, Context>,
  command: Command,
  state: State,
  { stream, call, now, context, redact = false }: Circumstances<Context>,
): readonly Event[] {
  const cause = {
    stream,
    at: now().toISOString(),
    correlationId: call.correlationId,
    causationId: call.callId,
    traceparent: call.trace?.traceparent,
    key: stream,
  };
  const causeOf =
    definition.stamp === undefined
      ? cause
      : (draft: DraftOf<Event>) => ({ ...cause, ...definition.stamp?.(draft, command) });
  const drafts = definition.decide(command, state, context) as readonly (DraftOf<Event> & Draft)[];
  return createEvents(drafts, causeOf, { redact }) as Event[];
}
