import { plainAnalysis, type Word } from '../../../kb/analysis/analysis.ts';
import { splitSentences, type Sentence } from '../../../kb/sentences.ts';
import type { Hit, Source } from '../../../kb/knowledge.ts';

/** Passages of one source that are looked at: a § may run to a hundred. */
const MAX_PASSAGES = 3;

/** A sentence that may go into the answer, and what it leans on. */
export interface Candidate {
  readonly source: Source;
  readonly hit: Hit;
  readonly sentence: Sentence;
  readonly words: readonly Word[];
  /** The sentence before it in the same paragraph, or the lead-in of its list. */
  readonly context: Candidate | null;
  /** True when `context` is the lead-in of a list. */
  readonly listed: boolean;
}

const splits = new WeakMap<Source, readonly Sentence[]>();

/** The sentences of the hits' passages, in order of the hits and of the text. */
export function candidatesOf(hits: readonly Hit[]): Candidate[] {
  const candidates: Candidate[] = [];
  for (const hit of hits) {
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
    for (const i of [...wanted].sort((a, b) => a - b)) {
      const sentence = sentences[i]!;
      const before = sentence.lead ?? (sentences[i - 1]?.block === sentence.block ? i - 1 : null);
      const candidate: Candidate = {
        source: hit.source,
        hit,
        sentence,
        words: plainAnalysis.words(sentence.text, hit.source.lang),
        context: before === null ? null : (made.get(before) ?? null),
        listed: sentence.lead !== null,
      };
      made.set(i, candidate);
      candidates.push(candidate);
    }
  }
  return candidates;
}

/** Sources are immutable, so each is split once. */
function sentencesOf(source: Source): readonly Sentence[] {
  let sentences = splits.get(source);
  if (sentences === undefined) {
    sentences = splitSentences(source.text);
    splits.set(source, sentences);
  }
  return sentences;
}
