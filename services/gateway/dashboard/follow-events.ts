import type { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import type { AnyEventDefinition, EventDefinition } from '../../../events/define.ts';
import { readHeard, type HeardEvent } from './heard-event.ts';

/** The id, stream and time with which an event was recorded. */
export type Publication = Pick<HeardEvent, 'id' | 'type' | 'stream' | 'revision'> & { readonly at: Date };

/** For each event type of a catalogue, a function that reads something from an event. */
export type EventReaders<Catalogue, Said> = {
  readonly [Type in keyof Catalogue]?: Catalogue[Type] extends EventDefinition<string, infer Shape, never>
    ? (data: z.output<z.ZodObject<Shape>>) => Said
    : never;
};

/**
 * Calls `take` for committed events of one catalogue, in order, as the relay publishes them. Events arrive at least
 * once while the bus is there, and are lost while it is not, so this is only for display, never for decisions. An event
 * whose data does not fit its schema is skipped: it comes from a newer or older release, or from another program.
 */
export function followEvents<Catalogue extends object, Said>(
  bus: MessageBus,
  catalogue: Catalogue,
  readers: EventReaders<Catalogue, Said>,
  take: (said: Said, publication: Publication) => void,
): void {
  const definitions = catalogue as Record<string, AnyEventDefinition>;
  const readerOf = new Map(Object.entries(readers as Readonly<Record<string, (data: never) => Said>>));
  const [first] = readerOf.keys();
  bus.subscribe(`beleg.v1.evt.${definitions[first!]!.context}.>`, ({ headers, data }) => {
    const type = headers['event-type'] ?? '';
    const read = readerOf.get(type);
    const event = read && readHeard(data);
    if (read === undefined || event === undefined) return;
    const parsed = definitions[type]!.schema.safeParse(event.data);
    if (!parsed.success) return;
    const { id, stream, revision, metadata } = event;
    take(read(parsed.data as never), { id, type, stream, revision, at: new Date(metadata.at) });
  });
}
