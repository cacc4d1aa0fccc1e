/** How often the age of texts is looked at. */
const EVERY_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

export interface RetentionOptions {
  /** Days after which the newest text of a request is too old. */
  readonly days: number;
  readonly eraser: { eraseOlderThan(before: string): void };
  readonly now: () => Date;
  /** Calls it again and again, until what it returns is called; default: the process's own timer. */
  readonly every?: (ms: number, look: () => void) => () => void;
}

/** Has text erased once it is too old: at once, and every hour. Returns what ends it. */
export function startRetention({ days, eraser, now, every = onTimer }: RetentionOptions): () => void {
  const look = (): void => eraser.eraseOlderThan(new Date(now().getTime() - days * DAY_MS).toISOString());
  look();
  return every(EVERY_MS, look);
}

function onTimer(ms: number, look: () => void): () => void {
  const timer = setInterval(look, ms).unref();
  return () => clearInterval(timer);
}
