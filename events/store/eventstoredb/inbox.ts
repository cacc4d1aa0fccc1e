import { Silence } from './errors.ts';

/** What is used of a stream: the client's types of its streams are not quite those of Node. */
interface ItemStream {
  on(event: string, listener: (...given: unknown[]) => void): unknown;
  read(): unknown;
  destroy(): unknown;
}

/**
 * Takes what comes out of a stream of the client, with back-pressure, and never waits longer than it is told. The
 * client's streams emit errors without ending, so its own iterator would wait for ever or throw elsewhere.
 */
export class Inbox<T> {
  readonly #stream: ItemStream;
  readonly #signal: AbortSignal;
  readonly #cancel: () => Promise<void>;
  readonly #woken = (): void => this.#wake?.();
  #error: Error | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  /** `cancel` ends the call behind the stream; the stream alone would leave it open. */
  constructor(stream: ItemStream, signal: AbortSignal, cancel: () => Promise<void>) {
    this.#stream = stream;
    this.#signal = signal;
    this.#cancel = cancel;
    const ended = (): void => {
      this.#ended = true;
      this.#woken();
    };
    stream.on('error', (error) => {
      this.#error ??= error as Error;
      this.#woken();
    });
    stream.on('end', ended);
    stream.on('close', ended);
    stream.on('readable', this.#woken);
    signal.addEventListener('abort', this.#woken);
  }

  /** All that has come, at least one item; none at the end. Rejects with `Silence` where nothing comes for `ms`. */
  async next(ms: number): Promise<T[]> {
    for (;;) {
      this.#signal.throwIfAborted();
      const come: T[] = [];
      for (let item = this.#stream.read(); item !== null; item = this.#stream.read()) come.push(item as T);
      if (come.length > 0) return come;
      if (this.#error !== undefined) throw this.#error;
      if (this.#ended) return [];
      if (!(await this.#somethingCame(ms))) throw new Silence();
    }
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#woken);
    this.#cancel().catch(() => undefined);
    this.#stream.destroy();
  }

  #somethingCame(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#wake = undefined;
        resolve(false);
      }, ms);
      // Not at once: what comes in the same turn is taken together. A promise and a timer an event cost a third of a read.
      this.#wake = () => {
        this.#wake = undefined;
        clearTimeout(timer);
        setImmediate(resolve, true);
      };
    });
  }
}
