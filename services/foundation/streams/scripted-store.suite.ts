import { BelegError } from '../../../events/errors.ts';
import type { AppendResult, EventStore, NewEvent } from '../../../events/store/store.ts';
import { FaultyStore } from '../../../testing/faults/faulty-store.suite.ts';

/**
 * The fate of one append. `muted`: it is written, but reported as failed; `cut`: the same, and the store is away
 * afterwards; `late`: it may land when a test says so.
 */
export type Fate = 'written' | 'refused' | 'muted' | 'cut' | 'late';

/** A store whose next appends to one stream have these fates; all others are written. */
export class ScriptedStore extends FaultyStore {
  readonly fates: Fate[] = [];
  /** Interrupted appends that may still land. */
  readonly late: (() => Promise<AppendResult>)[] = [];
  /** Called with each append before it goes anywhere. */
  onAppend: (events: readonly NewEvent[]) => void = () => undefined;
  readonly #stream: string;

  constructor(inner: EventStore, stream: string) {
    super(inner);
    this.#stream = stream;
  }

  override async append(
    stream: string,
    expected: bigint,
    events: readonly NewEvent[],
  ): Promise<AppendResult> {
    if (stream !== this.#stream) return super.append(stream, expected, events);
    this.onAppend(events);
    const land = (): Promise<AppendResult> => super.append(stream, expected, events);
    switch (this.fates.shift() ?? 'written') {
      case 'written':
        return land();
      case 'refused':
        break;
      case 'muted':
        await land();
        break;
      case 'cut':
        await land();
        this.mode = 'down';
        break;
      case 'late':
        this.late.push(land);
        break;
    }
    throw new BelegError('STORE_UNAVAILABLE');
  }
}
