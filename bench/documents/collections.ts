// `npm run eval:collections -- FOLDER …`: documents that others wrote, asked as people ask. Beside each figure stands the simplest thing
// that could do it: the first passage that the search finds, read out whole.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openPipeline, type Pipeline, type Response } from '../eval-pipeline.ts';
import { calibratedOnOthers, calibrationError, fitLine, type Estimated } from './calibration.ts';
import { answersAtOnce, passagesTold, wordsTold } from './told.ts';
import {
  answersWhole,
  holdsKey,
  isOfFile,
  readCollections,
  type Collection,
  type CollectionQuestion,
} from './collection-set.ts';

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

interface Judged {
  readonly question: CollectionQuestion;
  readonly response: Response;
  readonly right: boolean;
  /** Right, and no passage without anything of the answer is told before it. */
  readonly atOnce: boolean;
  readonly words: { readonly all: number; readonly ofTheAnswer: number };
  readonly firstRight: boolean;
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' } },
});

const all: Judged[][] = [];
for (const collection of await readCollections(positionals)) all.push(await evaluate(collection));
if (all.length > 1) {
  console.log(line('mean', meanOf(all.map(figuresOf))));
  tellCalibration(all);
}
if (options.out !== undefined)
  await writeFile(
    options.out,
    all.flatMap((judged) => judged.map((each) => `${JSON.stringify(each)}\n`)).join(''),
  );

async function evaluate({ name, docs, questions }: Collection): Promise<Judged[]> {
  const work = await mkdtemp(join(tmpdir(), 'beleg-collection-'));
  const pipeline = await openPipeline(docs, work);
  try {
    const judged: Judged[] = [];
    for (const question of questions) judged.push(await ask(pipeline, question));
    console.log(line(name, figuresOf(judged)));
    return judged;
  } finally {
    await pipeline.close();
    await rm(work, { recursive: true, force: true });
  }
}

async function ask(pipeline: Pipeline, question: CollectionQuestion): Promise<Judged> {
  const response = await pipeline.ask(question.id, question.question);
  const cited = response.citations.map((id) => pipeline.source(id));
  const first = response.foundFirst === undefined ? undefined : pipeline.source(response.foundFirst);
  const headings = cited.map((source) => `${source?.section} › ${source?.title}`).join(' ');
  const whole = `${headings} ${response.answer.replaceAll(/ ?\[[\w.-]+\]/gu, '')}`;
  const right = cited.some((source) => isOfFile(question, source)) && holdsKey(question, whole);
  const told = passagesTold(response.answer, response.citations);
  const headingsOf = (id: string): string => {
    const source = pipeline.source(id);
    return `${source?.section} › ${source?.title}`;
  };
  return {
    question,
    response,
    right,
    atOnce: right && answersAtOnce(question, told, headingsOf),
    words: wordsTold(question, told),
    firstRight: first !== undefined && answersWhole(question, first),
  };
}

/** How well `grounding.relevance` is calibrated, as it is told and as the other collections alone would have it told. */
function tellCalibration(collections: readonly (readonly Judged[])[]): void {
  const answers = collections.flatMap((judged, k) =>
    judged.flatMap(({ response: { status, grounding }, atOnce }): Estimated[] =>
      status === 'refused' || grounding.relevance === null
        ? []
        : [{ collection: String(k), relevance: grounding.relevance, right: atOnce }],
    ),
  );
  const others = calibratedOnOthers(answers);
  for (const [name, estimates] of Object.entries({ 'as told': answers, 'left out': others })) {
    const sure = estimates.filter(({ relevance }) => relevance >= 0.8);
    const right = sure.filter((each) => each.right).length;
    console.log(
      `relevance ${name}: ECE ${calibrationError(estimates).toFixed(3)}; at .8: ${percent(sure.length / estimates.length)} of the answers, ${percent(right / Math.max(1, sure.length))} right`,
    );
  }
  const [bias, slope] = fitLine(answers);
  console.log(`the line through all of them: bias ${bias!.toFixed(2)}, slope ${slope!.toFixed(2)}`);
}

interface Figures {
  readonly covered: number;
  readonly uncovered: number;
  readonly right: number;
  readonly atOnce: number;
  readonly firstRight: number;
  /** Words of an answer, and the share of them that passages with something of the answer have. */
  readonly words: number;
  readonly ofTheAnswer: number;
  readonly wrong: number;
  readonly refused: number;
  readonly refusedRightly: number;
  /** Answers with a relevance of 0.8 or more. */
  readonly sure: number;
  readonly sureRight: number;
}

function figuresOf(judged: readonly Judged[]): Figures {
  const covered = judged.filter(({ question }) => question.kind === 'covered');
  const uncovered = judged.filter(({ question }) => question.kind === 'uncovered');
  const share = (of: readonly Judged[], is: (each: Judged) => boolean): number =>
    of.length === 0 ? 0 : of.filter(is).length / of.length;
  const refused = ({ response }: Judged): boolean => response.refused || response.status === 'refused';
  const answered = judged.filter((each) => !refused(each));
  const told = covered.filter((each) => !refused(each)).map(({ words }) => words);
  const sum = (of: 'all' | 'ofTheAnswer'): number => told.reduce((all, words) => all + words[of], 0);
  const isSure = ({ response }: Judged): boolean => (response.grounding.relevance ?? 0) >= 0.8;
  return {
    covered: covered.length,
    uncovered: uncovered.length,
    right: share(covered, ({ right }) => right),
    atOnce: share(covered, ({ atOnce }) => atOnce),
    words: sum('all') / Math.max(1, told.length),
    ofTheAnswer: sum('ofTheAnswer') / Math.max(1, sum('all')),
    firstRight: share(covered, ({ firstRight }) => firstRight),
    wrong: share(covered, (each) => !refused(each) && !each.right),
    refused: share(covered, refused),
    refusedRightly: share(uncovered, refused),
    sure: share(answered, isSure),
    sureRight: share(answered.filter(isSure), ({ atOnce }) => atOnce),
  };
}

function meanOf(all: readonly Figures[]): Figures {
  const names = Object.keys(all[0]!) as (keyof Figures)[];
  const mean = (name: keyof Figures): number => all.reduce((sum, each) => sum + each[name], 0) / all.length;
  return Object.fromEntries(names.map((name) => [name, mean(name)])) as unknown as Figures;
}

function line(name: string, figures: Figures): string {
  return [
    name.padEnd(24),
    `right at once ${percent(figures.atOnce)} (first passage whole ${percent(figures.firstRight)})`,
    `right behind something else ${percent(figures.right - figures.atOnce)}`,
    `not right ${percent(figures.wrong)}`,
    `refused though covered ${percent(figures.refused)}`,
    `uncovered refused ${percent(figures.refusedRightly)}`,
    `${figures.words.toFixed(0)} words told, ${percent(figures.ofTheAnswer)} of them of the answer`,
    `at relevance .8: ${percent(figures.sure)} of the answers, ${percent(figures.sureRight)} right`,
    `of ${figures.covered.toFixed(0)} + ${figures.uncovered.toFixed(0)}`,
  ].join(' · ');
}
