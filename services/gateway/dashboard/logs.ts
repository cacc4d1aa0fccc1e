import type { MessageBus } from '../../../events/bus/bus.ts';
import { describeEvents } from './log-lines.ts';
import { followEvents } from './published.ts';

/** More than anybody reads on a screen; the record itself is in the event store. */
export const MAX_LOG_LINES = 1_000;

/**
 * The newest lines of the log, `[YYYY-MM-DD HH:MM:SS] message`, as they came: clocks of several processes may differ by a
 * moment. Only in memory: what matters is on record elsewhere.
 */
export class DashboardLogs {
  #lines: string[] = [];
  readonly #listeners = new Set<(line: string) => void>();
  /** Of the newest events: each is said once, also when it comes twice. */
  readonly #said = new Set<string>();

  /** `at` in UTC. */
  add(at: Date, message: string): void {
    const line = `[${at.toISOString().slice(0, 19).replace('T', ' ')}] ${message}`;
    this.#lines.push(line);
    if (this.#lines.length > MAX_LOG_LINES) this.#lines.shift();
    for (const listener of this.#listeners) listener(line);
  }

  /** Says what happens on the bus, from now on. */
  follow(bus: MessageBus): void {
    const handlers = describeEvents((message, { id, at }) => {
      if (this.#said.has(id)) return;
      this.#said.add(id);
      if (this.#said.size > MAX_LOG_LINES) this.#said.delete(this.#said.values().next().value!);
      this.add(at, message);
    });
    followEvents(bus, handlers);
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
