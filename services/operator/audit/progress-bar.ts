import { Presets, SingleBar } from 'cli-progress';

export interface ProgressBar {
  /** `total` is `null` where nobody knows it. */
  readonly update: (done: number, total: number | null) => void;
  readonly stop: () => void;
}

/** Milliseconds between two looks of the bar: pages come by the hundred. */
const EVERY_MS = 100;

/** On standard error, where that is a terminal. */
export function startProgressBar(action: string): ProgressBar {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  let bar: SingleBar | undefined;
  let told = 0;
  return {
    update(done, total) {
      const now = performance.now();
      if (now - told < EVERY_MS && done !== total) return;
      told = now;
      if (bar === undefined) {
        const format =
          total === null
            ? `${action}: {value} events`
            : `${action} [{bar}] {percentage}% · {value}/{total} events`;
        bar = new SingleBar({ format, hideCursor: true, clearOnComplete: true }, Presets.rect);
        bar.start(total ?? 0, done);
      }
      bar.update(done);
    },
    stop: () => bar?.stop(),
  };
}
