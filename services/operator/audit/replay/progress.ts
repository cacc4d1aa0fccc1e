import type { Selection } from '../../../../events/store/selection.ts';
import type { RecordedEvent } from '../../../../events/store/store.ts';
import type { OpenRecord } from '../../../record.ts';
import { startProgressBar } from '../../progress-bar.ts';

interface Progress {
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
  const bar = startProgressBar('replaying', { shown });
  let sent = 0;
  return { sent: (event) => bar.update(placeOf(event), total, ++sent), stop: bar.stop };
}

/** Positions are opaque and in order; in both stores their first number grows with the record. */
const positionOf = ({ position }: RecordedEvent): number => Number.parseInt(position, 10);
