// `npm run eval`: question sets through the real pipeline, our own and those beside the project, and what the scorer
// beside them says.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { evaluateAnswers } from './answers/answers.ts';
import { HALVES } from './answers/rows.ts';
import { measure, type Measures } from './eval-measure.ts';
import { openPipeline, type Pipeline, type Response } from './eval-pipeline.ts';
import { HELD_OUT_SETS, readQuestions, SCORER, SETS, type EvalSet, type Question } from './eval-sets.ts';
import { VARIANTS } from './eval-variants.ts';
import type { Environment } from '../services/foundation/settings-error.ts';

const WORK = resolve('data', 'eval');

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', multiple: true },
    limit: { type: 'string' },
    robustness: { type: 'boolean', default: false },
    /** Folder of an embedding model: retrieval with its dense leg. */
    embedding: { type: 'string' },
  },
});

/** Asked as well where `PV_MODEL_URL` and `PV_MODEL_NAME` are set. */
const MODEL_SERVER =
  process.env['PV_MODEL_URL'] === undefined
    ? null
    : Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('PV_MODEL_')));

await main();

async function main(): Promise<void> {
  // What is held out only by name: each time that it is scored counts.
  const named = [...SETS, ...HELD_OUT_SETS].filter(({ name }) => options.set?.includes(name));
  const sets = options.set === undefined ? SETS : named;
  const halves = HALVES.filter((name) => options.set?.includes(name) ?? name === 'tuning');
  if (sets.length + halves.length === 0) {
    throw new Error(
      `no such set; there are ${[...[...SETS, ...HELD_OUT_SETS].map(({ name }) => name), ...HALVES].join(', ')}`,
    );
  }
  await rm(WORK, { recursive: true, force: true });
  await mkdir(WORK, { recursive: true });
  for (const set of sets) {
    if (set.here) await evaluate(set);
    else console.log(`\n${set.name}: skipped, its data is not beside the project (../shared)`);
  }
  for (const half of halves) await evaluateAnswers(half, WORK);
}

async function evaluate(set: EvalSet): Promise<void> {
  const questions = (await readQuestions(set)).slice(
    0,
    options.limit === undefined ? undefined : Number(options.limit),
  );
  const base = await set.base(WORK);
  const embedding = { PV_EMBEDDING_MODEL: options.embedding };
  const pipeline = await openPipeline(base, join(WORK, `${set.name}-data`), embedding);
  let quoted: Measures;
  try {
    const { passages, retrieval, indexMs } = pipeline;
    console.log(`\n${set.name}: ${passages} passages indexed in ${Math.round(indexMs)} ms, ${retrieval}`);
    const first = await askAll(pipeline, questions);
    const file = join(WORK, `${set.name}.jsonl`);
    await writeFile(file, [...first.values()].map((response) => `${JSON.stringify(response)}\n`).join(''));
    score(set, file, base);
    const plain = (quoted = measure(questions, first));
    if (!options.robustness) console.log(line('', plain).trim());
    console.log(`sentences quoted in an answer ${plain.sentences.toFixed(2)}`);
    const second = await askAll(pipeline, questions);
    const same = questions.filter(({ id }) => sameAnswer(first.get(id)!, second.get(id)!)).length;
    console.log(`the same answer when asked again ${same}/${questions.length}`);
    if (options.robustness) await robustness(pipeline, questions, plain);
  } finally {
    await pipeline.close();
  }
  if (MODEL_SERVER !== null)
    await evaluateModel(set, questions, base, { ...embedding, ...MODEL_SERVER }, quoted);
}

/** The same questions, answers written by the language model, beside the figures of quoting. */
async function evaluateModel(
  set: EvalSet,
  questions: readonly Question[],
  base: string,
  environment: Environment,
  quoted: Measures,
): Promise<void> {
  const pipeline = await openPipeline(base, join(WORK, `${set.name}-model-data`), environment);
  try {
    console.log(`\n${set.name}, written by ${environment['PV_MODEL_NAME']}`);
    const responses = await askAll(pipeline, questions);
    const file = join(WORK, `${set.name}-model.jsonl`);
    await writeFile(
      file,
      [...responses.values()].map((response) => `${JSON.stringify(response)}\n`).join(''),
    );
    score(set, file, base);
    console.log(line('extractive', quoted));
    console.log(line(environment['PV_MODEL_NAME']!, measure(questions, responses), quoted));
  } finally {
    await pipeline.close();
  }
}

async function askAll(
  pipeline: Pipeline,
  questions: readonly Question[],
  reword: (question: string) => string = (question) => question,
): Promise<Map<string, Response>> {
  const responses = new Map<string, Response>();
  for (const { id, question } of questions) responses.set(id, await pipeline.ask(id, reword(question)));
  return responses;
}

function score(set: EvalSet, file: string, base: string): void {
  if (!existsSync(SCORER)) return;
  const kb = set.flat ? ['--kb', base] : [];
  const run = spawnSync('python3', [SCORER, set.questions, file, ...kb], { encoding: 'utf8' });
  if (run.error !== undefined) console.log('python3 is not there: the scorer was not run');
  else console.log(run.status === 0 ? run.stdout.trimEnd() : run.stderr);
}

function sameAnswer(a: Response, b: Response): boolean {
  const fixed = { request_id: '', latency_ms: 0 };
  return JSON.stringify({ ...a, ...fixed }) === JSON.stringify({ ...b, ...fixed });
}

async function robustness(
  pipeline: Pipeline,
  questions: readonly Question[],
  plain: Measures,
): Promise<void> {
  console.log(line('as asked', plain));
  for (const { name, apply } of VARIANTS) {
    console.log(line(name, measure(questions, await askAll(pipeline, questions, apply)), plain));
  }
}

/** Figures, with what they lost in brackets. */
function line(name: string, now: Measures, before?: Measures): string {
  const cell = (label: string, key: keyof Measures): string => {
    if (Number.isNaN(now[key])) return '';
    const drop = before === undefined ? '' : ` (${(now[key] - before[key]).toFixed(3)})`;
    return `${label} ${now[key].toFixed(3)}${drop}`;
  };
  return [
    name.padEnd(25),
    cell('hit@1', 'hitAt1'),
    cell('hit@10', 'hitAt10'),
    cell('answered', 'answered'),
    cell('refused', 'refused'),
    cell('gold cited', 'goldCited'),
    cell('gold in answer', 'goldInAnswer'),
  ]
    .filter((text) => text !== '')
    .join('  ');
}
