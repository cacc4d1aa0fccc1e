import type { AnswerState, AskState } from '../../actors/ask/evolve.ts';
import type { AskEvent } from '../../events/catalog/catalog.ts';
import { askStream } from '../../events/catalog/knowledge.ts';
import type { Codec } from '../../events/define.ts';
import { NO_STREAM, type EventStore } from '../../events/store/store.ts';

export interface LoadedAnswer {
  /** What rating and comment deciders judge by: the newest answer and its rating. */
  readonly state: AskState;
  /** What the next append to the stream has to expect. */
  readonly revision: bigint;
  /** The outcome of an earlier rating by the same call; `undefined` where there is none. */
  readonly earlier: { readonly updated: boolean } | undefined;
}

/**
 * Reads the newest answer of an ask's stream from the store itself: an answer can be rated as soon as its caller has
 * it. Backwards, and only ratings are opened: a request id that is asked again and again makes a long stream, and what
 * is slow to load here loses every race against the asks that append to it.
 */
export async function loadAnswer(
  { store, codec }: { store: EventStore; codec: Codec },
  requestId: string,
  callId: string,
): Promise<LoadedAnswer> {
  let revision = NO_STREAM;
  let answer: AnswerState | null = null;
  let rating: AnswerState['rating'] = null;
  let earlier: LoadedAnswer['earlier'];
  for await (const recorded of store.readStream(askStream(requestId), { direction: 'backwards' })) {
    if (revision === NO_STREAM) revision = recorded.revision;
    if (recorded.type === 'AnswerGiven') answer ??= { id: recorded.id, rating };
    const isEarlier = recorded.metadata.$causationId === callId;
    if (recorded.type !== 'AnswerRated' || (!isEarlier && (answer !== null || rating !== null))) continue;
    const event = (await codec.decode(recorded)) as AskEvent | undefined;
    if (event?.type !== 'AnswerRated') continue;
    if (answer === null) rating ??= event.data.rating;
    if (isEarlier) earlier = { updated: event.data.updated };
  }
  return { state: { running: {}, answer }, revision, earlier };
}
