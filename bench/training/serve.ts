import { createInterface } from 'node:readline';
import { batchAt, readTask, type Batch, type Numbers, type Task } from './task.ts';

/** The network in one of the libraries that are compared. */
export interface Network {
  /** Its name and version. */
  readonly library: string;
  /** One step of training; resolves with the loss that it found before it changed the parameters. */
  step(batch: Batch): Promise<number>;
  /** Resolves with the outputs of each window; before the first step they are the initial network's. */
  predict(inputs: Float32Array<ArrayBuffer>): Promise<ArrayLike<number>>;
}

/** The work is repeated at least `times` times, and for at least `seconds`. */
export interface Request {
  readonly do: 'train' | 'predict';
  readonly times: number;
  readonly seconds: number;
}

export interface Ready {
  readonly library: string;
  /** What one must know of it to read its figures. */
  readonly remark: string | null;
}

export interface Measured {
  /** The duration of each repetition. */
  readonly ms: readonly number[];
  /** CPU time of all threads and all repetitions together. */
  readonly cpuMs: number;
  /** The loss of each training step. */
  readonly losses: readonly number[];
  /** What was predicted for the first batch, if predictions were asked for. */
  readonly outputs: readonly number[];
  /** Highest resident set of this process so far, in 10^6 bytes. */
  readonly peakMb: number;
}

/**
 * The main loop of a process that is compared; its arguments are the task's folder and how many threads. Requests come
 * and replies go as lines of JSON. It ends with its standard input.
 */
export async function serve(
  open: (task: Task, numbers: Numbers, threads: number) => Promise<Network>,
): Promise<void> {
  const [folder = '', threads = '1'] = process.argv.slice(2);
  const { task, numbers } = await readTask(folder);
  const network = await open(task, numbers, Number(threads));
  reply({ library: network.library, remark: null });
  let steps = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as Request;
    const losses: number[] = [];
    let outputs: readonly number[] = [];
    const times = await measure(request, async () => {
      if (request.do === 'train') losses.push(await network.step(batchAt(task, numbers, steps++)));
      else outputs = Array.from(await network.predict(batchAt(task, numbers, 0).inputs));
    });
    reply({ ...times, losses, outputs, peakMb: (process.resourceUsage().maxRSS * 1024) / 1e6 });
  }
  // What a library still has open keeps nobody waiting.
  process.exit(0);
}

async function measure({ times, seconds }: Request, once: () => Promise<void>) {
  const ms: number[] = [];
  const used = process.cpuUsage();
  const until = performance.now() + seconds * 1_000;
  while (ms.length < times || performance.now() < until) {
    const began = performance.now();
    await once();
    ms.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(used);
  return { ms, cpuMs: (user + system) / 1_000 };
}

function reply(message: Ready | Measured): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
