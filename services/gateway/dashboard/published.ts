import type { z } from 'zod';
import type { Message, MessageBus } from '../../../events/bus/bus.ts';
import type { EventDefinition } from '../../../events/define.ts';

/** When and where an event was recorded, beside its data. */
export interface Publication {
  readonly id: string;
  /** By the clock of whoever decided it. */
  readonly at: Date;
}

/** What is done at an event of one definition. */
export interface EventHandler {
  readonly type: string;
  readonly context: string;
  handle(data: unknown, publication: Publication): void;
}

/** Calls `handle` with data that is as the definition says; what a newer or older process means by it is passed over. */
export function onEvent<Type extends string, S extends z.ZodRawShape>(
  definition: EventDefinition<Type, S, never>,
  handle: (data: z.output<z.ZodObject<S>>, publication: Publication) => void,
): EventHandler {
  return {
    type: definition.type,
    context: definition.context,
    handle(data, publication) {
      const parsed = definition.schema.safeParse(data);
      if (parsed.success) handle(parsed.data, publication);
    },
  };
}

/**
 * Hands committed events on as the relay publishes them, those of a context in their order. They come at least once while
 * the bus is there, and not at all while it is not: for what is shown, never for what is decided.
 */
export function followEvents(bus: MessageBus, handlers: readonly EventHandler[]): void {
  for (const [context, ofContext] of Map.groupBy(handlers, (handler) => handler.context)) {
    const byType = new Map(ofContext.map((handler) => [handler.type, handler]));
    bus.subscribe(`beleg.v1.evt.${context}.>`, (message) => {
      byType.get(message.headers['event-type'] ?? '')?.handle(...readPublished(message));
    });
  }
}

function readPublished({ data }: Message): [data: unknown, publication: Publication] {
  const event = JSON.parse(new TextDecoder().decode(data)) as {
    id: string;
    data: unknown;
    metadata: { at: string };
  };
  return [event.data, { id: event.id, at: new Date(event.metadata.at) }];
}
