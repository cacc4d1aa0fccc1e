import { CATALOG } from '../events/catalog/catalog.ts';
import type { AnyEventDefinition, DomainEvent, EventCause } from '../events/define.ts';

const DEFINITIONS = new Map<string, AnyEventDefinition>(
  CATALOG.map((definition) => [definition.type, definition]),
);

/**
 * What a decider decided, stamped: id, time (its own, where it has one), cause. Several events of one type in one call are numbered.
 * `redact` drops free text here, before it goes anywhere.
 */
export function createEvents(
  drafts: readonly {
    readonly type: string;
    readonly data: Record<string, unknown>;
    readonly at?: string;
  }[],
  cause: Omit<EventCause, 'ordinal'>,
  options: { redact: boolean },
): DomainEvent<string, unknown>[] {
  const ordinals = new Map<string, number>();
  return drafts.map(({ type, data, at = cause.at }) => {
    const ordinal = ordinals.get(type) ?? 0;
    ordinals.set(type, ordinal + 1);
    return DEFINITIONS.get(type)!.create(data, { ...cause, at, ordinal }, options);
  });
}
