import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backoff } from '../../events/retry-pauses.ts';
import { isBelegError } from '../../events/errors.ts';
import { newCall, type CallContext } from '../../events/messages/define.ts';
import { tickersToUpdate } from './tickers-to-update.ts';
import type { OpenedSource } from './sources/open-source.ts';
import type { MarketSettings } from './settings.ts';
import { besideBars } from './sources/source.ts';
import type { MarketStore } from './store.ts';
import type { Updater } from './updater.ts';

/** The pause before the first retry. Each further one is twice as long, up to the time between two polls. */
const FIRST_RETRY_MS = 5_000;

interface UpkeepOptions {
  readonly opened: OpenedSource;
  readonly settings: MarketSettings;
  readonly store: MarketStore;
  readonly updater: Updater;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Loads missing data by itself, and updates a source that grows from time to time. */
export function keepUp({ opened, settings, store, updater, logger, now }: UpkeepOptions) {
  const stop = new AbortController();
  const hasLoaded = Promise.withResolvers<void>();
  let sourceFault: string | null = null;
  /** Ends the pause between two tries. */
  let nap = new AbortController();
  const pollMs = settings.pollMinutes * 60_000;
  const work = keepOn();

  async function keepOn(): Promise<void> {
    const { signal } = stop;
    let failures = 0;
    tellLoaded();
    for (let resumed = false; !signal.aborted;) {
      const outcome = await attempt(resumed);
      resumed ||= outcome === 'resumed';
      if (outcome === 'resumed') continue;
      const loaded = tellLoaded();
      const isDone = outcome === 'done' && loaded;
      if (isDone && !opened.polled) return;
      failures = isDone ? 0 : failures + 1;
      const ms = isDone ? untilPoll() : backoff(failures, { firstMs: FIRST_RETRY_MS, longestMs: pollMs });
      nap = new AbortController();
      const roused = AbortSignal.any([signal, nap.signal]);
      await pause(ms, undefined, { signal: roused }).catch(() => undefined);
    }
  }

  function tellLoaded(): boolean {
    const loaded = store.note('complete_until') !== null;
    if (loaded) hasLoaded.resolve();
    return loaded;
  }

  /** Resumes an interrupted update, or runs one that is due. Resolves when it is over; never rejects. */
  async function attempt(resumed: boolean): Promise<'resumed' | 'done' | 'failed'> {
    try {
      if (!resumed && !updater.running && (await updater.resume())) {
        await updater.idle();
        return 'resumed';
      }
      const version = await versionNow();
      const full = store.note('complete_until') === null || store.note('version') !== version;
      if (full || (opened.polled && untilPoll() === 0)) {
        await start(full, newCall());
      }
    } catch (error) {
      if (!isBelegError(error, 'UPDATE_RUNNING')) {
        logger.warn({ err: error }, 'the market data could not be updated; trying again');
        return 'failed';
      }
    }
    await updater.idle();
    return 'done';
  }

  async function start(full: boolean, call: CallContext): Promise<string> {
    const tickers = await ask(() => tickersToUpdate(opened.source, settings));
    await takeBesideBars();
    const before = removedTickers();
    const updateId = await updater.start({ tickers, full, version: full ? await versionNow() : null }, call);
    tellRemoved(removedTickers().filter((ticker) => !before.includes(ticker)));
    return updateId;
  }

  /** The removed tickers; none if the lease is lost by now and the file is closed. */
  const removedTickers = (): readonly string[] =>
    stop.signal.aborted ? [] : store.tickers().removed.map(({ ticker }) => ticker);

  function tellRemoved(removed: readonly string[]): void {
    if (removed.length === 0) return;
    logger.warn(
      { count: removed.length, first: removed.slice(0, 10) },
      'tickers are no longer in the market data: what was read of them stays, and they count as gone after 20 sessions without a bar',
    );
  }

  async function takeBesideBars(): Promise<void> {
    const { leftOut, ...beside } = await ask(() => besideBars(opened.source));
    // By now the lease may be lost and the file closed.
    if (stop.signal.aborted) return;
    store.putBeside(beside);
    store.setNotes({ left_out: leftOut.length === 0 ? null : JSON.stringify(leftOut) });
    if (leftOut.length === 0) return;
    logger.warn(
      { count: leftOut.length, first: leftOut.slice(0, 10) },
      'files of the market data are left out',
    );
  }

  /** A text that changes when the tickers or the source's data change. */
  async function versionNow(): Promise<string> {
    const tickers = await ask(() => tickersToUpdate(opened.source, settings));
    const version = (await opened.source.version?.()) ?? '';
    return createHash('sha256')
      .update(JSON.stringify([tickers, version]))
      .digest('hex');
  }

  async function ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      const answer = await question();
      sourceFault = null;
      return answer;
    } catch (error) {
      sourceFault = isBelegError(error) ? error.message : 'the market data source failed';
      throw error;
    }
  }

  function untilPoll(): number {
    const last = store.note('updated_at');
    return last === null ? 0 : Math.max(0, Date.parse(last) + pollMs - now().getTime());
  }

  return {
    /** Resolves when there are bars to show. */
    loaded: hasLoaded.promise,
    /** Why the source cannot be reached; `null` if the last try succeeded. It may be shown to clients. */
    get sourceFault(): string | null {
      return sourceFault;
    },
    /**
     * Starts an update of everything. Rejects like `Updater.start`, and with `SERVICE_UNAVAILABLE` without a source.
     */
    async update(call: CallContext): Promise<string> {
      const updateId = await start(true, call);
      // If the update has brought the data for which `loaded` waits, the pause before the next try ends. If not, the
      // next try comes when it would have come anyway.
      void updater.idle().then(() => tellLoaded() && nap.abort());
      return updateId;
    },
    async close(): Promise<void> {
      stop.abort();
      await work;
    },
  };
}
