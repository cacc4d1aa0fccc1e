import type { Progress } from '../../kb/snapshot/prepare.ts';
import { startProgressBar, type ProgressBar } from './progress-bar.ts';

const BARS = {
  read: ['reading', 'documents'],
  index: ['indexing', 'sources'],
  embed: ['embedding', 'sentences'],
} as const satisfies Record<Progress['phase'], readonly [action: string, of: string]>;

interface IndexBars extends Disposable {
  readonly update: (progress: Progress) => void;
  readonly stop: () => void;
}

/** One progress bar after the other for the steps of an index build. */
export function startIndexBars(start: typeof startProgressBar = startProgressBar): IndexBars {
  let shown: Progress['phase'] | undefined;
  let bar: ProgressBar | undefined;
  const stop = (): void => bar?.stop();
  return {
    update({ phase, done, total }) {
      if (phase !== shown) {
        stop();
        const [action, of] = BARS[phase];
        bar = start(action, { of });
        shown = phase;
      }
      bar!.update(done, total);
    },
    stop,
    [Symbol.dispose]: stop,
  };
}
