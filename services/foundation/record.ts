import type { Codec } from '../../events/define.ts';
import type { Position, RecordReader } from '../../events/store/store.ts';

/** The record for programs that only read it, whether or not services write to it. */
export interface OpenRecord extends AsyncDisposable {
  readonly store: RecordReader;
  /** Decrypts free text: `null` if it was redacted or erased, `SEALED_TEXT` if its key is not available. */
  readonly codec: Pick<Codec, 'decode'>;
  /**
   * A position after which all events are recorded that happened at this time (ISO 8601) or later, by their own time.
   * Earlier ones may follow too, because an event can be recorded late. Absent if the store cannot find the position
   * without reading everything.
   */
  readonly since?: ((at: string) => Promise<Position>) | undefined;
}
