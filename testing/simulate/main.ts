import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../quantile.ts';
import { FaultLog } from './fault-cells.ts';
import { Players } from './story-processes.ts';
import type { Outcome } from './story.ts';

const USAGE = `npm run simulate -- [options]
  --seeds N          play N stories (default 100)
  --seed S           begin at this seed; without --seeds: play it twice, and print its story
  --with-patch FILE  apply a unified diff to the code as it is loaded, and stop at the first fault
  --planted          plant each patch of testing/simulate/planted, and say after how many seeds it is found
  --most N           seeds until a planted fault counts as not found (default 2000)
  --tries N          times that each planted fault is looked for, from other seeds (default 5)
  --workers N        processes that play (default 2)`;

/** The stories of one run: faults by seed, what they affected, and the speed. */
class Summary {
  stories = 0;
  events = 0;
  virtualMs = 0;
  readonly faulty: Outcome[] = [];
  readonly hits = new FaultLog();
  readonly #begin = performance.now();

  add(story: Outcome): void {
    this.stories += 1;
    this.events += story.events;
    this.virtualMs += story.virtualMs;
    if (story.faults.length > 0) this.faulty.push(story);
    for (const [fault, kinds] of Object.entries(story.hits))
      for (const [kind, count] of Object.entries(kinds)) this.hits.hit(fault, kind, count);
  }

  get line(): string {
    const seconds = (performance.now() - this.#begin) / 1_000;
    return `${this.stories} stories, ${(this.stories / seconds).toFixed(1)} a second, ${this.faulty.length} with faults`;
  }
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** A progress line that is overwritten on a terminal. */
const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
};

function tellStory({ seed, faults, lines, hash }: Outcome, most = Infinity): void {
  say(`\nseed ${seed}, ${hash}:`);
  for (const fault of faults) say(`  FAULT ${fault}`);
  say(`  the story${lines.length > most ? `, its last ${most} of ${lines.length} lines` : ''}:`);
  for (const line of lines.slice(-most)) say(`  ${line}`);
  say(`  all of it: npm run simulate -- --seed ${seed}`);
}

/** `count` is `undefined` for one story, which is printed line by line. */
async function play(
  first: number,
  count: number | undefined,
  workers: number,
  patch: string | undefined,
): Promise<boolean> {
  const one = count === undefined;
  const players = new Players({ workers, patch, ...(one ? { replayEvery: 1, tellAll: true } : {}) });
  const summary = new Summary();
  let isStopped = false;
  // Prints the results so far if it is interrupted.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (isStopped = true));
  try {
    await players.play(first, count ?? 1, (story) => {
      summary.add(story);
      if (one) tellStory(story);
      else progress(summary.line);
      if (!process.stderr.isTTY && summary.stories % 1_000 === 0) say(summary.line);
      if (story.faults.length > 0) say(`seed ${story.seed}: ${story.faults[0]}`);
      return !isStopped && (patch === undefined || story.faults.length === 0);
    });
  } finally {
    players.close();
  }
  const { faulty } = summary;
  if (!one) {
    progress('');
    for (const story of faulty.slice(0, 3)) tellStory(story, 80);
    if (faulty.length > 0) say(`\nseeds with faults: ${faulty.map(({ seed }) => seed).join(', ')}`);
    say(`\nfaults, by the kind of stream that they hit:\n${summary.hits.table()}`);
    say(
      `\n${summary.events} events on record, ${Math.round(summary.virtualMs / 60_000)} minutes of virtual time`,
    );
  }
  say(`${summary.line}; seeds ${first} to ${first + summary.stories - 1}`);
  return faulty.length === 0;
}

/** Plays each planted fault from several seeds on until it is found. */
async function playPlanted(most: number, tries: number, workers: number): Promise<boolean> {
  const folder = join(import.meta.dirname, 'planted');
  let allFound = true;
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith('.patch'))
    .sort()) {
    const players = new Players({ workers, patch: join(folder, name) });
    const needed: number[] = [];
    let shown = '';
    try {
      for (let each = 0; each < tries; each++) {
        const first = 1 + each * 100_000;
        let found = Infinity;
        await players.play(first, most, (story) => {
          if (story.faults.length > 0 && story.seed - first + 1 < found) {
            found = story.seed - first + 1;
            shown ||= story.faults[0]!;
          }
          return found === Infinity;
        });
        needed.push(found);
      }
    } finally {
      players.close();
    }
    const found = needed.filter((count) => count !== Infinity).length;
    allFound &&= found === tries;
    say(
      `${name}: found ${found} of ${tries} times, median ${median(needed)} seeds (${needed.join(', ')}): ${shown}`,
    );
  }
  return allFound;
}

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    'with-patch': { type: 'string' },
    planted: { type: 'boolean' },
    most: { type: 'string', default: '2000' },
    tries: { type: 'string', default: '5' },
    workers: { type: 'string', default: '2' },
    help: { type: 'boolean' },
  },
});

async function main(): Promise<boolean> {
  const { seeds, seed, most, tries, planted, help } = values;
  const numbers = [seeds ?? '100', seed ?? '1', most, tries, values.workers].map(Number);
  const [count, first, mostSeeds, triesEach, workers] = numbers as [number, number, number, number, number];
  if (help === true || numbers.some((number) => !Number.isSafeInteger(number) || number < 1)) {
    say(USAGE);
    return help === true;
  }
  if (planted === true) return playPlanted(mostSeeds, triesEach, workers);
  const isOne = seed !== undefined && seeds === undefined;
  return play(first, isOne ? undefined : count, workers, values['with-patch']);
}

process.exitCode = (await main()) ? 0 : 1;
