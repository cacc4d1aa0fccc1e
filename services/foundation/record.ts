import type { Codec } from '../../events/define.ts';
import type { Position, RecordReader } from '../../events/store/store.ts';

/** The record for those who only look: while services write to it, or when none runs. */
export interface OpenRecord extends AsyncDisposable {
  readonly store: RecordReader;
  /** Decrypts free text: `null` if it was redacted or erased, `SEALED_TEXT` if its key is not available. */
  readonly codec: Pick<Codec, 'decode'>;
  /**
   * A position after which everything lies that happened at this time (ISO 8601) or later, by the events' own time. Not
   * all after it is as late: what was decided early may be on record late. Absent where the store cannot tell without
   * reading everything.
   */
  readonly since?: ((at: string) => Promise<Position>) | undefined;
}
