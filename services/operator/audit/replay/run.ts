import type { Selection } from '../../../../events/store/selection.ts';
import type { RecordedEvent } from '../../../../events/store/store.ts';
import type { OpenRecord } from '../../../record.ts';
import { readSelected } from '../selection.ts';
import { openData } from '../shown-event.ts';
import { Pace, type Clock } from './pace.ts';
import type { Sink } from './sink.ts';

export interface ReplayOptions extends Selection {
  readonly speed: number;
  readonly asFast?: true;
  readonly text?: true;
}

/**
 * Sends what is on record now to the sink, in order, each once. Nothing else is done because of it: who listens has to
 * heed that it is marked. Holds one page of events at a time, however many there are. Returns their number.
 */
export async function runReplay(
  record: Pick<OpenRecord, 'store' | 'codec' | 'since'>,
  options: ReplayOptions,
  sink: Sink,
  { clock, onSent }: { readonly clock: Clock; readonly onSent: (event: RecordedEvent) => void },
): Promise<number> {
  const pace = new Pace(options.asFast ? Infinity : options.speed, clock);
  let sent = 0;
  for await (const event of readSelected(record, options)) {
    const ms = pace.until(event.metadata.at);
    if (ms > 0) {
      await sink.flush();
      await clock.sleep(ms);
    }
    const room = sink.send(options.text ? { ...event, data: await openData(event, record.codec) } : event);
    if (room !== undefined) await room;
    onSent(event);
    sent++;
  }
  await sink.flush();
  return sent;
}
