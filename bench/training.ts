import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { median } from '../testing/quantile.ts';
import { Comparison, disagreements, type Beginning, type Figures } from './training/comparison.ts';
import { contenders } from './training/contender.ts';
import { REFERENCE, taskOf } from './training/reference.ts';

/** Steps that all must agree on. They warm up, too. */
const FIRST_STEPS = 5;

/** How many times as fast as these ours is meant to be, at as many threads. */
const SPEED_AIMS = { torch: 1, 'jax-js': 3, tfjs: 15 } as const;
const INFERENCE_AIM_MS = 10;
const MEMORY_AIM_MB = 350;

/**
 * `npm run bench -- training [--rounds 5] [--seconds 2.5] [--threads 1,3]`: a step of training and the inference of a
 * batch by the reference network, beside TensorFlow.js, jax-js and, where it is installed, PyTorch. First all must
 * find the same losses.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2.5' },
      threads: { type: 'string', default: `1,${Math.max(1, availableParallelism() - 1)}` },
    },
  });
  const threads = [...new Set(values.threads.split(',').map(Number))];
  const { found, missing } = contenders(threads);
  const task = taskOf(REFERENCE, { batch_size: 32, batches: 16 });
  console.log(`${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(2)} before`);
  for (const name of missing) console.log(`not installed, so not compared: ${name}`);

  await Comparison.of(task, found, async (comparison) => {
    const beginnings = await comparison.begin(FIRST_STEPS);
    tellBeginnings(beginnings);
    const differences = disagreements(beginnings);
    if (differences.length > 0) {
      console.error(`\nVOID: these are not the same network.\n  ${differences.join('\n  ')}`);
      process.exitCode = 1;
      return;
    }
    const figures = await comparison.measure(Number(values.rounds), Number(values.seconds));
    tellFigures(figures);
    tellAims(figures);
  });
}

function tellBeginnings(beginnings: readonly Beginning[]): void {
  console.log(`\nLosses of the first ${FIRST_STEPS} steps, from the same parameters and data`);
  for (const { library, contender, losses } of beginnings) {
    const name = `${library}, ${plural(contender.threads)}`;
    console.log(`  ${name.padEnd(44)} ${losses.map((loss) => loss.toFixed(6)).join('  ')}`);
  }
  for (const { library, remark } of beginnings) {
    if (remark !== null) console.log(`${library}: ${remark}`);
  }
}

function tellFigures(figures: readonly Figures[]): void {
  console.log('\nMedians of rounds in turn');
  console.table(
    figures.map(({ contender, stepsPerSecond, stepMs, cpuMs, inferenceMs, peakMb }) => ({
      what: contender.name,
      threads: contender.threads,
      'steps/s': median(stepsPerSecond).toFixed(1),
      'ms/step': median(stepMs).toFixed(1),
      'CPU ms/step': median(cpuMs).toFixed(1),
      'inference ms': median(inferenceMs).toFixed(1),
      'peak MB': peakMb.toFixed(0),
    })),
  );
}

function tellAims(figures: readonly Figures[]): void {
  console.log('Aims');
  const ours = (threads: number) =>
    figures.find(({ contender }) => contender.name === 'beleg' && contender.threads === threads);
  for (const { contender, stepsPerSecond } of figures) {
    const base = ours(contender.threads);
    if (contender.name === 'beleg' || base === undefined) continue;
    // Round by round: what slowed a round down slowed both.
    const ratio = median(stepsPerSecond.map((rate, round) => base.stepsPerSecond[round]! / rate));
    const aim = SPEED_AIMS[contender.name];
    const what = `as fast as ${contender.name}, ${plural(contender.threads)}`;
    tellAim(what, `${ratio.toFixed(2)} ×`, `at least ${aim} ×`, ratio >= aim);
  }
  for (const { contender, inferenceMs, peakMb } of figures) {
    if (contender.name !== 'beleg') continue;
    const of = plural(contender.threads);
    const ms = median(inferenceMs);
    tellAim(
      `inference of a batch, ${of}`,
      `${ms.toFixed(1)} ms`,
      `at most ${INFERENCE_AIM_MS} ms`,
      ms <= INFERENCE_AIM_MS,
    );
    tellAim(
      `memory at its peak, ${of}`,
      `${peakMb.toFixed(0)} MB`,
      `at most ${MEMORY_AIM_MB} MB`,
      peakMb <= MEMORY_AIM_MB,
    );
  }
}

function tellAim(what: string, found: string, aim: string, met: boolean): void {
  console.log(`  ${what.padEnd(36)} ${found.padStart(9)}   aim: ${aim.padEnd(16)} ${met ? 'met' : 'MISSED'}`);
}

const plural = (threads: number): string => `${threads} ${threads === 1 ? 'thread' : 'threads'}`;
