import type { Word } from '../../../kb/analysis/analysis.ts';
import { gramsOf } from '../../../kb/analysis/grams.ts';
import { answersIn, answerTypeOf } from '../../../kb/ranking/answer-type.ts';
import type { Candidate } from './candidates.ts';
import { similarity } from '../../../kb/analysis/similarity.ts';

/** What a candidate is judged by. Every value lies in 0 … 1, so that weights can be compared. */
export const FEATURES = [
  /** Share of the question's weight that the sentence has, words alike counting in part. */
  'overlap',
  /** Share of the question's 4-grams, wherever in the sentence they stand. */
  'grams',
  /** What the sentence before it, or its lead-in, adds to the overlap. */
  'context',
  /** Holds something of the kind that is asked for, which the question does not hold. */
  'answer',
] as const;

export type FeatureVector = readonly number[];

/** What a synonym counts for in place of the word. */
const SYNONYM = 0.8;

/** Features of every candidate, in their order. `words` are the question's content words. */
export function featuresOf(
  question: string,
  words: readonly Word[],
  candidates: readonly Candidate[],
): FeatureVector[] {
  const asked = [...new Map(words.map((word) => [word.term, word])).values()];
  const weights = weightsOf(asked, candidates);
  const type = answerTypeOf(question);
  const likeness = likenessTo(asked, candidates[0]?.hit.synonyms ?? new Map());
  const grams = asked.map((word) => gramsOf(word.folded));
  const matched = new Map(
    candidates.map((candidate) => [candidate, matchOf(candidate.words, asked, likeness)]),
  );

  return candidates.map((candidate) => {
    const { context, sentence, words } = candidate;
    const own = matched.get(candidate)!;
    const before = context === null ? own : (matched.get(context) ?? own);
    const pieces = new Set(words.flatMap((word) => gramsOf(word.folded)));
    return [
      dot(own, weights),
      dot(
        grams.map((list) => list.filter((gram) => pieces.has(gram)).length / list.length),
        weights,
      ),
      dot(
        own.map((value, k) => Math.max(0, before[k]! - value)),
        weights,
      ),
      answersIn(sentence.text, type, question) ? 1 : 0,
    ];
  });
}

/** Inverse sentence frequency among the candidates, summing to 1: a word that all of them hold decides nothing. */
function weightsOf(asked: readonly Word[], candidates: readonly Candidate[]): number[] {
  const raw = asked.map((word) => {
    const df = candidates.filter((candidate) => candidate.words.some((w) => w.term === word.term)).length;
    return Math.log(1 + (candidates.length - df + 0.5) / (df + 0.5));
  });
  const sum = raw.reduce((a, b) => a + b, 0);
  return raw.map((weight) => (sum === 0 ? 0 : weight / sum));
}

/** Likeness of a word to each asked word, or to its synonyms; remembered, since a text repeats its words. */
function likenessTo(
  asked: readonly Word[],
  synonyms: ReadonlyMap<string, readonly string[]>,
): (word: Word) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  return (word) => {
    let values = known.get(word.folded);
    if (values === undefined) {
      values = asked.map((other) =>
        synonyms.get(other.term)?.includes(word.term) === true ? SYNONYM : similarity(other, word),
      );
      known.set(word.folded, values);
    }
    return values;
  };
}

/** For each asked word its best likeness in the text. */
function matchOf(
  words: readonly Word[],
  asked: readonly Word[],
  likeness: (word: Word) => readonly number[],
): readonly number[] {
  const values = asked.map(() => 0);
  for (const word of words) {
    likeness(word).forEach((value, k) => {
      if (value > values[k]!) values[k] = value;
    });
  }
  return values;
}

function dot(values: readonly number[], weights: readonly number[]): number {
  return values.reduce((sum, value, k) => sum + value * weights[k]!, 0);
}
