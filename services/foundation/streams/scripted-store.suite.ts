import { BelegError } from '../../../events/errors.ts';
import type { AppendResult, EventStore, NewEvent } from '../../../events/store/store.ts';
import { FaultyStore } from '../../../testing/faults/faulty-store.suite.ts';

/**
 * How one append goes. `muted`: it is written, and the caller told otherwise; `cut`: so that the store is away then;
 * `late`: it may still land when it is told to.
 */
export type Fate = 'written' | 'refused' | 'muted' | 'cut' | 'late';

/** A store whose next appends to one stream go as they are told; the others are written. */
export class ScriptedStore extends FaultyStore {
  readonly fates: Fate[] = [];
  /** What was broken off and may still land. */
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
