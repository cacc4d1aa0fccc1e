import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STARTER_BASE } from '../../services/knowledge/settings.ts';
import { openPipeline, type Pipeline, type Response } from '../eval-pipeline.ts';
import { figuresOf, isRight, reliability, riskByCoverage, share, type Share } from './figures.ts';
import { judge, type Judged } from './judge.ts';
import { readRows, type Half, type Row } from './rows.ts';
import { flippedByUnrelated } from './steadiness.ts';

/** Asks one half of the development questions, and prints how good the answers are beside one passage read out whole, with no choice. */
export async function evaluateAnswers(half: Half, workFolder: string): Promise<void> {
  const rows = await readRows(half);
  if (rows === null) {
    console.log(`\n${half}: skipped, bench/questions/dev/${half}.jsonl is not there`);
    return;
  }
  const pipeline = await openPipeline(STARTER_BASE, join(workFolder, `${half}-data`));
  try {
    const { passages, retrieval } = pipeline;
    console.log(`\n${half}: ${rows.length} questions over ${passages} passages, ${retrieval}`);
    const { ours, found, ranked, lines, responses } = await answersTo(rows, pipeline);
    // Nobody may read single answers of the untouched half.
    if (half === 'tuning') await writeFile(join(workFolder, `${half}.jsonl`), lines.join(''));
    print(ours, found, ranked);
    const flipped = await flippedByUnrelated(rows, responses, workFolder);
    if (flipped !== null)
      console.log(`\nanswered otherwise beside 1,000 unrelated passages: ${percent(flipped)}`);
  } finally {
    await pipeline.close();
  }
}

interface Answers {
  readonly ours: readonly Judged[];
  /** The first passage that the search finds, read out whole: what any choice has to beat. It never refuses. */
  readonly found: readonly Judged[];
  /** The same, of our own order. */
  readonly ranked: readonly Judged[];
  /** Rows, answers and judgements, a JSON line each. */
  readonly lines: readonly string[];
  readonly responses: ReadonlyMap<string, Response>;
}

async function answersTo(rows: readonly Row[], pipeline: Pipeline): Promise<Answers> {
  const ours: Judged[] = [];
  const found: Judged[] = [];
  const ranked: Judged[] = [];
  const toldWhole = (row: Row, id = ''): Judged => {
    const source = pipeline.source(id);
    return judge(row, {
      status: source === undefined ? 'refused' : 'answered',
      answer: source?.text ?? '',
      citations: source === undefined ? [] : [id],
      relevance: null,
    });
  };
  const lines: string[] = [];
  const responses = new Map<string, Response>();
  for (const row of rows) {
    const response = await pipeline.ask(row.id, row.question);
    responses.set(row.id, response);
    const { relevance } = response.grounding;
    const judged = judge(row, { ...response, relevance });
    ours.push(judged);
    found.push(toldWhole(row, response.foundFirst));
    ranked.push(toldWhole(row, response.hits[0]));
    const { outcome, offPoint, misleading } = judged;
    const { id, question, topic, may_cite } = row;
    const { answer, citations, hits } = response;
    lines.push(
      `${JSON.stringify({ id, question, topic, outcome, offPoint, misleading, relevance, may_cite, citations, hits, first: ranked.at(-1)!.outcome, answer })}\n`,
    );
  }
  return { ours, found, ranked, lines, responses };
}

const WIDTH = 34;

const printRow = (...cells: readonly string[]): void =>
  console.log(
    cells
      .map((cell) => cell.padEnd(WIDTH))
      .join('')
      .trimEnd(),
  );

function print(ours: readonly Judged[], found: readonly Judged[], ranked: readonly Judged[]): void {
  printRow('', 'ours', 'first passage found, whole', 'first in our order, whole');
  const [of, ...others] = [ours, found, ranked].map(figuresOf);
  for (const [name, figure] of of!)
    printRow(name, ...[figure, ...others.map((figures) => figures.get(name)!)].map(text));
  console.log('\nby style: complete');
  const covered = ours.filter(({ row }) => row.expect === 'answered');
  for (const [style, of] of Map.groupBy(covered, ({ row }) => row.style)) {
    console.log(`  ${style.padEnd(32)}${text(share(of, isRight))}`);
  }
  if (ours.every(({ relevance }) => relevance === null)) return;
  console.log('\nof the answers of highest relevance: complete, misleading nobody');
  for (const { coverage, right } of riskByCoverage(ours)) {
    console.log(`  ${percent(coverage).padEnd(32)}${text(right)}`);
  }
  console.log('\nrelevance: estimated, complete');
  for (const { from, to, estimated, right } of reliability(ours)) {
    console.log(
      `  ${from.toFixed(1)} to ${to.toFixed(1)}  ${percent(estimated).padStart(7)}  ${text(right)}`,
    );
  }
}

const percent = (value: number): string => (Number.isNaN(value) ? '–' : `${(100 * value).toFixed(1)} %`);

const text = ({ value, low, high, count }: Share): string =>
  count === 0 ? '–' : `${percent(value)} (${percent(low)} to ${percent(high)}; ${count})`;
