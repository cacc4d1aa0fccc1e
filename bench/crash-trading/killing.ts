import { writeSync } from 'node:fs';
import type { Outlet } from '../../events/relay/outlet.ts';
import type { EventStore } from '../../events/store/store.ts';
import type { Runtime } from '../../services/runtime.ts';

/** Counts what a process does to the outside, and kills it at one of these moments, as a power cut would. */
export class Boundaries {
  #count = 0;
  readonly #killAt: number | null;

  constructor(killAt: number | null) {
    this.#killAt = killAt;
  }

  get count(): number {
    return this.#count;
  }

  pass(where: string): void {
    if (++this.#count !== this.#killAt) return;
    writeSync(1, `${JSON.stringify({ killed: where })}\n`);
    process.kill(process.pid, 'SIGKILL');
  }
}

/** The same runtime; each append (the account's and the broker's) and each publishing is a boundary on both sides. */
export function withBoundaries(runtime: Runtime, boundaries: Boundaries): Runtime {
  const { store, outlet } = runtime;
  const killingStore: EventStore = {
    async append(stream, expectedRevision, events) {
      const what = `append to ${stream}: ${events.map(({ type }) => type).join(', ')}`;
      boundaries.pass(`before ${what}`);
      const result = await store.append(stream, expectedRevision, events);
      boundaries.pass(`after ${what}`);
      return result;
    },
    readStream: (...args) => store.readStream(...args),
    readAll: (...args) => store.readAll(...args),
    end: () => store.end(),
    subscribe: (...args) => store.subscribe(...args),
    ping: () => store.ping(),
    close: () => store.close(),
  };
  const killingOutlet: Outlet | null = outlet && {
    checkpoint: (...args) => outlet.checkpoint(...args),
    async publish(events) {
      boundaries.pass('before publish');
      await outlet.publish(events);
      boundaries.pass('after publish');
    },
    advance: (position) => outlet.advance(position),
  };
  return { ...runtime, store: killingStore, outlet: killingOutlet };
}
