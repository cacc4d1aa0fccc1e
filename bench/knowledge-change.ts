import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { watchInThread } from '../kb/base/look.ts';
import type { KnowledgeIndex } from '../kb/knowledge.ts';
import { buildKnowledge, changeKnowledge, openKnowledge } from '../kb/open.ts';
import type { Source } from '../kb/source.ts';
import { quantile } from '../testing/quantile.ts';
import { enlarge, questionsOn, realSources } from './synthetic-base.ts';

const QUESTIONS = 200;
/** Files of one folder. */
const A_FOLDER = 500;
/** Milliseconds between asks. */
const BETWEEN_MS = 20;

/**
 * `npm run bench -- knowledge-change [--sizes 30000,100000] [--changes 10]`: a base in files, one of which changes at a time while it
 * is searched: how long until the change is found, and what searches take meanwhile. CPU seconds are those of the whole process.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: 'string', default: '30000' },
      changes: { type: 'string', default: '10' },
    },
  });
  for (const size of values.sizes.split(',').map(Number)) await measure(size, Number(values.changes));
}

async function measure(size: number, changes: number): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'beleg-bench-change-'));
  const options = { folder: join(work, 'base'), snapshotDir: join(work, 'index') };
  try {
    const sources = enlarge((await realSources()).sources, size);
    await write(options.folder, sources);
    // What was written a moment ago is read again at each change.
    await pause(3_000);
    const built = await timed(() => openKnowledge(options));
    tell(`${built.value.index.passageCount} passages in ${sources.length} files: built`, built);
    // The folder is watched as a service would watch it.
    const leave = watchInThread(options.folder, { onChange: () => undefined, onFault: console.error });
    const opened = await timed(() => openKnowledge(options));
    tell('opened from its snapshot', opened);
    await built.value.index.close();

    let { index } = opened.value;
    const questions = questionsOn(sources, QUESTIONS);
    // Code that has not run yet is slow.
    for (const question of questions) await index.search(question, { topK: 10 });
    const alone = await searches(
      () => index,
      questions,
      async () => pause(5_000),
    );
    const found: Timed<unknown>[] = [];
    // What has a year is found in the order of years, not by its words alone.
    const changeable = [...sources.keys()].filter((number) => !/(?:19|20)\d{2}/u.test(sources[number]!.id));
    const meanwhile = await searches(
      () => index,
      questions,
      async () => {
        for (let change = 0; change < changes; change++) {
          const number = changeable[(change * 7919) % changeable.length]!;
          const source = sources[number]!;
          const { id } = source;
          const text = `Die Sonderzulage ${word(change)} für ${id} zahlt der Arbeitgeber. ${source.text}`;
          await writeSource(options.folder, number, { ...source, text });
          found.push(
            await timed(async () => {
              const changed = await changeKnowledge(index, options);
              ({ index } = changed ?? (await buildKnowledge(options)));
              const hits = await index.search(`Sonderzulage ${word(change)}`, { topK: 10 });
              if (!hits.some(({ source }) => source.id === id))
                throw new Error(`the change of ${id} is not found`);
            }),
          );
          await pause(200);
        }
      },
    );
    const seconds = found.map((each) => each.seconds);
    const cpu = found.map((each) => each.cpu);
    console.log(
      `a change found after: p50 ${quantile(seconds, 0.5).toFixed(2)} s, most ${Math.max(...seconds).toFixed(2)} s; ` +
        `CPU p50 ${quantile(cpu, 0.5).toFixed(2)} s, searches meanwhile included`,
    );
    for (const [name, { times, longest }] of Object.entries({ alone, meanwhile })) {
      console.log(
        `searches ${name}: ${times.length}, p50 ${quantile(times, 0.5).toFixed(1)}, p95 ${quantile(times, 0.95).toFixed(1)} ms; ` +
          `the event loop was held for ${longest.toFixed(0)} ms at most`,
      );
    }
    leave();
    console.log(`the process has ${(process.memoryUsage.rss() / 2 ** 30).toFixed(2)} GiB\n`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** A word that the base does not have. */
const word = (number: number): string =>
  `Querfeldquote${'abcdefghijklmnopqrstuvwxyz'[number % 26]!.repeat(3)}`;

interface Timed<T> {
  readonly value: T;
  readonly seconds: number;
  readonly cpu: number;
}

async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const started = performance.now();
  const before = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  return { value, seconds: (performance.now() - started) / 1000, cpu: (user + system) / 1e6 };
}

const tell = (what: string, { seconds, cpu }: Timed<unknown>): void =>
  console.log(`${what}: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU`);

/** Searches one after the other while something is done: how long each takes, and the longest turn of the event loop. */
async function searches(
  index: () => KnowledgeIndex,
  questions: readonly string[],
  work: () => Promise<unknown>,
): Promise<{ times: number[]; longest: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const times: number[] = [];
  const done = new AbortController();
  const asking = (async () => {
    for (let i = 0; !done.signal.aborted; i++) {
      const from = performance.now();
      await index().search(questions[i % questions.length]!, { topK: 10 });
      times.push(performance.now() - from);
      await pause(BETWEEN_MS);
    }
  })();
  delay.enable();
  await work();
  delay.disable();
  done.abort();
  await asking;
  return { times, longest: delay.max / 1e6 };
}

/** Writes a base in files with our front matter. */
export async function write(folder: string, sources: readonly Source[]): Promise<void> {
  for (let at = 0; at < sources.length; at += A_FOLDER) {
    await mkdir(join(folder, String(at / A_FOLDER)), { recursive: true });
    const some = sources.slice(at, at + A_FOLDER);
    await Promise.all(some.map((source, i) => writeSource(folder, at + i, source)));
  }
}

/** A file with our front matter. */
async function writeSource(folder: string, number: number, source: Source): Promise<void> {
  const { id, title, section, stand, work, lang, text } = source;
  const fields = { id, title, section, stand, work, lang };
  const matter = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const path = join(folder, String(Math.floor(number / A_FOLDER)), `${number}.md`);
  await writeFile(path, `---\n${matter.join('\n')}\n---\n\n${text}\n`);
}
