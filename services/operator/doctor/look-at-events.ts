import { describeFinding } from '../../../events/proof/finding-words.ts';
import { verifyRecord } from '../../../events/proof/verify.ts';
import { firstFew } from '../../../events/first-few.ts';
import type { OpenRecord } from '../../foundation/record.ts';
import { unknownOf, unknownWords } from '../audit/verify.ts';
import { count, grouped } from '../number-format.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

/** The most events that are checked here. For more there is `beleg audit verify`, which takes a minute for millions. */
const MOST_EVENTS = 50_000;
/** The most faults that are named. */
const SHOWN = 3;

class TooMany extends Error {}

function stopAtMany(done: number, total: number | null): void {
  if ((total ?? done) > MOST_EVENTS) throw new TooMany();
}

/** Checks whether the events are unchanged, as far as their chains show it, and of known types. */
export async function lookAtEvents({ store }: OpenRecord): Promise<Finding> {
  const what = 'events';
  try {
    const { findings, more, events, streams, types } = await verifyRecord(store, { onProgress: stopAtMany });
    if (findings.length > 0) {
      return fault(
        what,
        firstFew(findings.map(describeFinding), SHOWN, { of: findings.length + more, between: '; ' }),
        'run beleg audit verify, which lists all; put the record back from a backup, or keep it and find out who changed it',
      );
    }
    const unknown = unknownOf(types);
    if (unknown.length > 0) {
      return warning(
        what,
        unknownWords(unknown),
        'they are of a newer release or of another program: start the release that recorded them, or leave them',
      );
    }
    return ok(what, `all ${count(events, 'event')} in ${count(streams, 'stream')} are as they were recorded`);
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
    return ok(what, `more than ${grouped(MOST_EVENTS)}, so not verified here: beleg audit verify does it`);
  }
}
