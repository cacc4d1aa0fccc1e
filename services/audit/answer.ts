import type { AskEvent } from '../../events/catalog/catalog.ts';
import { askStream } from '../../events/catalog/knowledge.ts';
import type { Codec } from '../../events/define.ts';
import { NO_STREAM, type EventStore } from '../../events/store/store.ts';
import { evolve, initialState, type AskState } from '../../actors/ask/evolve.ts';

export interface LoadedAsk {
  readonly state: AskState;
  /** What the next append to the stream has to expect. */
  readonly revision: bigint;
  readonly events: readonly AskEvent[];
}

/** Folds an ask's stream, from the store itself: an answer can be rated as soon as its caller has it. */
export async function loadAsk(
  { store, codec }: { store: EventStore; codec: Codec },
  requestId: string,
): Promise<LoadedAsk> {
  let state = initialState;
  let revision = NO_STREAM;
  const events: AskEvent[] = [];
  for await (const recorded of store.readStream(askStream(requestId))) {
    revision = recorded.revision;
    const event = (await codec.decode(recorded)) as AskEvent | undefined;
    if (event === undefined) continue;
    state = evolve(state, event);
    events.push(event);
  }
  return { state, revision, events };
}
