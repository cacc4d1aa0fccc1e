import type { StreamDefinition } from '../../actors/streams/define.ts';
import type { DraftOf } from '../../events/catalog/catalog.ts';
import type { DomainEvent } from '../../events/define.ts';
import type { CallContext } from '../../events/messages/define.ts';
import { createEvents } from '../events.ts';

type AnyDraft = { readonly type: string; readonly data: Record<string, unknown> };

interface Circumstances<Context> {
  readonly stream: string;
  readonly call: CallContext;
  readonly now: () => Date;
  /** What `decide` is given besides. */
  readonly context: Context;
  /** Free text is dropped before it goes anywhere. */
  readonly redact?: boolean;
}

/** What a command brings about, with ids, time and cause. @throws what speaks against it */
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
  const drafts = definition.decide(command, state, context) as readonly (DraftOf<Event> & AnyDraft)[];
  return createEvents(drafts, causeOf, { redact }) as Event[];
}
