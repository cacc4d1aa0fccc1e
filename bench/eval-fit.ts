// `node bench/eval-fit.ts`: fits the weights of sentence choice (actors/ask/extractive/weights.ts) on the sets beside
// the project, and says by cross-validation over articles how well they carry over.
import { describeSentences } from '../actors/ask/extractive/rank.ts';
import { FEATURES, type FeatureVector } from '../actors/ask/extractive/features.ts';
import { openKnowledge } from '../kb/open.ts';
import { holdsOneOf } from './eval-measure.ts';
import { readQuestions, SETS } from './eval-sets.ts';

/** One question: what its candidates look like, and which of them hold the answer. */
interface Example {
  readonly set: string;
  readonly article: string;
  readonly vectors: readonly FeatureVector[];
  readonly right: readonly boolean[];
}

const FOLDS = 5;
const STEPS = 300;
/** Strength of the pull towards 0. */
const RIDGE = 1;
const RATE = 0.1;

if (SETS.some(({ name, here }) => name === 'xquad' && here)) await main();
else console.log('No evaluation data beside the project (../shared/eval): nothing to fit.');

async function main(): Promise<void> {
  const examples = [...(await examplesOf('xquad')), ...(await examplesOf('squad2'))];
  const articles = [...new Set(examples.map(({ article }) => article))].sort();
  const foldOf = ({ article }: Example): number => articles.indexOf(article) % FOLDS;
  const outcomes = new Map<string, { top: number[]; count: number }>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = fit(examples.filter((example) => foldOf(example) !== fold));
    for (const example of examples.filter((candidate) => foldOf(candidate) === fold)) {
      const outcome = outcomes.get(example.set) ?? { top: [0, 0, 0], count: 0 };
      outcomes.set(example.set, outcome);
      outcome.count += 1;
      const order = example.vectors
        .map((vector, i) => ({ i, score: dot(weights, vector) }))
        .sort((a, b) => b.score - a.score);
      for (let n = 0; n < outcome.top.length; n++) {
        if (order.slice(0, n + 1).some(({ i }) => example.right[i])) outcome.top[n]! += 1;
      }
    }
  }
  for (const [set, { top, count }] of outcomes) {
    const shares = top.map((right, n) => `among ${n + 1}: ${(right / count).toFixed(3)}`).join('  ');
    console.log(`${set} (held out, ${count} questions): the answer ${shares}`);
  }
  const weights = fit(examples);
  for (const [k, name] of FEATURES.entries()) console.log(`  ${name}: ${weights[k]!.toFixed(1)},`);
}

async function examplesOf(name: string): Promise<Example[]> {
  const set = SETS.find((candidate) => candidate.name === name)!;
  const { index } = await openKnowledge({ folder: await set.base(''), snapshotDir: null });
  const examples: Example[] = [];
  for (const { question, expect, gold, answers, article } of await readQuestions(set)) {
    if (expect !== 'answered') continue;
    const hits = await index.search(question, { topK: 8 });
    const lang = index.sources[0]!.lang;
    const { candidates, vectors } = describeSentences(question, lang, hits.slice(0, 3));
    const right = candidates.map(
      ({ source, sentence }) => gold.includes(source.id) && holdsOneOf(sentence.text, answers),
    );
    examples.push({ set: name, article: `${name} ${article}`, vectors, right });
  }
  return examples;
}

/**
 * Maximises the probability that a softmax over the candidates gives to those that hold the answer, less a ridge
 * penalty; Adam (Kingma and Ba, 2015), full batch. Questions without a right candidate teach nothing.
 */
function fit(examples: readonly Example[]): number[] {
  const usable = examples.filter(({ right }) => right.includes(true));
  const weights = FEATURES.map(() => 0);
  const mean = FEATURES.map(() => 0);
  const square = FEATURES.map(() => 0);
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight) => -RIDGE * weight);
    for (const { vectors, right } of usable) {
      const scores = vectors.map((vector) => dot(weights, vector));
      const top = Math.max(...scores);
      const shares = scores.map((score) => Math.exp(score - top));
      const all = shares.reduce((a, b) => a + b, 0);
      const good = shares.reduce((sum, share, i) => sum + (right[i] ? share : 0), 0);
      vectors.forEach((vector, i) => {
        const pull = (right[i] ? shares[i]! / good : 0) - shares[i]! / all;
        vector.forEach((value, k) => (gradient[k] = gradient[k]! + pull * value));
      });
    }
    gradient.forEach((slope, k) => {
      mean[k] = 0.9 * mean[k]! + 0.1 * slope;
      square[k] = 0.999 * square[k]! + 0.001 * slope * slope;
      weights[k] =
        weights[k]! +
        (RATE * mean[k]) / (1 - 0.9 ** step) / (Math.sqrt(square[k] / (1 - 0.999 ** step)) + 1e-8);
    });
  }
  return weights;
}

function dot(weights: readonly number[], vector: FeatureVector): number {
  return vector.reduce((sum, value, k) => sum + value * weights[k]!, 0);
}
