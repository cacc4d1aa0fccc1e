import { describeSentences } from '../../kb/answer/extractive/rank.ts';
import { FEATURES } from '../../kb/answer/extractive/signs.ts';
import { openKnowledge } from '../../kb/open.ts';
import { holdsOneOf } from '../eval-measure.ts';
import { readQuestions, SETS } from '../eval-sets.ts';
import { dot, fitChoice, heldOut, type Choice } from './ascent.ts';

const RIDGE = 1;

/** Weights of the deciding sentence (`kb/answer/extractive/weights.ts`). */
export async function fitSentences(): Promise<void> {
  const examples = [...(await examplesOf('xquad')), ...(await examplesOf('squad2'))];
  const outcomes = new Map<string, { top: number[]; count: number }>();
  for (const { example, weights } of heldOut(examples, fit)) {
    const outcome = outcomes.get(example.set) ?? { top: [0, 0, 0], count: 0 };
    outcomes.set(example.set, outcome);
    outcome.count += 1;
    const order = example.vectors
      .map((vector, i) => ({ i, score: dot(weights, vector) }))
      .toSorted((a, b) => b.score - a.score);
    for (let n = 0; n < outcome.top.length; n++) {
      if (order.slice(0, n + 1).some(({ i }) => example.right[i])) outcome.top[n]! += 1;
    }
  }
  for (const [set, { top, count }] of outcomes) {
    const shares = top.map((right, n) => `among ${n + 1}: ${(right / count).toFixed(3)}`).join('  ');
    console.log(`${set} (held out, ${count} questions): the answer ${shares}`);
  }
  const weights = fit(examples);
  for (const [k, name] of FEATURES.entries()) console.log(`  ${name}: ${weights[k]!.toFixed(1)},`);
}

async function examplesOf(name: string): Promise<Choice[]> {
  const set = SETS.find((candidate) => candidate.name === name)!;
  const { index } = await openKnowledge({ folder: await set.base(''), snapshotDir: null });
  const examples: Choice[] = [];
  for (const { question, expect, gold, answers, article } of await readQuestions(set)) {
    if (expect !== 'answered') continue;
    const hits = await index.search(question, { topK: 8 });
    const hit = hits.find(({ source }) => gold.includes(source.id));
    if (hit === undefined) continue;
    const { candidates, vectors } = describeSentences(question, hit.source.lang, hit);
    const right = candidates.map(({ sentence }) => holdsOneOf(sentence.text, answers));
    examples.push({ set: name, group: `${name} ${article}`, vectors, right, weight: 1 });
  }
  return examples;
}

const fit = (some: readonly Choice[]): number[] => fitChoice(some, FEATURES.length, RIDGE);
