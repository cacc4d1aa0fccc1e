import type { Word } from '../../../kb/analysis/analysis.ts';
import { gramsOf } from '../../../kb/analysis/grams.ts';
import { answersIn, answerTypeOf } from './answer-type.ts';
import type { Candidate } from './candidates.ts';
import { similarity } from '../../../kb/analysis/similarity.ts';

/** What a candidate is judged by. Every value lies about in 0 … 1, so that weights can be compared. */
export const FEATURES = [
  /** Share of the question's weight that the sentence has, words alike counting in part. */
  'overlap',
  /** The same for identical stems alone. */
  'exact',
  /** The same for 4-grams, wherever in the sentence they stand. */
  'grams',
  /** What the title and section of the source add to the overlap. */
  'title',
  /** Overlap of the sentence before it, or of its lead-in. */
  'before',
  /** Overlap of the sentence after it. */
  'after',
  /** Holds something of the kind that is asked for, which the question does not hold. */
  'answer',
  /** How near that stands to the question's words. */
  'answerNear',
  /** Score of the source against the best one. */
  'source',
  /** Logarithm of the length in words, by 4. */
  'length',
] as const;

export type FeatureVector = readonly number[];

const TITLE_SHARE = 0.8;
/** Characters after which nearness has fallen to a half. */
const NEAR = 24;

/** Features of every candidate, in their order. `words` are the question's content words. */
export function featuresOf(
  question: string,
  words: readonly Word[],
  titles: ReadonlyMap<Candidate['source'], readonly Word[]>,
  candidates: readonly Candidate[],
): FeatureVector[] {
  const asked = [...new Map(words.map((word) => [word.term, word])).values()];
  const weights = weightsOf(asked, candidates);
  const type = answerTypeOf(question);
  const likeness = likenessTo(asked);
  const grams = asked.map((word) => gramsOf(word.folded));
  const best = Math.max(...candidates.map(({ hit }) => hit.score), Number.MIN_VALUE);

  const matched = candidates.map((candidate) => match(candidate.words, asked.length, likeness));
  const overlaps = matched.map(({ values }) => dot(values, weights));
  const position = new Map(candidates.map((candidate, i) => [candidate, i]));

  return candidates.map((candidate, i) => {
    const { values, offsets } = matched[i]!;
    const terms = new Set(candidate.words.map((word) => word.term));
    const own = new Set(candidate.words.flatMap((word) => gramsOf(word.folded)));
    const title = new Set((titles.get(candidate.source) ?? []).map((word) => word.term));
    const before = candidate.context === null ? undefined : position.get(candidate.context);
    const after = candidates[i + 1]?.context === candidate ? i + 1 : undefined;
    const answers = answersIn(candidate.sentence.text, type, question);
    return [
      overlaps[i]!,
      dot(
        asked.map((word) => (terms.has(word.term) ? 1 : 0)),
        weights,
      ),
      dot(
        grams.map((list) => list.filter((gram) => own.has(gram)).length / list.length),
        weights,
      ),
      dot(
        values.map((value, k) => Math.max(0, (title.has(asked[k]!.term) ? TITLE_SHARE : 0) - value)),
        weights,
      ),
      before === undefined ? 0 : overlaps[before]!,
      after === undefined ? 0 : overlaps[after]!,
      answers.length > 0 ? 1 : 0,
      nearness(answers, offsets),
      candidate.hit.score / best,
      Math.log(1 + candidate.words.length) / 4,
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

/** Likeness of a word to each asked word; remembered, since a text repeats its words. */
function likenessTo(asked: readonly Word[]): (word: Word) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  return (word) => {
    let values = known.get(word.folded);
    if (values === undefined) {
      values = asked.map((other) => similarity(other, word));
      known.set(word.folded, values);
    }
    return values;
  };
}

/** For each asked word its best likeness in the text, and the offsets where words matched. */
function match(
  words: readonly Word[],
  count: number,
  likeness: (word: Word) => readonly number[],
): { values: number[]; offsets: number[] } {
  const values = Array.from({ length: count }, () => 0);
  const offsets: number[] = [];
  for (const word of words) {
    likeness(word).forEach((value, k) => {
      if (value > values[k]!) values[k] = value;
      if (value > 0.4) offsets.push(word.start);
    });
  }
  return { values, offsets };
}

function nearness(answers: readonly number[], offsets: readonly number[]): number {
  let best = 0;
  for (const answer of answers) {
    for (const offset of offsets) best = Math.max(best, 1 / (1 + Math.abs(answer - offset) / NEAR));
  }
  return best;
}

function dot(values: readonly number[], weights: readonly number[]): number {
  return values.reduce((sum, value, k) => sum + value * weights[k]!, 0);
}
