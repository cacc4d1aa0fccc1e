import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import MiniSearch from 'minisearch';

import { buildIndex, type IndexData } from '../kb/index/build.ts';
import { buildInThreads } from '../kb/index/build-in-threads.ts';
import { LexicalIndex } from '../kb/index/lexical-index.ts';
import type { Source } from '../kb/source.ts';
import { enlarge, questionsOn, realSources, starterSources } from './synthetic-base.ts';
import { quantile } from '../testing/quantile.ts';

export interface RetrievalRow {
  readonly engine: 'beleg' | 'minisearch' | 'sqlite fts5';
  readonly passages: number;
  readonly indexMs: number;
  /** The same in milliseconds of the processor, of all threads, which other programs do not lengthen. */
  readonly indexCpuMs: number;
  /** Milliseconds a search, the best ten. */
  readonly p50: number;
  readonly p95: number;
  /** Memory of the index in MiB, without the texts. */
  readonly memoryMb: number;
}

export interface RetrievalBench {
  /** What the passages are made of. */
  readonly base: string;
  readonly rows: readonly RetrievalRow[];
}

interface Engine {
  readonly name: RetrievalRow['engine'];
  /** `ownMb` where the index lies outside of what Node counts. */
  build(passages: readonly Passage[], data: IndexData): Built | Promise<Built>;
}

interface Built {
  search(question: string): unknown;
  readonly ownMb?: number;
}

interface Passage {
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

const QUESTIONS = 200;
const WARM_UP = 30;

/**
 * Index time, search time and memory side by side on the same chunks, in one process, one engine after the other.
 * minisearch and FTS5 run as they come (their own tokens, any word may match): they search words alone, where Beleg
 * searches words, parts of compounds and 4-grams.
 *
 * @param starter takes the starter base, whose passages have some seventy lines of questions that Beleg searches too
 */
export async function benchRetrieval(
  { sizes, starter = false }: { readonly sizes: readonly number[]; readonly starter?: boolean },
  onRow?: (row: RetrievalRow) => void,
): Promise<RetrievalBench> {
  const { name, sources } = starter ? await starterSources() : await realSources();
  const rows: RetrievalRow[] = [];
  for (const size of sizes) {
    const base = enlarge(sources, size);
    const questions = questionsOn(base, QUESTIONS + WARM_UP);
    for await (const row of compare(base, questions)) {
      rows.push(row);
      onRow?.(row);
    }
  }
  return { base: name, rows };
}

async function* compare(
  sources: readonly Source[],
  questions: readonly string[],
): AsyncGenerator<RetrievalRow> {
  const data = buildIndex(sources);
  const passages = [...data.owners].map((owner, id) => {
    const { title, text } = sources[owner]!;
    return { id, title, text: text.slice(data.starts[id], data.ends[id]) };
  });
  for (const engine of [beleg(sources), minisearch, fts5]) {
    const before = memoryMb();
    const started = performance.now();
    const startedCpu = process.cpuUsage();
    const index = await engine.build(passages, data);
    const { user, system } = process.cpuUsage(startedCpu);
    const indexMs = performance.now() - started;
    const memory = index.ownMb ?? memoryMb() - before;
    for (const question of questions.slice(0, WARM_UP)) index.search(question);
    const times = questions.slice(WARM_UP).map((question) => {
      const from = performance.now();
      index.search(question);
      return performance.now() - from;
    });
    yield {
      engine: engine.name,
      passages: passages.length,
      indexMs,
      indexCpuMs: (user + system) / 1000,
      p50: quantile(times, 0.5),
      p95: quantile(times, 0.95),
      memoryMb: memory,
    };
  }
}

function beleg(sources: readonly Source[]): Engine {
  return {
    name: 'beleg',
    async build() {
      const index = new LexicalIndex(await buildInThreads(sources, []));
      return { search: (question) => index.search(question, { topK: 10 }) };
    },
  };
}

const minisearch: Engine = {
  name: 'minisearch',
  build(passages) {
    const index = new MiniSearch<Passage>({ fields: ['title', 'text'] });
    index.addAll(passages);
    return { search: (question) => index.search(question).slice(0, 10) };
  },
};

const fts5: Engine = {
  name: 'sqlite fts5',
  build(passages) {
    const database = new DatabaseSync(':memory:');
    database.exec(`create virtual table passages using fts5 (title, text, content='')`);
    const insert = database.prepare('insert into passages (rowid, title, text) values (?, ?, ?)');
    database.exec('begin');
    for (const { id, title, text } of passages) insert.run(id + 1, title, text);
    database.exec('commit');
    const select = database.prepare(
      'select rowid from passages where passages match ? order by rank limit 10',
    );
    const pragma = (name: string): number =>
      Number(Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0]);
    return {
      search: (question) => select.all(anyWord(question)),
      ownMb: (pragma('page_count') * pragma('page_size')) / 2 ** 20,
    };
  },
};

function anyWord(question: string): string {
  return (question.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`).join(' OR ');
}

/** Heap and array buffers after a collection, in MiB. */
function memoryMb(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Twice, because arrays that the first collection finds are given back only afterwards.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}
