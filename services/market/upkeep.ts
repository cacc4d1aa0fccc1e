import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backoff } from '../../events/backoff.ts';
import { isBelegError } from '../../events/errors.ts';
import { newCall, type CallContext } from '../../events/messages/define.ts';
import { tickersToUpdate } from './listing.ts';
import type { MarketSettings, OpenedSource } from './sources/open-source.ts';
import type { MarketStore } from './store.ts';
import type { Updater } from './updater.ts';

/** What failed is tried again after this, then after twice as long …, at most as long as between two polls. */
const FIRST_RETRY_MS = 5_000;

interface UpkeepOptions {
  readonly opened: OpenedSource;
  readonly settings: MarketSettings;
  readonly store: MarketStore;
  readonly updater: Updater;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Loads what is not there without being told, and asks a source that goes on by itself from time to time. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #stop = new AbortController();
  readonly #loaded = Promise.withResolvers<void>();
  readonly #work: Promise<void>;
  #sourceFault: string | null = null;
  /** Ends the pause between two tries. */
  #nap = new AbortController();

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#work = this.#run();
  }

  /** Resolves when there is something to show. */
  get loaded(): Promise<void> {
    return this.#loaded.promise;
  }

  /** Why the source could not be asked at all; `null` where the last try could. Safe for clients. */
  get sourceFault(): string | null {
    return this.#sourceFault;
  }

  /** Starts an update of everything. See `Updater.start` for what it rejects with; `SERVICE_UNAVAILABLE`: no source. */
  async update(call: CallContext): Promise<string> {
    const updateId = await this.#start(true, call);
    // What was waited for may be there now; where it is not, the next try is due when it was.
    void this.#options.updater.idle().then(() => this.#tellLoaded() && this.#nap.abort());
    return updateId;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#work;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let failures = 0;
    this.#tellLoaded();
    for (let resumed = false; !signal.aborted;) {
      const outcome = await this.#attempt(resumed);
      resumed ||= outcome === 'resumed';
      if (outcome === 'resumed') continue;
      const loaded = this.#tellLoaded();
      const isDone = outcome === 'done' && loaded;
      if (isDone && !this.#options.opened.polled) return;
      failures = isDone ? 0 : failures + 1;
      const ms = isDone
        ? this.#untilPoll()
        : backoff(failures, { firstMs: FIRST_RETRY_MS, longestMs: this.#pollMs });
      this.#nap = new AbortController();
      const nap = AbortSignal.any([signal, this.#nap.signal]);
      await pause(ms, undefined, { signal: nap }).catch(() => undefined);
    }
  }

  #tellLoaded(): boolean {
    const loaded = this.#options.store.note('complete_until') !== null;
    if (loaded) this.#loaded.resolve();
    return loaded;
  }

  /** Goes on with what a crash broke off, or does what is due; resolves when that is over. Never rejects. */
  async #attempt(resumed: boolean): Promise<'resumed' | 'done' | 'failed'> {
    const { updater, store, logger, opened } = this.#options;
    try {
      if (!resumed && !updater.running && (await updater.resume())) {
        await updater.idle();
        return 'resumed';
      }
      const version = await this.#version();
      const full = store.note('complete_until') === null || store.note('version') !== version;
      if (full || (opened.polled && this.#untilPoll() === 0)) {
        await this.#start(full, newCall());
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

  async #start(full: boolean, call: CallContext): Promise<string> {
    const { opened, settings, updater } = this.#options;
    const tickers = await this.#ask(() => tickersToUpdate(opened.source, settings));
    return updater.start({ tickers, full, version: full ? await this.#version() : null }, call);
  }

  /** Another text when the tickers or what the source has of them are others. */
  async #version(): Promise<string> {
    const { opened, settings } = this.#options;
    const tickers = await this.#ask(() => tickersToUpdate(opened.source, settings));
    const version = (await opened.source.version?.()) ?? '';
    return createHash('sha256')
      .update(JSON.stringify([tickers, version]))
      .digest('hex');
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      const answer = await question();
      this.#sourceFault = null;
      return answer;
    } catch (error) {
      this.#sourceFault = isBelegError(error) ? error.message : 'the market data source failed';
      throw error;
    }
  }

  get #pollMs(): number {
    return this.#options.settings.pollMinutes * 60_000;
  }

  #untilPoll(): number {
    const { store, now } = this.#options;
    const last = store.note('updated_at');
    return last === null ? 0 : Math.max(0, Date.parse(last) + this.#pollMs - now().getTime());
  }
}
