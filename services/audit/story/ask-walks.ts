import {
  ASK_LIFECYCLE,
  hasEnded,
  type AskEventDraft,
  type AskStatus,
} from '../../../actors/ask/lifecycle.ts';
import type { RecordedEvent } from '../../../events/store/store.ts';
import { ASK } from './machines.ts';
import { Walk } from './walk.ts';

/** The asks of one stream: a repeated request id asks again, maybe while the first still runs. */
export class AskWalks {
  readonly #running = new Map<string, Walk>();
  #newest = new Walk(ASK);

  /** Where the ask of this event stands after it; `null` for an event of none. */
  take({ type, metadata }: Pick<RecordedEvent, 'type' | 'metadata'>): string | null {
    const call = metadata.$causationId;
    let walk = this.#running.get(call);
    if (walk === undefined) {
      if (type !== 'QuestionAsked') return null;
      walk = new Walk(ASK);
      this.#running.set(call, walk);
      this.#newest = walk;
    }
    const to = ASK_LIFECYCLE[walk.state as AskStatus][type as AskEventDraft['type']];
    if (to !== undefined && hasEnded(to)) this.#running.delete(call);
    return walk.take(type, to);
  }

  /** The ask that began last. */
  get newest(): Walk {
    return this.#newest;
  }
}
