import { Analysis } from '../analysis/analysis.ts';
import { IndexedVocabulary } from '../analysis/compounds.ts';
import type { SynonymGroup } from '../base/synonyms.ts';
import { atOnce, TO_READ, type Steps } from '../steps.ts';
import type { Source } from '../source.ts';
import { GrowingNumbers } from './growing.ts';
import { LineWords, oftenerUnanswered, type LineCounts } from './line-words.ts';
import type { PostingsData } from './postings.ts';
import { askedLinesOf, unansweredLinesOf, unansweredOf, type SourceWords } from './source-words.ts';
import { VocabularyCounts } from './vocabulary-counts.ts';
import { WordCounter } from './word-counter.ts';
import { WordForms } from './word-forms.ts';
import { WordGrams } from './word-grams.ts';
import { WordReader } from './word-reader.ts';
import type { WordTable } from './word-table.ts';

/** Everything that a search needs, as plain data for a snapshot. */
export interface IndexData {
  /** Sorted by id. */
  readonly sources: readonly Source[];
  readonly synonyms: readonly SynonymGroup[];
  /** The folded words of the base, for splitting compounds, with their counts. */
  readonly vocabulary: readonly string[];
  readonly vocabularyCounts: Uint32Array;
  /** Folded German words that are not in the vocabulary and may be compounds. */
  readonly otherWords: readonly string[];
  /** Passage `p` is `text.slice(starts[p], ends[p])` of source `owners[p]`; a source's passages are consecutive. */
  readonly owners: Uint32Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly words: PostingsData;
  readonly grams: PostingsData;
  /** By how much stems are more frequent in unanswered lines than in answered lines. Other stems are left out. */
  readonly unanswered: ReadonlyMap<string, number>;
  /**
   * The counts from which `unanswered` is computed, with folded German words that may be compounds; `null` without
   * unanswered lines.
   */
  readonly lines: { readonly counts: LineCounts; readonly words: ReadonlySet<string> } | null;
}

/** The fewest letters of a word with two parts. */
const SHORTEST_COMPOUND = 8;

/**
 * Builds the index of a base: chunks, terms, postings. It is deterministic: equal sources give equal bytes.
 *
 * @param reader has read these sources in this order. The memory of their words is freed while they are counted,
 * because the postings need it
 */
export function buildIndex(
  sources: readonly Source[],
  synonyms: readonly SynonymGroup[] = [],
  reader: WordReader = readerOf(sources),
): IndexData {
  const grams = atOnce(countingGrams(reader.rows, reader.table.folded));
  return { ...countWords(sources, synonyms, reader), grams };
}

/** Counts everything of the index except the 4-grams, which another thread may count at the same time. */
export function countWords(
  sources: readonly Source[],
  synonyms: readonly SynonymGroup[],
  { table, rows }: WordReader,
): Omit<IndexData, 'grams'> {
  const counts = countVocabulary(sources, rows, synonyms, table);
  const vocabulary = [...counts.keys()];
  const unanswered = unansweredWordsOf(rows);
  const counted = atOnce(
    countingStems(rows.taking(), new WordForms(table, new Analysis(new IndexedVocabulary(counts)))),
  );
  return {
    sources,
    synonyms,
    vocabulary,
    vocabularyCounts: Uint32Array.from(counts.values()),
    otherWords: compoundsIn(table, table.folded.keys()).filter((word) => !counts.has(word)),
    ...counted,
    ...linesOf(counted.lines, compoundsIn(table, unanswered)),
  };
}

function readerOf(sources: readonly Source[]): WordReader {
  const reader = new WordReader();
  reader.read(sources);
  return reader;
}

/** The numbers of all words in unanswered lines. */
function unansweredWordsOf(rows: Iterable<SourceWords>): Set<number> {
  const numbers = new Set<number>();
  for (const source of rows) {
    const { from, to } = unansweredOf(source);
    for (const number of source.words.subarray(from, to)) numbers.add(number);
  }
  return numbers;
}

/** The counts of lines that are kept: none if all lines are answered. */
function linesOf(counts: LineCounts, words: readonly string[]): Pick<IndexData, 'unanswered' | 'lines'> {
  return counts.unanswered === 0
    ? { unanswered: new Map(), lines: null }
    : { unanswered: oftenerUnanswered(counts), lines: { counts, words: new Set(words) } };
}

/** The distinct folded German words with these numbers that are long enough for compounds. */
function compoundsIn({ folded, languages }: WordTable, numbers: Iterable<number>): string[] {
  const words = new Set<string>();
  for (const number of numbers) {
    const word = folded[number]!;
    if (languages[number] === 'de' && word.length >= SHORTEST_COMPOUND) words.add(word);
  }
  return [...words];
}

/** The vocabulary of a base. If the base has German sources, each word of the synonyms also counts once. */
function countVocabulary(
  sources: readonly Source[],
  rows: Iterable<SourceWords>,
  synonyms: readonly SynonymGroup[],
  table: WordTable,
): Map<string, number> {
  if (!sources.some(isGerman)) return new Map();
  const asked = new GrowingNumbers();
  for (const phrase of synonyms.flatMap(({ from }) => from)) table.read(phrase, 'de', asked);
  const vocabulary = new VocabularyCounts(table);
  let number = 0;
  for (const source of rows) if (isGerman(sources[number++]!)) vocabulary.addSource(source);
  vocabulary.addWords(asked.toArray());
  return vocabulary.counts();
}

const isGerman = ({ lang }: Source): boolean => lang === 'de';

/** The counts over sources: passages, postings of words, and lines. */
export interface Counted extends Pick<IndexData, 'owners' | 'starts' | 'ends' | 'words'> {
  readonly lines: LineCounts;
}

/** Counts source by source. */
export function* countingStems(read: Iterable<SourceWords>, forms: WordForms): Steps<Counted> {
  const words = new WordCounter(forms, forms.table.texts.length);
  const lines = new LineWords(forms);
  const passages = new Passages();
  for (const source of read) {
    passages.add(source);
    const row = source.words;
    for (const line of askedLinesOf(source)) lines.count('asked', row, line);
    for (const line of unansweredLinesOf(source)) lines.count('unanswered', row, line);
    words.add(source);
    yield TO_READ * row.length;
  }
  return { ...passages.toArrays(), words: words.build(), lines: lines.counts() };
}

/**
 * Counts the 4-grams of words source by source.
 * @param folded the words of the sources
 */
export function* countingGrams(read: Iterable<SourceWords>, folded: readonly string[]): Steps<PostingsData> {
  const grams = new WordCounter(new WordGrams(folded), folded.length);
  for (const source of read) {
    grams.add(source);
    yield TO_READ * source.words.length;
  }
  return grams.build();
}

/** The source of each passage, and its range there. */
class Passages {
  readonly #owners = new GrowingNumbers();
  readonly #starts = new GrowingNumbers();
  readonly #ends = new GrowingNumbers();
  #sources = 0;

  add({ spans }: SourceWords): void {
    for (let i = 0; i < spans.length; i += 2) {
      this.#owners.push(this.#sources);
      this.#starts.push(spans[i]!);
      this.#ends.push(spans[i + 1]!);
    }
    this.#sources++;
  }

  toArrays(): Pick<IndexData, 'owners' | 'starts' | 'ends'> {
    return {
      owners: this.#owners.toArray(),
      starts: this.#starts.toArray(),
      ends: this.#ends.toArray(),
    };
  }
}
