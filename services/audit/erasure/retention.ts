import type { Logger } from 'pino';
import { DAY_MS } from '../../../events/dates.ts';
import { systemClock, type Clock } from '../../foundation/clock.ts';
import type { Eraser } from './eraser.ts';

/** How often the age of texts is checked. */
const EVERY_MS = 60 * 60 * 1_000;
/** If the clock is more days ahead of the newest text than this, it is doubted. An office may be closed for a while. */
const DOUBTED_AFTER_DAYS = 7;

interface RetentionOptions {
  /** Days after which the newest text of a request is too old. */
  readonly days: number;
  readonly eraser: Pick<Eraser, 'eraseOlderThan' | 'newestText'>;
  readonly logger: Logger;
  readonly clock?: Pick<Clock, 'now' | 'every'>;
}

/**
 * Erases text that is too old, at once and then every hour. Returns a function that stops it.
 *
 * A clock that is wrong by years would have everything erased. So a clock that is far ahead of the newest text is
 * logged, and believed only if it is still ahead an hour later.
 */
export function startRetention({ days, eraser, logger, clock = systemClock }: RetentionOptions): () => void {
  let doubted = false;
  const look = (): void => {
    const now = clock.now();
    const newest = eraser.newestText();
    if (newest === null) return;
    const ahead = Math.floor((now - Date.parse(newest)) / DAY_MS);
    if (ahead > DOUBTED_AFTER_DAYS && !doubted) {
      doubted = true;
      logger.warn(
        { days_ahead: ahead },
        `the clock is ${ahead} days ahead of the newest recorded text. Check the clock: in one hour, text older than ${days} days will be erased`,
      );
      return;
    }
    doubted = false;
    eraser.eraseOlderThan(new Date(now - days * DAY_MS).toISOString());
  };
  look();
  return clock.every(EVERY_MS, look);
}
