import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '../store/store.ts';
import type { Outlet, OutgoingEvent } from './outlet.ts';

/** One batch holds at most so much: what is under way at once, and may have to be sent again. */
const MAX_EVENTS = 256;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Publishes one batch after the other, while the next one is gathered. A lone event leaves at the end of the turn. After
 * the first fault nothing more is published: `room` and `settled` reject with it.
 */
export class Batches {
  readonly #outlet: Outlet;
  readonly #on: { onPublished: (last: Position | undefined) => void; onFailed: () => void };
  #events: OutgoingEvent[] = [];
  #bytes = 0;
  /** Everything up to here is in the batch, or was passed by. */
  #passed: Position | undefined;
  #taken = Promise.withResolvers<void>();
  #sending: Promise<void> | undefined;
  #ended = false;

  /** @param on `onPublished` is told the place of the last event, where there was one, and not what was passed by */
  constructor(
    outlet: Outlet,
    on: { onPublished: (last: Position | undefined) => void; onFailed: () => void },
  ) {
    this.#outlet = outlet;
    this.#on = on;
  }

  add(event: OutgoingEvent): void {
    this.#events.push(event);
    this.#bytes += event.data.byteLength;
    this.#passed = undefined;
    this.#send();
  }

  /** Nothing between the last event and here needs publishing. */
  passed(position: Position): void {
    this.#passed = position;
    this.#send();
  }

  get isFull(): boolean {
    return this.#events.length >= MAX_EVENTS || this.#bytes >= MAX_BYTES;
  }

  /** Resolves when the next event may be added. */
  async room(): Promise<void> {
    while (this.isFull) await this.#taken.promise;
  }

  /** Resolves when all that was added is published. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  /** What is under way ends as it may; nothing follows it. */
  end(): void {
    this.#ended = true;
  }

  #send(): void {
    if (this.#sending !== undefined) return;
    this.#sending = this.#sendAll();
    // Told by `room` and `settled`. It stays rejected, so that nothing more is sent.
    this.#sending.catch(() => undefined);
  }

  async #sendAll(): Promise<void> {
    try {
      await nextTurn();
      while (!this.#ended && (this.#events.length > 0 || this.#passed !== undefined)) {
        const [events, passed] = [this.#events, this.#passed];
        [this.#events, this.#bytes, this.#passed] = [[], 0, undefined];
        this.#taken.resolve();
        this.#taken = Promise.withResolvers();
        if (events.length > 0) await this.#outlet.publish(events);
        if (passed !== undefined) await this.#outlet.advance(passed);
        this.#on.onPublished(events.at(-1)?.position);
      }
      this.#sending = undefined;
    } catch (error) {
      this.#taken.promise.catch(() => undefined);
      this.#taken.reject(error);
      this.#on.onFailed();
      throw error;
    }
  }
}
