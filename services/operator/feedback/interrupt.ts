import { EXIT } from '../exit-codes.ts';
import { onFirstSignal } from '../first-signal.ts';

/** Runs `work` until it ends or Ctrl-C stops it in order. A second Ctrl-C ends the process at once. */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const interrupted = new AbortController();
  const end = onFirstSignal(['SIGINT'], () => interrupted.abort());
  try {
    await work(interrupted.signal);
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    process.exitCode = EXIT.interrupted;
  } finally {
    end();
  }
}
