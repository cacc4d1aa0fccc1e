import { sentencesIn, type Sentence } from '../sentences.ts';
import type { Source } from '../source.ts';

const known = new WeakMap<Source, readonly Sentence[]>();

/** The sentences of a source, white space squeezed, as they may stand in an answer. Split once: sources are immutable. */
export function sentencesOf(source: Source): readonly Sentence[] {
  let sentences = known.get(source);
  if (sentences === undefined) {
    sentences = sentencesIn(source).map((each) => ({ ...each, text: squeeze(each.text) }));
    known.set(source, sentences);
  }
  return sentences;
}

export function squeeze(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
