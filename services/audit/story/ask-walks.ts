import { ASK } from '../../../actors/streams/knowledge.ts';
import type { RecordedEvent } from '../../../events/store/store.ts';
import { Walk } from './walk.ts';

/** The asks of one stream: a repeated request id asks again, maybe while the first still runs. */
export class AskWalks {
  readonly #running = new Map<string, Walk>();
  #newest = new Walk(ASK.lifecycle);

  /** Where the ask of this event stands after it; `null` for an event of none. */
  take({ type, metadata }: Pick<RecordedEvent, 'type' | 'metadata'>): string | null {
    const call = metadata.$causationId;
    let walk = this.#running.get(call);
    if (walk === undefined) {
      if (type !== 'QuestionAsked') return null;
      walk = new Walk(ASK.lifecycle);
      this.#running.set(call, walk);
      this.#newest = walk;
    }
    const to = walk.take(type);
    if (walk.hasEnded) this.#running.delete(call);
    return to;
  }

  /** The ask that began last. */
  get newest(): Walk {
    return this.#newest;
  }
}
