import * as real from 'node:timers/promises';
import { playing } from '../simulation.ts';

type Options = Parameters<typeof real.setTimeout>[2] & object;

const aborted = (signal: AbortSignal): Error =>
  Object.assign(new Error('The operation was aborted', { cause: signal.reason }), {
    name: 'AbortError',
    code: 'ABORT_ERR',
  });

function wait<T>(ms: number, value: T, { signal }: Options = {}): Promise<T> {
  const simulation = playing()!;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(aborted(signal));
      return;
    }
    const end = (how: () => void): void => {
      happening.cancelled = true;
      signal?.removeEventListener('abort', onAbort);
      how();
    };
    const onAbort = (): void => end(() => reject(aborted(signal!)));
    const happening = simulation.after(ms, simulation.current, () => end(() => resolve(value)));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** `node:timers/promises` on the virtual clock. */
export function setTimeout<T = void>(ms?: number, value?: T, options?: Options): Promise<T> {
  if (playing() === null) return real.setTimeout<T>(ms, value, options);
  return wait(Math.max(ms ?? 1, 1), value as T, options);
}

export function setImmediate<T = void>(value?: T, options?: Options): Promise<T> {
  if (playing() === null) return real.setImmediate<T>(value, options);
  return wait(0.01, value as T, options);
}
