import type { Unfinished, UpdateRequest } from '../../actors/market-update/machine.ts';
import { evolve, initialState, type MarketEventDraft } from '../../actors/market-update/update.ts';
import type { MarketEvent } from '../../events/catalog/catalog.ts';
import { marketStream } from '../../events/catalog/market.ts';
import type { Codec } from '../../events/define.ts';
import { deterministicId } from '../../events/json.ts';
import type { EventStore } from '../../events/store/store.ts';
import { createEvents } from '../events.ts';

/** The stream of each update. */
export class UpdateRecord {
  readonly #store: EventStore;
  readonly #codec: Codec;
  readonly #now: () => Date;

  constructor({ store, codec, now }: { store: EventStore; codec: Codec; now: () => Date }) {
    this.#store = store;
    this.#codec = codec;
    this.#now = now;
  }

  /** How far an update came, to go on with it. */
  async read(updateId: string, source: string): Promise<Unfinished> {
    let state = initialState;
    let recorded = 0;
    let tickers: readonly string[] = [];
    let correlationId = updateId;
    for await (const stored of this.#store.readStream(marketStream(updateId))) {
      const event = (await this.#codec.decode(stored)) as MarketEvent | undefined;
      recorded++;
      if (event === undefined) continue;
      if (event.type === 'MarketUpdateStarted') tickers = event.data.tickers;
      correlationId = event.metadata.$correlationId;
      state = evolve(state, event);
    }
    const callId = deterministicId(updateId, 'resumed');
    return { request: { updateId, source, tickers, full: true, correlationId, callId }, state, recorded };
  }

  /**
   * Appends a step behind the `recorded` events that the update has. The same step again, also after a crash, is the same
   * events; `WRONG_EXPECTED_REVISION`: somebody else has gone on with it.
   */
  async append(
    { updateId, correlationId, traceparent }: UpdateRequest,
    drafts: readonly MarketEventDraft[],
    recorded: number,
  ): Promise<void> {
    const stream = marketStream(updateId);
    const at = this.#now().toISOString();
    const events = drafts.flatMap((draft) => {
      const causationId = deterministicId(updateId, 'ticker' in draft.data ? draft.data.ticker : '');
      const cause = { stream, at, correlationId, causationId, traceparent, key: stream };
      return createEvents([draft], cause, { redact: false });
    });
    const encoded = await Promise.all(events.map((event) => this.#codec.encode(event)));
    await this.#store.append(stream, BigInt(recorded) - 1n, encoded);
  }
}
