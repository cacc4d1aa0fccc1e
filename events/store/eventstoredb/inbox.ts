import { Silence } from './errors.ts';

/** The parts of a stream that are used here: the client's types of its streams differ from those of Node. */
interface ItemStream {
  on(event: string, listener: (...given: unknown[]) => void): unknown;
  read(): unknown;
  destroy(): unknown;
}

/**
 * Takes the items of a client's stream, with back-pressure, and never waits longer than allowed. The client's streams
 * emit errors without ending, so its own iterator would wait without end or throw elsewhere.
 *
 * @param cancel ends the call behind the stream, which closing the stream would leave open.
 */
export function openInbox<T>(stream: ItemStream, signal: AbortSignal, cancel: () => Promise<void>) {
  let failure: Error | undefined;
  let ended = false;
  let wake: (() => void) | undefined;
  const woken = (): void => wake?.();
  const onEnd = (): void => {
    ended = true;
    woken();
  };
  stream.on('error', (error) => {
    failure ??= error as Error;
    woken();
  });
  stream.on('end', onEnd);
  stream.on('close', onEnd);
  stream.on('readable', woken);
  signal.addEventListener('abort', woken);

  const somethingCame = (ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        wake = undefined;
        resolve(false);
      }, ms);
      // Waits for the end of the turn, so that the events of one turn are taken together. A promise and a timer for
      // each event would cost a third of a read.
      wake = () => {
        wake = undefined;
        clearTimeout(timer);
        setImmediate(resolve, true);
      };
    });

  return {
    /**
     * All items that have arrived, at least one; none at the end. Rejects with `Silence` if nothing arrives for `ms`.
     */
    async next(ms: number): Promise<T[]> {
      for (;;) {
        signal.throwIfAborted();
        const come: T[] = [];
        for (let item = stream.read(); item !== null; item = stream.read()) come.push(item as T);
        if (come.length > 0) return come;
        if (failure !== undefined) throw failure;
        if (ended) return [];
        if (!(await somethingCame(ms))) throw new Silence();
      }
    },
    close(): void {
      signal.removeEventListener('abort', woken);
      cancel().catch(() => undefined);
      stream.destroy();
    },
  };
}
