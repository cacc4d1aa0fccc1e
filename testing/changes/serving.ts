import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { seeded } from '../../events/seeded.ts';
import { Client, Workspace } from '../processes/application.suite.ts';
import { BelegProcess } from '../processes/process.suite.ts';
import { quantile } from '../quantile.ts';
import { allowancesIn, ChangingFolder, keyOf, questionAbout } from './changing-folder.ts';

const CLIENTS = 4;
/** Changes rest so long now and then that they are merged into the snapshot, which is done within 100 s of the last one. */
const REST_MS = 100_000;
const REST_EVERY_MS = 300_000;
/** Milliseconds within which a change must be in service; a build of many files in a worker takes longest. */
const IN_SERVICE_MS = 60_000;
const LOOK_MS = 10;
const SAMPLE_MS = 5_000;
/** Most often one file changes; sometimes some, sometimes so many that a worker builds anew. */
const BURSTS = [1, 1, 1, 1, 1, 1, 1, 3, 20, 250];
/** The file that is written last in each burst, whose text shows that the burst is in service. */
const LAST = { name: 'Xleuchtfeuer', id: 'Z-LAST' };

export interface ServingReport {
  readonly minutes: number;
  readonly changes: number;
  readonly bursts: number;
  readonly asks: number;
  readonly answered: number;
  /** Milliseconds of asks that began while nothing changed, and of those that began while a change of one file was taken in. */
  readonly alone: Spread;
  readonly meanwhile: Spread;
  /** Milliseconds from the write of one file until it was in service; and of many files. */
  readonly oneInService: Spread;
  readonly manyInService: Spread;
  /** MiB of the process, for each tenth of the time, the median. */
  readonly memory: readonly number[];
  readonly faults: readonly string[];
}

interface Spread {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly most: number;
}

const spread = (values: readonly number[]): Spread => ({
  count: values.length,
  p50: Math.round(quantile(values, 0.5)),
  p95: Math.round(quantile(values, 0.95)),
  most: Math.round(Math.max(0, ...values)),
});

interface Span {
  readonly from: number;
  readonly to: number;
}

const timesOf = (spans: readonly Span[]): number[] => spans.map(({ from, to }) => to - from);

interface ServingOptions {
  readonly minutes: number;
  readonly seed: number;
  /** Milliseconds between two asks of a client. */
  readonly thinkMs?: number;
  /** Milliseconds in which clients ask while nothing changes yet. */
  readonly aloneMs?: number;
  /** How many files change. */
  readonly files?: number;
  readonly bursts?: readonly number[];
  /** Writes more files, which stay as they are, and gives questions about them. */
  readonly fill?: (folder: string) => Promise<readonly string[]>;
  readonly tell?: (line: string) => void;
}

/**
 * Runs `beleg serve` over a base whose files change at random while clients ask. No ask may fail, and no answer may tell what was
 * gone from the index in service when it was asked.
 */
