import { setTimeout as pause } from './replaced/timers-promises.ts';
import { BelegError } from '../../events/errors.ts';
import { assertLeaseName, type Leases, type OnWorkError } from '../../events/leases/leases.ts';
import type { Process } from './simulated-process.ts';
import type { Simulation } from './simulation.ts';

interface Entry {
  readonly process: Process;
  readonly token: symbol;
  until: number;
}

const TTL_MS = 1_500;
const RETRY_MS = 500;

/** The table of leases at the server: an entry that is not renewed in time is free. */
export class LeaseTable {
  readonly simulation: Simulation;
  readonly #entries = new Map<string, Entry>();
  readonly #waiting = new Set<{ readonly name: string; readonly wake: () => void }>();
  #terms = 0;

  constructor(simulation: Simulation) {
    this.simulation = simulation;
  }

  /** The holder of this lease; `undefined` if there is none or it has expired. */
  holder(name: string): Entry | undefined {
    const entry = this.#entries.get(name);
    return entry === undefined || entry.until < this.simulation.now ? undefined : entry;
  }

  /** The names of the held leases, of one process if it is given. */
  held(process?: Process): string[] {
    return [...this.#entries.keys()].filter((name) => {
      const holder = this.holder(name);
      return holder !== undefined && (process === undefined || holder.process === process);
    });
  }

  take(name: string, process: Process, token: symbol): boolean {
    const holder = this.holder(name);
    if (holder !== undefined && holder.token !== token) return false;
    this.#entries.set(name, { process, token, until: this.simulation.now + TTL_MS });
    return true;
  }

  renew(name: string, token: symbol): boolean {
    const entry = this.holder(name);
    if (entry?.token !== token) return false;
    entry.until = this.simulation.now + TTL_MS;
    return true;
  }

  /** Makes the lease free at once. */
  remove(name: string): void {
    this.#entries.delete(name);
    for (const waiting of this.#waiting) if (waiting.name === name) waiting.wake();
  }

  /** Resolves for this process once the lease may be free, or `signal` aborts. */
  async free(name: string, process: Process, signal: AbortSignal): Promise<void> {
    const { simulation } = this;
    while (!signal.aborted) {
      const holder = this.holder(name);
      if (holder === undefined) return;
      const { promise, resolve: wake } = Promise.withResolvers<void>();
      const waiting = { name, wake };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', () => wake(), { once: true });
      const expires = simulation.after(holder.until - simulation.now + 1, process, wake);
      await promise;
      expires.cancelled = true;
      this.#waiting.delete(waiting);
    }
  }

  nextTerm(): number {
    return ++this.#terms;
  }
}

/** Like the leases in NATS: renewed after a third of their time, lost after three quarters by the holder's clock. */
export class SimulatedLeases implements Leases {
  readonly #table: LeaseTable;
  readonly #process: Process;
  readonly #onWorkError: OnWorkError;
  readonly #held = new Set<string>();

  constructor(table: LeaseTable, process: Process, onWorkError: OnWorkError) {
    this.#table = table;
    this.#process = process;
    this.#onWorkError = onWorkError;
  }

  async run(name: string, work: (held: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    assertLeaseName(name);
    const token = Symbol(name);
    while (!signal.aborted) {
      const sent = this.#table.simulation.now;
      const taken = await this.#ask(() => this.#table.take(name, this.#process, token));
      if (taken === true) {
        this.#process.terms.set(name, this.#table.nextTerm());
        this.#table.simulation.tell(this.#process.name, `holds ${name}`);
        await this.#hold(name, token, sent, work, signal);
        await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
      } else if (taken === false) await this.#table.free(name, this.#process, signal);
    }
  }

  async list(prefix: string): Promise<string[]> {
    const names = await this.#ask(() => this.#table.held().filter((name) => name.startsWith(prefix)));
    if (names === undefined) throw new BelegError('SERVICE_UNAVAILABLE', { retryAfter: 1 });
    return names.sort();
  }

  async clockAhead(): Promise<number> {
    return 0;
  }

  held(): string[] {
    return [...this.#held].sort();
  }

  async #hold(
    name: string,
    token: symbol,
    sent: number,
    work: (held: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const lost = new AbortController();
    const done = new AbortController();
    this.#held.add(name);
    const renewing = this.#renew(name, token, sent, lost, done.signal);
    try {
      await work(AbortSignal.any([signal, lost.signal]));
    } catch (error) {
      this.#onWorkError(error, name);
    } finally {
      done.abort();
      await renewing;
      this.#held.delete(name);
      await this.#ask(() => {
        if (this.#table.holder(name)?.token === token) this.#table.remove(name);
      });
    }
  }

  async #renew(
    name: string,
    token: symbol,
    sent: number,
    lost: AbortController,
    done: AbortSignal,
  ): Promise<void> {
    const { simulation } = this.#table;
    const ended = AbortSignal.any([lost.signal, done]);
    let until = sent + TTL_MS * 0.75;
    while (!ended.aborted) {
      await pause(Math.min(TTL_MS / 3, Math.max(until - simulation.now, 1)), undefined, {
        signal: ended,
      }).catch(() => undefined);
      if (ended.aborted) return;
      if (simulation.now < until) {
        const asked = simulation.now;
        const renewed = await this.#ask(() => this.#table.renew(name, token));
        if (renewed === true) until = asked + TTL_MS * 0.75;
        if (renewed !== false && simulation.now < until) continue;
      }
      simulation.tell(this.#process.name, `has lost ${name}`);
      lost.abort();
    }
  }

  /** `undefined` if the server cannot be reached. */
  #ask<T>(question: () => T): Promise<T | undefined> {
    const { simulation } = this.#table;
    if (!this.#process.cut.has('leases')) return simulation.trip(this.#process, 4, question);
    return simulation.sleep(simulation.between(100, 600), this.#process).then(() => undefined);
  }
}
