import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../../testing/quantile.ts';
import { Running, type Contender } from './contender.ts';
import { numbersOf } from './reference.ts';
import type { Ready } from './serve.ts';
import { writeTask, type Task } from './task.ts';

/**
 * How far losses and predictions, which are about 1, may differ. Summing float32 in another order makes a difference of
 * about 1e-6.
 */
const TOLERANCE = 1e-4;

/** What each found at first, from the same parameters and data. */
export interface Beginning extends Ready {
  readonly contender: Contender;
  /** What the initial parameters predict for the first batch. */
  readonly outputs: readonly number[];
  /** The losses of the first steps. */
  readonly losses: readonly number[];
}

export interface Figures {
  readonly contender: Contender;
  /** A figure each round. */
  readonly stepsPerSecond: readonly number[];
  readonly stepMs: readonly number[];
  readonly cpuMs: readonly number[];
  readonly inferenceMs: readonly number[];
  readonly peakMb: number;
}

/** All that are compared, each in a process of its own, with the same task. */
export class Comparison {
  readonly #running: readonly Running[];

  private constructor(running: readonly Running[]) {
    this.#running = running;
  }

  static async of<T>(
    task: Task,
    contenders: readonly Contender[],
    body: (comparison: Comparison) => Promise<T>,
  ): Promise<T> {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'beleg-bench-'));
    const folder = temporary.path;
    let running: Running[] = [];
    try {
      await writeTask(folder, task, numbersOf(task));
      running = contenders.map((contender) => new Running(contender, folder));
      await Promise.all(running.map(({ ready }) => ready));
      return await body(new Comparison(running));
    } finally {
      await Promise.all(running.map((one) => one.end()));
    }
  }

  /** The first steps: nobody has trained before. */
  async begin(steps: number): Promise<Beginning[]> {
    const beginnings: Beginning[] = [];
    for (const one of this.#running) {
      const { outputs } = await one.measure({ do: 'predict', times: 1, seconds: 0 });
      const { losses } = await one.measure({ do: 'train', times: steps, seconds: 0 });
      beginnings.push({ contender: one.contender, ...(await one.ready), outputs, losses });
    }
    return beginnings;
  }

  /** One after the other in each round, so that what else the machine does hits all of them alike. */
  async measure(rounds: number, seconds: number): Promise<Figures[]> {
    const figures = this.#running.map(({ contender }) => ({
      contender,
      stepsPerSecond: [] as number[],
      stepMs: [] as number[],
      cpuMs: [] as number[],
      inferenceMs: [] as number[],
      peakMb: 0,
    }));
    for (let round = 0; round < rounds; round++) {
      for (const [at, one] of this.#running.entries()) {
        const trained = await one.measure({ do: 'train', times: 3, seconds });
        const predicted = await one.measure({ do: 'predict', times: 3, seconds: seconds / 5 });
        const of = figures[at]!;
        const steps = trained.ms.length;
        of.stepsPerSecond.push((steps * 1_000) / trained.ms.reduce((sum, ms) => sum + ms, 0));
        of.stepMs.push(median(trained.ms));
        of.cpuMs.push(trained.cpuMs / steps);
        of.inferenceMs.push(median(predicted.ms));
        of.peakMb = predicted.peakMb;
      }
    }
    return figures;
  }
}

/** What is not the same network as the first one, in words; with any of it a comparison of speeds means nothing. */
export function disagreements([first, ...others]: readonly Beginning[]): string[] {
  return others.flatMap(({ library, outputs, losses }) => [
    ...differences(`${library}: prediction`, outputs, first!.outputs),
    ...differences(`${library}: loss of step`, losses, first!.losses),
  ]);
}

function differences(what: string, found: readonly number[], expected: readonly number[]): string[] {
  if (found.length !== expected.length) return [`${what}: ${found.length} of them, not ${expected.length}`];
  const at = found.findIndex((value, i) => !(Math.abs(value - expected[i]!) <= TOLERANCE));
  return at === -1 ? [] : [`${what} ${at + 1} is ${found[at]}, not ${expected[at]}`];
}
