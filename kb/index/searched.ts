import { Analysis } from '../analysis/analysis.ts';
import type { Vocabulary } from '../analysis/compounds.ts';
import { Speller } from '../analysis/spelling.ts';
import type { SynonymGroup } from '../base/synonyms.ts';
import type { Steps } from '../steps.ts';
import type { Source } from '../source.ts';
import type { IndexData } from './build.ts';
import { NumbersByName } from './numbers-by-name.ts';
import { Postings } from './postings.ts';

/** The data of a search, whether it was indexed at once or changed afterwards. */
export interface Searched {
  /** Sorted by id. */
  readonly sources: readonly Source[];
  /** The difference between the sources and those of the index that was built at once; `null` if there is none. */
  readonly change: ChangeOfSources | null;
  readonly synonyms: readonly SynonymGroup[];
  readonly vocabulary: Vocabulary;
  /** By how much stems are more frequent in unanswered lines than in answered lines. Other stems are left out. */
  readonly unanswered: ReadonlyMap<string, number>;
  readonly analysis: Analysis;
  /**
   * The analysis of the index that was built at once. After a change, it still gives the same words as `analysis` for
   * all sources except `touched`.
   */
  readonly analysisBefore: Analysis;
  /**
   * The sources that a change has counted again: new sources, and sources with compounds that are now split
   * differently.
   */
  readonly touched: ReadonlySet<Source>;
  /** Knows all words of the base, and words that were removed from it. */
  readonly speller: Speller;
  readonly words: Postings;
  readonly grams: Postings;
  /** The passages of source `n` are those from `firsts[n]` to `lasts[n]` (exclusive). */
  readonly firsts: Uint32Array;
  readonly lasts: Uint32Array;
  /** Passage `p` is `text.slice(starts[p], ends[p])` of its source. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly passageCount: number;
}

/** The difference between the sources of a base and those of a large base. */
export interface ChangeOfSources {
  /** The number of each source of the large base in this one; below 0 if it is gone. */
  readonly moved: Int32Array;
  /** The numbers of the new sources, ascending. */
  readonly come: readonly number[];
}

/** Words with their counts. */
export interface CountedWords extends Vocabulary {
  get(word: string): number | undefined;
}

/** An index that was built at once, open for searches and for changes. */
export interface OpenedIndex extends Searched {
  readonly data: IndexData;
  readonly vocabulary: CountedWords;
}

/** Opens an index step by step, because a large base has a million words. */
export function* opening(data: IndexData): Steps<OpenedIndex> {
  const { sources, synonyms, unanswered, owners, starts, ends } = data;
  const vocabulary = yield* countedWords(data);
  const words = yield* Postings.reading(data.words);
  const grams = yield* Postings.reading(data.grams);
  const speller = new Speller();
  yield* speller.learning(data.vocabulary);
  yield* speller.learning(data.words.terms);
  const analysis = new Analysis(vocabulary);
  return {
    data,
    sources,
    change: null,
    synonyms,
    vocabulary,
    unanswered,
    analysis,
    analysisBefore: analysis,
    touched: new Set(),
    speller,
    words,
    grams,
    ...rangesOf(owners, sources.length),
    starts,
    ends,
    passageCount: owners.length,
  };
}

function* countedWords({ vocabulary, vocabularyCounts }: IndexData): Steps<CountedWords> {
  const numbers = yield* NumbersByName.reading(vocabulary.length, (number) => vocabulary[number]!);
  return {
    has: (word) => numbers.of(word) !== undefined,
    get(word) {
      const number = numbers.of(word);
      return number === undefined ? undefined : vocabularyCounts[number];
    },
  };
}

/** The first passage of each source, and the passage after its last. */
export function rangesOf(owners: Uint32Array, sourceCount: number): Pick<Searched, 'firsts' | 'lasts'> {
  const lasts = new Uint32Array(sourceCount);
  for (const owner of owners) lasts[owner]!++;
  for (let number = 1; number < sourceCount; number++) lasts[number]! += lasts[number - 1]!;
  const firsts = new Uint32Array(sourceCount);
  for (let number = 1; number < sourceCount; number++) firsts[number] = lasts[number - 1]!;
  return { firsts, lasts };
}