export async function runServing(options: ServingOptions): Promise<ServingReport> {
  const { minutes, thinkMs = 100, aloneMs = 10_000, files = 400, bursts = BURSTS, fill, tell } = options;
  const random = seeded(options.seed);
  const workspace = await Workspace.create();
  const over = new AbortController();
  const faults: string[] = [];
  /** When each state of an allowance that files no longer tell was gone from the index in service. */
  const gone = new Map<string, number>();
  const asks: Span[] = [];
  const taken: (Span & { readonly changes: number })[] = [];
  const memory: number[] = [];
  let answered = 0;
  let server: BelegProcess | undefined;
  try {
    const questions = (await fill?.(workspace.kb)) ?? [];
    const folder = await ChangingFolder.create({
      folder: join(workspace.kb, 'changing'),
      random,
      files,
      kinds: ['add', 'edit', 'rename', 'remove', 'break', 'mend', 'touch'],
    });
    const writeLast = (count: number): Promise<void> =>
      writeFile(
        join(workspace.kb, 'last.md'),
        `---\nid: ${LAST.id}\ntitle: ${LAST.name}\nsection: ""\nstand: 2021-07\nwork: Tarif\nlang: de\n---\n\nDie Zulage ${LAST.name} beträgt ${count} Euro im Monat.\n`,
      );
    await writeLast(0);
    server = new BelegProcess(
      ['serve'],
      workspace.environment({ PV_KB_WATCH: 'true', LOG_LEVEL: 'fatal', TD_STRATEGY: 'none' }),
    );
    const { pid } = server;
    const client = new Client(await server.listening);
    tell?.('it listens');

    async function runClient(own: () => number): Promise<void> {
      while (!over.signal.aborted) {
        const ofFill = questions.length > 0 && own() < 0.8;
        const { allowances } = folder;
        const question = ofFill
          ? questions[Math.floor(own() * questions.length)]!
          : questionAbout(allowances[Math.floor(own() * allowances.length)]!.name);
        const from = performance.now();
        try {
          const { status, body } = await client.ask(question);
          asks.push({ from, to: performance.now() });
          if (status !== 200) faults.push(`an ask got ${status} ${JSON.stringify(body)}`);
          else {
            answered += Number(body.status === 'answered');
            for (const key of allowancesIn(body.answer).map(keyOf))
              if ((gone.get(key) ?? Infinity) < from) faults.push(`${key} is told, and was gone`);
          }
        } catch (error) {
          faults.push(`an ask failed: ${String(error)}`);
        }
        await pause(own() * 2 * thinkMs);
      }
    }

    /** Resolves when the last file's text is in service, or with `false` when it is not in time, which is a fault. */
    async function isInService(count: number): Promise<boolean> {
      const until = performance.now() + IN_SERVICE_MS;
      while (performance.now() < until) {
        const { body } = await client.get<{ text?: string }>(`/v1/sources/${LAST.id}`);
        if (body.text?.includes(` ${count} Euro`) === true) return true;
        await pause(LOOK_MS);
      }
      faults.push(`change ${count} was not in service after ${IN_SERVICE_MS / 1000} s`);
      return false;
    }

    async function change(until: number): Promise<void> {
      let rested = performance.now();
      /** The states that the index in service may tell: more than one of each file while changes are not in service. */
      let mayBeTold = new Set(folder.allowances.map(keyOf));
      for (let count = 1; performance.now() < until; count++) {
        const changes = bursts[Math.floor(random() * bursts.length)]!;
        for (let n = 1; n < changes; n++) await folder.change();
        const told = new Set(folder.allowances.filter((file) => !file.isBroken).map(keyOf));
        for (const key of told) {
          gone.delete(key);
          mayBeTold.add(key);
        }
        await writeLast(count);
        const from = performance.now();
        const isTaken = await isInService(count);
        const to = performance.now();
        taken.push({ from, to, changes });
        if (isTaken) {
          for (const key of mayBeTold) if (!told.has(key)) gone.set(key, to);
          mayBeTold = told;
        }
        await pause(random() * 2_000);
        if (performance.now() - rested < REST_EVERY_MS) continue;
        await pause(Math.min(REST_MS, Math.max(0, until - performance.now())));
        rested = performance.now();
      }
    }

    const sampling = (async () => {
      while (!over.signal.aborted) {
        memory.push(await residentOf(pid));
        await pause(SAMPLE_MS, undefined, { signal: over.signal }).catch(() => undefined);
      }
    })();
    const clients = Array.from({ length: CLIENTS }, (_, n) => runClient(seeded(options.seed + n)));
    await pause(aloneMs);
    await change(performance.now() + minutes * 60_000);
    over.abort();
    await Promise.all([...clients, sampling]);
    const code = await server.stop();
    if (code !== 0) faults.push(`the process stopped with ${code}`);
  } finally {
    over.abort();
    await server?.kill();
    await workspace.remove();
  }
  const ones = taken.filter(({ changes }) => changes === 1);
  // By its beginning: by its whole length, long asks would be more often beside a change, whatever made them long.
  const beganIn = (ask: Span, spans: readonly Span[]): boolean =>
    spans.some(({ from, to }) => from <= ask.from && ask.from < to);
  return {
    minutes,
    changes: taken.reduce((sum, { changes }) => sum + changes, 0),
    bursts: taken.length,
    asks: asks.length,
    answered,
    alone: spread(timesOf(asks.filter((ask) => !beganIn(ask, taken)))),
    meanwhile: spread(timesOf(asks.filter((ask) => beganIn(ask, ones)))),
    oneInService: spread(timesOf(ones)),
    manyInService: spread(timesOf(taken.filter(({ changes }) => changes > 1))),
    memory: tenthsOf(memory).map((tenth) => Math.round(quantile(tenth, 0.5))),
    faults,
  };
}

/** MiB of memory that a process has. */
async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(?<kib>\d+)/mu.exec(status)?.groups?.['kib'] ?? Number.NaN) / 1024;
}

const tenthsOf = (values: readonly number[]): number[][] =>
  Array.from({ length: 10 }, (_, n) =>
    values.slice((n * values.length) / 10, ((n + 1) * values.length) / 10),
  ).filter((tenth) => tenth.length > 0);
