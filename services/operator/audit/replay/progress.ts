import { Presets, SingleBar } from 'cli-progress';
import type { RecordedEvent } from '../../../../events/store/store.ts';
import type { OpenRecord } from '../../../record.ts';
import type { Selection } from '../commands.ts';

/** Events between two looks of the bar. */
const STRIDE = 256;

export interface Progress {
  readonly sent: (event: RecordedEvent) => void;
  readonly stop: () => void;
}

const NONE: Progress = { sent: () => undefined, stop: () => undefined };

/** How far through the record, or through one stream, a replay is: on standard error, where that is a terminal. */
export async function showProgress(
  { store }: Pick<OpenRecord, 'store'>,
  { stream }: Selection,
  { shown }: { readonly shown: boolean },
): Promise<Progress> {
  if (!shown) return NONE;
  const last = { direction: 'backwards', limit: 1 } as const;
  const placeOf = stream === undefined ? positionOf : ({ revision }: RecordedEvent) => Number(revision) + 1;
  let total = 0;
  for await (const event of stream === undefined ? store.readAll(last) : store.readStream(stream, last)) {
    total = placeOf(event);
  }
  const bar = new SingleBar(
    { format: 'replaying [{bar}] {percentage}% · {sent} events', clearOnComplete: true },
    Presets.rect,
  );
  let sent = 0;
  bar.start(total, 0, { sent });
  return {
    sent(event) {
      if (++sent % STRIDE === 0) bar.update(placeOf(event), { sent });
    },
    stop: () => bar.stop(),
  };
}

/** Positions are opaque and in order; in both stores their first number grows with the record. */
const positionOf = ({ position }: RecordedEvent): number => Number.parseInt(position, 10);
