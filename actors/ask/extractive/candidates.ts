import { plainAnalysis, type Word } from '../../../kb/analysis/analysis.ts';
import type { Hit } from '../../../kb/knowledge.ts';
import type { Sentence } from '../../../kb/sentences.ts';
import { sentencesOf } from '../source-sentences.ts';

/** Passages of one source that are looked at: a § may run to a hundred. */
const MAX_PASSAGES = 3;

/** A sentence that may be the one that answers, and what it leans on. */
export interface Candidate {
  /** Its place among the sentences of the source. */
  readonly at: number;
  readonly hit: Hit;
  readonly sentence: Sentence;
  readonly words: readonly Word[];
  /** The sentence before it in the same paragraph, or the lead-in of its list. */
  readonly context: Candidate | null;
}

/** The sentences of its passages, in order of the text. */
export function candidatesOf(hit: Hit): Candidate[] {
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
