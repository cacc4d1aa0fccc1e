import { besideVectorOf } from '../../kb/answer/extractive/beside.ts';
import { BESIDE_SIGNS } from '../../kb/answer/extractive/signs.ts';
import { candidatesBeside } from '../../kb/answer/extractive/passages.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { openKnowledge } from '../../kb/open.ts';
import { STARTER_BASE } from '../../services/knowledge/settings.ts';
import { readRows } from '../answers/rows.ts';
import { dot, fitFacts, heldOut, logistic, type Fact } from './ascent.ts';
import { readTraining } from './training.ts';

const RIDGE = 5;
const TOP_K = 8;

interface Asked {
  readonly set: string;
  readonly question: string;
  readonly topic: string;
  /** Sources that belong into an answer. */
  readonly right: readonly string[];
}

/** Weights of what is told beside the likeliest passage (`kb/answer/extractive/weights.ts`). */
export async function fitBeside(): Promise<void> {
  const { index } = await openKnowledge({ folder: STARTER_BASE, snapshotDir: null });
  const asked: Asked[] = [];
  for (const { question, topic, expect, may_cite } of (await readRows('tuning')) ?? [])
    if (expect === 'answered') asked.push({ set: 'tuning', question, topic, right: may_cite });
  for (const { question, topic, expect, best, also } of await readTraining())
    if (expect === 'answered') asked.push({ set: 'training', question, topic, right: [...best, ...also] });
  const facts: Fact[] = [];
  for (const each of asked) facts.push(...(await factsOf(index, each)));

  const estimated = [...heldOut(facts, fit)].map(({ example, weights }) => ({
    ...example,
    estimate: logistic(dot(weights, example.vector)),
  }));
  for (const [set, of] of Map.groupBy(estimated, (each) => each.set)) {
    console.log(`${set}: ${of.length} held out, ${of.filter(({ right }) => right).length} right`);
    for (const from of [0.35, 0.4, 0.45, 0.5, 0.55]) {
      const told = of.filter(({ estimate }) => estimate >= from);
      console.log(
        `  from ${from.toFixed(2)}: ${told.length} told, ${told.filter(({ right }) => right).length} right`,
      );
    }
  }
  const weights = fit(facts);
  for (const [k, name] of ['bias', ...BESIDE_SIGNS].entries())
    console.log(`  ${name}: ${weights[k]!.toFixed(2)},`);
}

const fit = (some: readonly Fact[]): number[] => fitFacts(some, 1 + BESIDE_SIGNS.length, RIDGE);

async function factsOf(index: KnowledgeIndex, { set, question, topic, right }: Asked): Promise<Fact[]> {
  const hits = await index.search(question, { topK: TOP_K });
  if (hits.length === 0) return [];
  const { first, others } = candidatesBeside(question, hits);
  return others.map((other, place) => ({
    set,
    group: `${set} ${topic}`,
    vector: [1, ...besideVectorOf(question, other, first, place)],
    right: right.includes(other.source.id),
    weight: 1,
  }));
}
