import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as real from 'node:worker_threads';
import { playing } from '../simulation.ts';

/** What the threads of services do. */
const WORK: Readonly<Record<string, () => Promise<(data: never) => unknown>>> = {
  'compaction-thread.ts': async () =>
    (await import('../../../services/audit/erasure/compaction-thread.ts')).compact,
  'swap-thread.ts': async () => (await import('../../../events/projections/swap-thread.ts')).swap,
};

const loaded = new Map<string, (data: never) => unknown>();

/** Before the first story: what is loaded later would not come in the story's order. */
export async function loadWork(): Promise<void> {
  for (const [name, load] of Object.entries(WORK)) loaded.set(name, await load());
}

/** A thread that does one piece of work and says what came of it: here a moment later, in between everything else. */
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

/** The real one where nothing plays. */
export const Worker = new Proxy(real.Worker, {
  construct: (target, given: [URL, { workerData: unknown }]) =>
    playing() === null ? Reflect.construct(target, given) : new VirtualWorker(...given),
});

export const { isMainThread, parentPort, workerData, threadId } = real;
