/** More than anybody reads on a screen; the record itself is in the event store. */
export const MAX_LOG_LINES = 1_000;

/** The newest lines of the log, `[YYYY-MM-DD HH:MM:SS] message`. Only in memory: what matters is on record elsewhere. */
export class DashboardLogs {
  #lines: string[] = [];
  readonly #listeners = new Set<(line: string) => void>();

  add(at: Date, message: string): void {
    const line = `[${at.toISOString().slice(0, 19).replace('T', ' ')}] ${message}`;
    this.#lines.push(line);
    if (this.#lines.length > MAX_LOG_LINES) this.#lines.shift();
    for (const listener of this.#listeners) listener(line);
  }

  /** The newest `limit` lines, oldest first, and how many there are. */
  read(limit: number): { logs: string[]; total: number } {
    return { logs: this.#lines.slice(-limit), total: this.#lines.length };
  }

  clear(): void {
    this.#lines = [];
  }

  /** Called with each new line; returns what ends it. */
  onLine(listener: (line: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
