import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANSWER_FROM } from '../../kb/answer-thresholds.ts';
import { createExtractiveGenerator } from '../../kb/answer/extractive/generator.ts';
import { passagesFor } from '../../kb/answer/extractive/passages.ts';
import type { Retriever } from '../../kb/answer/ports.ts';
import { askOf } from '../../actors/ask/run-ask.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import type { Hit } from '../../kb/hit.ts';
import { openKnowledge } from '../../kb/open.ts';
import { isOneWord } from '../../kb/ranking/coverage.ts';
import { signVectorOf } from '../../kb/ranking/relevance.ts';
import { SIGNS, type Kind } from '../../kb/ranking/signs.ts';
import { STARTER_BASE } from '../../services/knowledge/settings.ts';
import { isRight } from '../answers/figures.ts';
import { judge } from '../answers/judge.ts';
import { readRows } from '../answers/rows.ts';
import { calibrationError } from '../documents/calibration.ts';
import { answersTogether, answersWhole, type Collection } from '../documents/collection-set.ts';
import { readQuestions, SETS, type EvalSet } from '../eval-sets.ts';
import { dot, fitFacts, heldOut, logistic, type Fact } from './ascent.ts';
import { readNearMisses, readTraining } from './training.ts';

interface Example extends Fact {
  /** The base holds an answer, found or not. */
  readonly covered: boolean;
  /** The first passage that is told has it. Absent where that is the only one. */
  readonly atOnce?: boolean;
}

/** The ridge penalty of each kind of source. `lined` has more examples, so it needs less. */
const RIDGE: Readonly<Record<Kind, number>> = { lined: 0.3, unlined: 1, document: 0.3 };
/** Sets whose golds are whole answers; what they count beside the tuning half. */
const OTHERS: Readonly<Record<string, number>> = {
  xquad: 0.5,
  'statutes-de': 0.5,
  'starter-de': 0.5,
  'starter-en': 0.5,
};
const TOP_K = 8;
/** What a question counts that no passage answers, though it is on a topic of the base. */
const OF_A_MISS = 0.5;

