import { plainAnalysis } from '../../analysis/analysis.ts';
import type { Word } from '../../analysis/word.ts';
import { gramsOf } from '../../analysis/grams.ts';
import { similarity } from '../../analysis/similarity.ts';
import type { Language } from '../../source.ts';
import type { Hit } from '../../hit.ts';
import { answersIn, answerTypeOf } from '../../ranking/answer-type.ts';
import type { Sentence } from '../../sentences.ts';
import { sentencesOf } from '../source-sentences.ts';
import { WEIGHTS } from './weights.ts';
import { FEATURES } from './signs.ts';

/** The most passages of one source that are considered, because a § may have a hundred. */
const MAX_PASSAGES = 3;

/** A sentence that may answer the question, with the sentence that it depends on. */
interface Candidate {
  /** The index of the sentence in its source. */
  readonly at: number;
  readonly hit: Hit;
  readonly sentence: Sentence;
  readonly words: readonly Word[];
  /** The sentence before this one in the same paragraph, or the lead-in of the list. */
  readonly context: Candidate | null;
}

type FeatureVector = readonly number[];

/** The sentences of the found passages, the likeliest answer first; ties keep the order of the text. */
export function rankSentences(question: string, language: Language, hit: Hit): Candidate[] {
  const { candidates, vectors } = describeSentences(question, language, hit);
  const scores = asksForWhole(question, language, hit)
    ? candidates.map((_, i) => -i)
    : vectors.map((vector) => vector.reduce((sum, value, k) => sum + value * WEIGHTS[FEATURES[k]!], 0));
  return candidates
    .map((_, i) => i)
    .toSorted((a, b) => scores[b]! - scores[a]!)
    .map((i) => candidates[i]!);
}

/**
 * Whether a question names a source and asks hardly anything about it (`Was regelt § 3 EntgFG?`): at most one of its
 * words is outside the name. Then the text is quoted from its beginning.
 */
export function asksForWhole(question: string, language: Language, hit: Hit): boolean {
  return hit.referenced && wordsBeside(question, language, hit, hit.source.title).length <= 1;
}

/**
 * The content words of a question without those that only name the source (`3`, `EntgFG`), because these say where to
 * search and not what is asked.
 */
function wordsBeside(
  question: string,
  language: Language,
  { referenced, source }: Hit,
  alsoIn = '',
): readonly Word[] {
  const words = plainAnalysis.words(question, language);
  if (!referenced) return words;
  const { id, work, title, section } = source;
  const figures = `${title} ${section}`.match(/\p{L}*\p{N}+\p{L}*/gu) ?? [];
  const names = plainAnalysis.words([id, work, ...figures, alsoIn].join(' '), language);
  const known = new Set(names.map((word) => word.term));
  return words.filter((word) => !known.has(word.term));
}

/** The sentences with their features, in order of the text. */
export function describeSentences(
  question: string,
  language: Language,
  hit: Hit,
): { candidates: readonly Candidate[]; vectors: readonly FeatureVector[] } {
  const candidates = candidatesOf(hit);
  return { candidates, vectors: featuresOf(question, wordsBeside(question, language, hit), candidates) };
}

/** The sentences of a hit's passages, in the order of the text. */
function candidatesOf(hit: Hit): Candidate[] {
  const sentences = sentencesOf(hit.source);
  const ranges = hit.passages
    .slice(0, MAX_PASSAGES)
    .map((passage) => [passage.start, passage.start + passage.text.length] as const);
  const wanted = new Set<number>();
  sentences.forEach((sentence, i) => {
    const inside = ranges.some(
      ([from, to]) => sentence.start < to && sentence.start + sentence.text.length > from,
    );
    if (!inside) return;
    for (let at: number | null = i; at !== null; at = sentences[at]!.lead) wanted.add(at);
  });
  const made = new Map<number, Candidate>();
  for (const at of [...wanted].sort((a, b) => a - b)) {
    const sentence = sentences[at]!;
    const before = sentence.lead ?? (sentences[at - 1]?.block === sentence.block ? at - 1 : null);
    made.set(at, {
      at,
      hit,
      sentence,
      words: plainAnalysis.words(sentence.text, hit.source.lang),
      context: before === null ? null : (made.get(before) ?? null),
    });
  }
  return [...made.values()];
}

/** The weight of a synonym compared with the word itself. */
const SYNONYM = 0.8;

/** The features of each candidate, in order. `words` are the question's content words. */
function featuresOf(
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

/**
 * The inverse sentence frequency of each word among the candidates, with a sum of 1: a word that all candidates contain
 * decides nothing.
 */
function weightsOf(asked: readonly Word[], candidates: readonly Candidate[]): number[] {
  const raw = asked.map((word) => {
    const df = candidates.filter((candidate) => candidate.words.some((w) => w.term === word.term)).length;
    return Math.log(1 + (candidates.length - df + 0.5) / (df + 0.5));
  });
  const sum = raw.reduce((a, b) => a + b, 0);
  return raw.map((weight) => (sum === 0 ? 0 : weight / sum));
}

/** The similarity of a word to each asked word or its synonyms. It is cached, because a text repeats its words. */
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

/** The best similarity to each asked word in the text. */
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
