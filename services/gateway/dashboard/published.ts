import type { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import type { AnyEventDefinition, EventDefinition } from '../../../events/define.ts';

/** When and where an event was recorded, beside its data. */
export interface Publication {
  readonly id: string;
  /** By the clock of whoever decided it. */
  readonly at: Date;
}

/** What is read out of the events of a catalogue, by the type of each. */
export type EventReaders<Catalogue, Said> = {
  readonly [Type in keyof Catalogue]?: Catalogue[Type] extends EventDefinition<string, infer Shape, never>
    ? (data: z.output<z.ZodObject<Shape>>) => Said
    : never;
};

/**
 * Hands on what is read out of committed events of one catalogue, as the relay publishes them, in their order. They come at
 * least once while the bus is there, and not at all while it is not: for what is shown, never for what is decided. What
 * a newer or older process means by the data of an event is passed over.
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
    if (read === undefined) return;
    const event = JSON.parse(new TextDecoder().decode(data)) as Published;
    const parsed = definitions[type]!.schema.safeParse(event.data);
    if (parsed.success) take(read(parsed.data as never), { id: event.id, at: new Date(event.metadata.at) });
  });
}

interface Published {
  readonly id: string;
  readonly data: unknown;
  readonly metadata: { readonly at: string };
}
