import { Silence } from './errors.ts';

/** What is used of a stream: the client's types of its streams are not quite those of Node. */
interface ItemStream {
  on(event: string, listener: (...given: unknown[]) => void): unknown;
  read(): unknown;
  destroy(): unknown;
}

/**
 * Takes one item after the other from a stream of the client, with back-pressure, and never waits longer than it is
 * told. The client's streams emit errors without ending, so its own iterator would wait for ever or throw elsewhere.
 */
export class Inbox<T> {
  readonly #stream: ItemStream;
  readonly #cancel: () => Promise<void>;
  #error: Error | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  /** `cancel` ends the call behind the stream; the stream alone would leave it open. */
  constructor(stream: ItemStream, cancel: () => Promise<void>) {
    this.#stream = stream;
    this.#cancel = cancel;
    const woken = (): void => this.#wake?.();
    const ended = (): void => {
      this.#ended = true;
      woken();
    };
    stream.on('error', (error) => {
      this.#error ??= error as Error;
      woken();
    });
    stream.on('end', ended);
    stream.on('close', ended);
    stream.on('readable', woken);
  }

  /** Undefined at the end. Rejects with `Silence` where nothing comes for `ms`: the next call may wait on. */
  async next(ms: number, signal: AbortSignal): Promise<T | undefined> {
    for (;;) {
      signal.throwIfAborted();
      const item = this.#stream.read() as T | null;
      if (item !== null) return item;
      if (this.#error !== undefined) throw this.#error;
      if (this.#ended) return undefined;
      if (!(await this.#woken(ms, signal))) throw new Silence();
    }
  }

  /** What has come besides, at once: nobody need wait for a promise an event. */
  *rest(): Generator<T> {
    for (let item = this.#stream.read(); item !== null; item = this.#stream.read()) yield item as T;
  }

  close(): void {
    this.#cancel().catch(() => undefined);
    this.#stream.destroy();
  }

  #woken(ms: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (woken: boolean): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#wake = undefined;
        resolve(woken);
      };
      const wake = (): void => settle(true);
      const timer = setTimeout(() => settle(false), ms);
      this.#wake = wake;
      signal.addEventListener('abort', wake);
    });
  }
}
