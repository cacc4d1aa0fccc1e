import { Analysis } from '../analysis/analysis.ts';
import type { SynonymGroup } from '../base/synonyms.ts';
import type { Language, Source } from '../source.ts';
import { LineWords } from './line-words.ts';
import type { PostingsData } from './postings.ts';
import { PostingsBuilder, TENTHS } from './postings-builder.ts';
import { askedOf, bodiesOf, sectionOf, titleOf, unansweredOf, type SourceWords } from './source-words.ts';
import { WordCounter } from './word-counter.ts';
import { WordForms } from './word-forms.ts';
import { WordReader } from './word-reader.ts';
import type { WordTable } from './word-table.ts';

/** All that a search needs; plain data, so that a snapshot can hold it. */
export interface IndexData {
  readonly sources: readonly Source[];
  readonly synonyms: readonly SynonymGroup[];
  /** Folded words of the base, for splitting compounds. */
  readonly vocabulary: readonly string[];
  /** Passage `p` is `text.slice(starts[p], ends[p])` of source `owners[p]`; a source's passages lie together. */
  readonly owners: Uint32Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly words: PostingsData;
  readonly grams: PostingsData;
  /** For stems that are more frequent in unanswered lines than in answered ones: by how much. */
  readonly unanswered: ReadonlyMap<string, number>;
}

/**
 * A word of a text counts for ten tenths, one of a title, a section, or a line that says how people ask for it, for so many.
 * Chosen, as the weights of a search are, on the development halves of XQuAD de, SQuAD 2.0 en and the statutes, flat around
 * the values.
 */
const TITLE_TENTHS = 15;
const SECTION_TENTHS = 5;
const ASKED_TENTHS = 6;
/** Content words of a passage, and their letters, as in most bases. */
const USUAL_WORDS = 60;
const USUAL_LETTERS = 480;
/** Sources between two reports of progress. */
const REPORT_EVERY = 200;

/**
 * Builds the index of a base: chunks, terms, postings. Deterministic: the same sources give the same bytes.
 *
 * @param onProgress called with the sources done, of how many
 * @param reader takes over the words of sources that an earlier build has read; the index is the same without it
 */
export function buildIndex(
  sources: readonly Source[],
  synonyms: readonly SynonymGroup[] = [],
  onProgress?: (done: number, total: number) => void,
  reader = new WordReader(),
): IndexData {
  const read = sources.map((source, done) => {
    if (onProgress !== undefined && done % REPORT_EVERY === 0) onProgress(done, sources.length);
    return reader.read(source);
  });
  const { table } = reader;
  const vocabulary = vocabularyOf(sources, read, synonyms, table);
  const analysis = new Analysis(new Set(vocabulary));
  const counted = countWords(read, new WordForms(table, analysis));
  onProgress?.(sources.length, sources.length);
  return { sources, synonyms, vocabulary, ...passagesOf(read), ...counted };
}

/** Which source each passage is of, and where it stands there. */
function passagesOf(read: readonly SourceWords[]): Pick<IndexData, 'owners' | 'starts' | 'ends'> {
  const count = read.reduce((sum, { spans }) => sum + spans.length / 2, 0);
  const owners = new Uint32Array(count);
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let passage = 0;
  for (const [owner, { spans }] of read.entries()) {
    for (let i = 0; i < spans.length; i += 2, passage++) {
      owners[passage] = owner;
      starts[passage] = spans[i]!;
      ends[passage] = spans[i + 1]!;
    }
  }
  return { owners, starts, ends };
}

/**
 * Folded content words of all texts and titles, and of what people ask for them (so that `Spätschicht` is found to be
 * a `Schicht`), in order of first occurrence: letters only, long enough to be a part.
 */
function vocabularyOf(
  sources: readonly Source[],
  read: readonly SourceWords[],
  synonyms: readonly SynonymGroup[],
  table: WordTable,
): string[] {
  const german = read.filter((_, number) => sources[number]!.lang === 'de');
  if (german.length === 0) return [];
  const asked: number[] = [];
  for (const phrase of synonyms.flatMap(({ from }) => from)) table.read(phrase, 'de', asked);
  const vocabulary = new Set<string>();
  const seen = new Uint8Array(table.texts.length);
  const add = (row: ArrayLike<number>): void => {
    for (let i = 0; i < row.length; i++) {
      const number = row[i]!;
      if (seen[number] === 1) continue;
      seen[number] = 1;
      const folded = table.folded[number]!;
      if (folded.length >= 4 && !/\p{N}/u.test(folded)) vocabulary.add(folded);
    }
  };
  for (const source of german) {
    add(titleOf(source));
    for (const body of bodiesOf(source)) add(body);
  }
  add(asked);
  return [...vocabulary];
}

/** Postings of words and of their 4-grams, and which words stand rather in lines that are not answered. */
function countWords(
  read: readonly SourceWords[],
  forms: WordForms,
): Pick<IndexData, 'words' | 'grams' | 'unanswered'> {
  const words = new PostingsBuilder(USUAL_WORDS);
  const grams = new PostingsBuilder(USUAL_LETTERS);
  const counter = new WordCounter(forms, words, grams);
  const lines = new LineWords(forms);
  for (const source of read) {
    const asked = askedOf(source);
    for (const line of asked) lines.count('asked', line);
    for (const line of unansweredOf(source)) lines.count('unanswered', line);
    for (const body of bodiesOf(source)) {
      counter.count(body, TENTHS);
      counter.count(titleOf(source), TITLE_TENTHS);
      counter.count(sectionOf(source), SECTION_TENTHS);
      for (const line of asked) counter.count(line, ASKED_TENTHS);
      counter.closePassage({ words: body.length, letters: forms.lettersOf(body) });
    }
  }
  return { words: words.build(), grams: grams.build(), unanswered: lines.unanswered() };
}

/** Languages that the sources are written in. */
export function languagesOf(sources: readonly Source[]): Language[] {
  const counts = [...Map.groupBy(sources, ({ lang }) => lang)].map(([lang, { length }]) => ({
    lang,
    length,
  }));
  return counts.toSorted((a, b) => b.length - a.length || (a.lang < b.lang ? -1 : 1)).map(({ lang }) => lang);
}
