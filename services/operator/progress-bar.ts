import { Presets, SingleBar } from 'cli-progress';

/**
 * A progress bar on the terminal. It is removed when `stop` is called or when the block that declares it with
 * `using` ends.
 */
export interface ProgressBar extends Disposable {
  /** `total` is `null` if it is unknown. */
  readonly update: (done: number, total: number | null) => void;
  readonly stop: () => void;
}

/** Milliseconds between two updates, because pages come by the hundred. */
const EVERY_MS = 100;

const nothing = (): void => undefined;
const NONE: ProgressBar = { update: nothing, stop: nothing, [Symbol.dispose]: nothing };

/** Draws on standard error if that is a terminal. `shown` is false if data on the same terminal would collide with it. */
export function startProgressBar(
  action: string,
  { of = 'events', shown = true }: { readonly of?: string; readonly shown?: boolean } = {},
): ProgressBar {
  if (!process.stderr.isTTY || !shown) return NONE;
  let bar: SingleBar | undefined;
  let told = 0;
  const stop = (): void => bar?.stop();
  return {
    update(done, total) {
      const now = performance.now();
      if (now - told < EVERY_MS && done !== total) return;
      told = now;
      if (bar === undefined) {
        const format = `${action}${total === null ? ':' : ' [{bar}] {percentage}% ·'} {value} ${of}`;
        bar = new SingleBar({ format, hideCursor: true, clearOnComplete: true }, Presets.rect);
        bar.start(total ?? 0, done);
      }
      if (total !== null) bar.setTotal(total);
      bar.update(done);
    },
    stop,
    [Symbol.dispose]: stop,
  };
}
