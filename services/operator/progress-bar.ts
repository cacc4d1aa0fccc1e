import { Presets, SingleBar } from 'cli-progress';

export interface ProgressBar {
  /** `total` is `null` where nobody knows it. */
  readonly update: (done: number, total: number | null) => void;
  readonly stop: () => void;
}

/** Milliseconds between two looks of the bar: pages come by the hundred. */
const EVERY_MS = 100;

const NONE: ProgressBar = { update: () => undefined, stop: () => undefined };

/** On standard error, where that is a terminal. `shown` is false where data on the same terminal would meet it. */
export function startProgressBar(
  action: string,
  { of = 'events', shown = true }: { readonly of?: string; readonly shown?: boolean } = {},
): ProgressBar {
  if (!process.stderr.isTTY || !shown) return NONE;
  let bar: SingleBar | undefined;
  let told = 0;
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
    stop: () => bar?.stop(),
  };
}
