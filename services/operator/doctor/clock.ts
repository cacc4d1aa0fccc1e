import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../../events/dates.ts';
import { count } from '../number-format.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

const MINUTE_MS = 60_000;
/** How far the clock may be ahead of the newest event: a service may be unused for that long. */
const WEEK_MS = 7 * DAY_MS;

/** When this version was installed. If that is in the future, the clock has gone back since. */
const installed = (): Date => statSync(join(import.meta.dirname, '..', '..', '..', 'package.json')).mtime;

/**
 * Judges the clock.
 *
 * @param newest the time of the newest event on record (ISO 8601); `null` if there is none.
 * @param latest the latest time of the events before it. A service whose clock was set back has recorded newer events
 * with earlier times.
 */
export function judgeClock(newest: string | null, now: Date, latest: string | null = newest): Finding {
  const what = 'clock';
  if (newest === null) {
    return now.getTime() < installed().getTime() - MINUTE_MS
      ? fault(what, `${now.toISOString()}, which is before beleg was installed`, 'correct the clock')
      : ok(what, now.toISOString());
  }
  const ahead = now.getTime() - Date.parse(newest);
  if (ahead < -MINUTE_MS) {
    return fault(
      what,
      `${now.toISOString()}, which is before the newest event on record`,
      'correct the clock',
    );
  }
  if (latest !== null && Date.parse(latest) - now.getTime() > MINUTE_MS) {
    return warning(
      what,
      `${now.toISOString()}, which is before an event on record of ${latest}`,
      'see that the clock is right; if it is, it was ahead when that event was recorded, and nothing needs to be done',
    );
  }
  if (ahead < WEEK_MS) return ok(what, now.toISOString());
  const days = Math.floor(ahead / DAY_MS);
  const found = `${now.toISOString()}, ${count(days, 'day')} after the newest event on record`;
  return warning(what, found, 'check the date; this is fine if the service was not used for that long');
}
