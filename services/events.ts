import { CATALOG } from '../events/catalog/catalog.ts';
import type { AnyEventDefinition, DomainEvent, EventCause } from '../events/define.ts';

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
 * What a decider decided, stamped: id, time (its own, where it has one), cause. Several events of one type under one cause
 * are numbered. `redact` drops free text here, before it goes anywhere.
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
