import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as real from 'node:worker_threads';
import { playing } from '../simulation.ts';

/** The work of the services' threads. */
const WORK: Readonly<Record<string, () => Promise<(data: never) => unknown>>> = {
  'compaction-thread.ts': async () =>
    (await import('../../../services/audit/erasure/compaction-thread.ts')).compact,
  'swap-thread.ts': async () => (await import('../../../events/projections/swap-thread.ts')).swap,
};

const loaded = new Map<string, (data: never) => unknown>();

/** Called before the first story, because a later import would not be in the story's order. */
export async function loadWork(): Promise<void> {
  for (const [name, load] of Object.entries(WORK)) loaded.set(name, await load());
}

/** A thread that does one piece of work and posts its result; here a moment later, in the order of the story. */
class VirtualWorker extends EventEmitter {
  constructor(file: URL, { workerData }: { workerData: unknown }) {
    super();
    const simulation = playing()!;
    const work = loaded.get(fileURLToPath(file).split('/').at(-1)!);
    if (work === undefined) throw new TypeError(`no simulated thread: ${file.href}`);
    const owner = simulation.current;
    simulation.after(simulation.between(0.5, 20), owner, () => {
      const reply = work(structuredClone(workerData) as never);
      simulation.after(0.1, owner, () => {
        this.emit('message', reply);
        this.emit('exit', 0);
      });
    });
  }
}

/** The real one while no story is played. */
export const Worker = new Proxy(real.Worker, {
  construct: (target, given: [URL, { workerData: unknown }]) =>
    playing() === null ? Reflect.construct(target, given) : new VirtualWorker(...given),
});

export const { isMainThread, parentPort, workerData, threadId } = real;
