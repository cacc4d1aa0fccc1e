import type { Codec } from '../events/define.ts';
import type { RecordReader } from '../events/store/store.ts';

/** The record for those who only look: while services write to it, or when none runs. */
export interface OpenRecord {
  readonly store: RecordReader;
  /** Opens free text: `null` where it was redacted or erased, `SEALED_TEXT` where its key is not at hand. */
  readonly codec: Pick<Codec, 'decode'>;
  close(): Promise<void>;
}