/** Weights of the estimate that an answer answers (`RELEVANCE` in `kb/ranking/weights.ts`): of passages of documents where collections are given. */
export async function fitRelevance(collections: readonly Collection[]): Promise<void> {
  if (collections.length > 0) {
    const ofDocuments: Example[] = [];
    for (const collection of collections) ofDocuments.push(...(await ofCollection(collection)));
    report('document', ofDocuments);
    return;
  }
  const work = await mkdtemp(join(tmpdir(), 'beleg-fit-'));
  try {
    const lined = [...(await ofTuning()), ...(await ofTraining())];
    for (const set of SETS.filter(isStarter)) lined.push(...(await ofSet('lined', set, work)));
    report('lined', lined);
    const unlined: Example[] = [];
    for (const set of SETS)
      if (set.here && !isStarter(set) && set.name in OTHERS)
        unlined.push(...(await ofSet('unlined', set, work)));
    report('unlined', unlined);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const isStarter = ({ name }: EvalSet): boolean => name.startsWith('starter');

function report(kind: Kind, examples: readonly Example[]): void {
  const fit = (some: readonly Example[]): number[] => {
    const weights = fitFacts(some, some[0]!.vector.length, RIDGE[kind]);
    return kind === 'document' ? calibrated(weights, some) : weights;
  };
  const estimates = new Map<string, Estimated[]>();
  for (const { example, weights } of heldOut(examples, fit)) {
    const { set, covered, vector } = example;
    const right = example.atOnce ?? example.right;
    const list = estimates.get(set) ?? [];
    estimates.set(set, list);
    list.push({ estimate: logistic(dot(weights, vector)), right, covered });
  }
  for (const [set, list] of estimates) {
    console.log(
      `${kind} ${set}: ${list.length} held out, area under the curve ${areaUnder(list).toFixed(3)}`,
    );
    for (const from of [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8]) {
      const above = list.filter(({ estimate }) => estimate >= from);
      const answered = (covered: boolean): string =>
        (
          above.filter((each) => each.covered === covered).length /
          list.filter((each) => each.covered === covered).length
        ).toFixed(3);
      const precision = above.filter(({ right }) => right).length / above.length;
      console.log(
        `  from ${from.toFixed(2)}: ${above.length} answered, ${precision.toFixed(3)} of them right; of the covered ${answered(true)}, of the others ${answered(false)}`,
      );
    }
  }
  const answers = [...estimates].flatMap(([collection, list]) =>
    list
      .filter(({ estimate }) => estimate >= ANSWER_FROM[kind])
      .map(({ estimate, right }) => ({ collection, relevance: estimate, right })),
  );
  console.log(`${kind}: ECE of ${answers.length} answers held out ${calibrationError(answers).toFixed(3)}`);
  const weights = fit(examples);
  console.log(`  ${kind}: {`);
  for (const [k, name] of ['bias', ...SIGNS[kind]].entries())
    console.log(`    ${name}: ${weights[k]!.toFixed(2)},`);
  console.log('  },');
}

/**
 * What tells whether an answer has it among several passages also tells best whether the base covers a question; the
 * probability that is told is that of the first of them, by a line through the log odds.
 */
function calibrated(weights: readonly number[], examples: readonly Example[]): number[] {
  const facts = examples.map((example) => ({
    ...example,
    vector: [1, dot(weights, example.vector)],
    right: example.atOnce ?? example.right,
  }));
  const [bias, slope] = fitFacts(facts, 2, 0);
  return weights.map((weight, k) => slope! * weight + (k === 0 ? bias! : 0));
}

interface Estimated {
  readonly estimate: number;
  readonly right: boolean;
  readonly covered: boolean;
}

/** What is fitted on: the hit that is answered from, and whether that is right. */
function factOf(kind: Kind, hits: readonly Hit[], right: boolean): Pick<Example, 'vector' | 'right'>[] {
  const match = hits[0]?.match;
  return match === undefined || match.words.length === 0 || match.kind !== kind
    ? []
    : [{ vector: [1, ...signVectorOf(kind, match)], right }];
}

/**
 * Whether a rule decides, whatever the estimate: one word is asked for by titles, and another year is refused however well
 * the passage fits else, which would teach to doubt passages that fit.
 */
const isDecidedByRule = (index: KnowledgeIndex, question: string, hits: readonly Hit[]): boolean =>
  isOneWord(question) || index.coverage(question, hits).otherYears !== null;

async function ofSet(kind: Kind, set: EvalSet, work: string): Promise<Example[]> {
  const { index } = await openKnowledge({ folder: await set.base(work), snapshotDir: null });
  const facts: Example[] = [];
  for (const { question, expect, gold, article } of await readQuestions(set)) {
    const hits = await index.search(question, { topK: TOP_K });
    if (kind === 'lined' && isDecidedByRule(index, question, hits)) continue;
    const right = expect === 'answered' && gold.includes(hits[0]?.source.id ?? '');
    const covered = expect === 'answered';
    const more = { set: set.name, group: `${set.name} ${article}`, weight: OTHERS[set.name]!, covered };
    facts.push(...factOf(kind, hits, right).map((fact) => ({ ...fact, ...more })));
  }
  return facts;
}

/** Right is what answers when it is read out whole, with what is told beside it; at once where the first passage does. */
async function ofCollection({ name, docs, questions }: Collection): Promise<Example[]> {
  const { index } = await openKnowledge({ folder: docs, snapshotDir: null });
  const facts: Example[] = [];
  for (const question of questions) {
    const hits = await index.search(question.question, { topK: TOP_K });
    const right = answersTogether(
      question,
      passagesFor(question.question, hits).map(({ source }) => source),
    );
    const [first] = hits;
    const atOnce = first !== undefined && answersWhole(question, first.source);
    const more = { set: name, group: name, weight: 1, covered: question.kind === 'covered', atOnce };
    facts.push(...factOf('document', hits, right).map((fact) => ({ ...fact, ...more })));
  }
  return facts;
}

/** Questions that were written for fitting, and what nearly belongs to the topics of the base. */
async function ofTraining(): Promise<Example[]> {
  const { index } = await openKnowledge({ folder: STARTER_BASE, snapshotDir: null });
  const facts: Example[] = [];
  for (const { id, question, topic, expect, best, parts } of await readTraining()) {
    if (parts > 1 && expect === 'answered') continue;
    const hits = await index.search(question, { topK: TOP_K });
    if (isDecidedByRule(index, question, hits)) continue;
    const right = best.includes(hits[0]?.source.id ?? '');
    // What belongs to no topic is like nothing else.
    const group = `training ${topic === 'other' ? id : topic}`;
    const more = { set: 'training', group, weight: 1, covered: expect === 'answered' };
    facts.push(...factOf('lined', hits, right).map((fact) => ({ ...fact, ...more })));
  }
  for (const { question, topic } of await readNearMisses()) {
    const hits = await index.search(question, { topK: TOP_K });
    if (isDecidedByRule(index, question, hits)) continue;
    const more = { set: 'near misses', group: `misses ${topic}`, weight: OF_A_MISS, covered: false };
    facts.push(...factOf('lined', hits, false).map((fact) => ({ ...fact, ...more })));
  }
  return facts;
}

async function ofTuning(): Promise<Example[]> {
  const rows = (await readRows('tuning')) ?? [];
  const { index } = await openKnowledge({ folder: STARTER_BASE, snapshotDir: null });
  const facts: Example[] = [];
  for (const row of rows) {
    if (row.parts > 1 && row.expect === 'answered') continue;
    const hits = await index.search(row.question, { topK: TOP_K });
    if (isDecidedByRule(index, row.question, hits)) continue;
    const given = await answerAnyway(index, row.question);
    const right = isRight(judge(row, { status: 'answered', ...given, relevance: null }));
    const covered = row.expect === 'answered';
    const more = { set: 'tuning', group: `tuning ${row.topic}`, weight: 1, covered };
    facts.push(...factOf('lined', hits, right).map((fact) => ({ ...fact, ...more })));
  }
  return facts;
}

/** What would be answered if nothing were refused. */
async function answerAnyway(
  index: KnowledgeIndex,
  question: string,
): Promise<{ answer: string; citations: string[] }> {
  const retriever: Retriever = {
    ...index,
    coverage: (query, hits) => ({ ...index.coverage(query, hits), covered: true }),
  };
  const output = await askOf(
    { retriever, quoting: createExtractiveGenerator() },
    {
      request_id: '-',
      question,
      mode: 'knowledge',
      top_k: TOP_K,
      model: '-',
      now: () => 0,
      modelUntil: null,
      fallback: false,
    },
  ).run(new AbortController().signal);
  return output.outcome === 'answer' ? output.answer : { answer: '', citations: [] };
}

/** How often a right one is estimated above another one. */
function areaUnder(list: readonly Estimated[]): number {
  const [right, others] = [list.filter((each) => each.right), list.filter((each) => !each.right)];
  const above = right.flatMap((a) =>
    others.map((b) => (a.estimate > b.estimate ? 1 : a.estimate === b.estimate ? 0.5 : 0)),
  );
  return above.reduce((sum: number, each) => sum + each, 0) / above.length;
}
