import { sentencesIn, type Sentence } from '../sentences.ts';
import type { Source } from '../source.ts';
import { squeezed } from '../white-space.ts';

interface SourceSentence extends Sentence {
  /** The end of the sentence in the source's text. */
  readonly end: number;
}

const known = new WeakMap<Source, readonly SourceSentence[]>();

/**
 * The sentences of a source with single spaces, for an answer; code is unchanged. They are cached, because sources do
 * not change.
 */
export function sentencesOf(source: Source): readonly SourceSentence[] {
  let sentences = known.get(source);
  if (sentences === undefined) {
    sentences = sentencesIn(source).map((each) => ({
      ...each,
      text: each.form === 'code' ? each.text : squeeze(each.text),
      end: each.start + each.text.length,
    }));
    known.set(source, sentences);
  }
  return sentences;
}

const knownItems = new WeakMap<readonly Sentence[], ReadonlyMap<number, readonly number[]>>();

/** The items of each list, by the index of its lead-in. */
export function itemsBelow(sentences: readonly Sentence[]): ReadonlyMap<number, readonly number[]> {
  let items = knownItems.get(sentences);
  if (items === undefined) {
    const ofLists = [...sentences.keys()].filter((at) => sentences[at]!.lead !== null);
    items = Map.groupBy(ofLists, (at) => sentences[at]!.lead!);
    knownItems.set(sentences, items);
  }
  return items;
}

export function squeeze(text: string): string {
  return squeezed(text);
}
