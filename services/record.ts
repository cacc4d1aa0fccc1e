import type { Codec } from '../events/define.ts';
import type { RecordReader } from '../events/store/store.ts';

/** The record for those who only look: while services write to it, or when none runs. */
export interface OpenRecord {
  readonly store: RecordReader;
  /** Opens free text, where its keys are at hand: `null` where the key was erased. */
  readonly codec: Pick<Codec, 'decode'>;
  close(): Promise<void>;
}
