import { Analysis } from '../analysis/analysis.ts';
import type { Word } from '../analysis/word.ts';
import { gramsOf } from '../analysis/grams.ts';
import type { SynonymGroup } from '../base/synonyms.ts';
import type { Language, Source } from '../source.ts';
import { chunk } from './chunk.ts';
import { PostingsBuilder, type PostingsData } from './postings.ts';

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
 * A title's or section's word counts for so many in the text, and so does one of the lines that say how people ask for it.
 * Chosen, as the weights of a search are, on the development halves of XQuAD de, SQuAD 2.0 en and the statutes, flat around
 * the values.
 */
const TITLE_WEIGHT = 1.5;
const SECTION_WEIGHT = 0.5;
const ASKED_WEIGHT = 0.6;
/** Content words of a passage, and their letters, as in most bases. */
const USUAL_WORDS = 60;
const USUAL_LETTERS = 480;
/** Sources between two reports of progress. */
const REPORT_EVERY = 200;

/**
 * Builds the index of a base: chunks, terms, postings. Deterministic: the same sources give the same bytes.
 *
 * @param onProgress called with the sources done, of how many
 */
export function buildIndex(
  sources: readonly Source[],
  synonyms: readonly SynonymGroup[] = [],
  onProgress?: (done: number, total: number) => void,
): IndexData {
  const vocabulary = vocabularyOf(sources, synonyms);
  const analysis = new Analysis(new Set(vocabulary));
  const words = new PostingsBuilder(USUAL_WORDS);
  const grams = new PostingsBuilder(USUAL_LETTERS);
  const idsOf = new WordIds(words, grams);
  const lines = new LineWords();
  const owners: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (const [owner, source] of sources.entries()) {
    const { lang, text } = source;
    const title = analysis.words(source.title, lang);
    const section = analysis.words(source.section, lang);
    const asked = lines.count(
      'asked',
      (source.asked ?? []).map((line) => analysis.wordsOfLine(line, lang)),
    );
    lines.count(
      'unanswered',
      (source.unanswered ?? []).map((line) => analysis.wordsOfLine(line, lang)),
    );
    for (const span of chunk(source)) {
      const leadIn = span.leadIn === null ? '' : text.slice(span.leadIn.start, span.leadIn.end);
      const body = analysis.words(`${leadIn} ${text.slice(span.start, span.end)}`, lang);
      idsOf.count(body, 1);
      idsOf.count(title, TITLE_WEIGHT);
      idsOf.count(section, SECTION_WEIGHT);
      idsOf.count(asked, ASKED_WEIGHT);
      words.closePassage(body.length);
      grams.closePassage(body.reduce((sum, word) => sum + word.folded.length, 0));
      owners.push(owner);
      starts.push(span.start);
      ends.push(span.end);
    }
    if (onProgress !== undefined && (owner + 1) % REPORT_EVERY === 0) onProgress(owner + 1, sources.length);
  }
  onProgress?.(sources.length, sources.length);
  return {
    sources,
    synonyms,
    vocabulary,
    owners: Uint32Array.from(owners),
    starts: Uint32Array.from(starts),
    ends: Uint32Array.from(ends),
    words: words.build(),
    grams: grams.build(),
    unanswered: lines.unanswered(),
  };
}

/**
 * Folded content words of all texts and titles, and of what people ask for them (so that `Spätschicht` is found to be
 * a `Schicht`), in order of first occurrence: letters only, long enough to be a part.
 */
function vocabularyOf(sources: readonly Source[], synonyms: readonly SynonymGroup[]): string[] {
  const german = sources.filter(({ lang }) => lang === 'de');
  if (german.length === 0) return [];
  const analysis = new Analysis();
  const vocabulary = new Set<string>();
  const texts = [
    ...german.flatMap(({ title, text }) => [title, text]),
    ...synonyms.flatMap(({ from }) => from),
  ];
  for (const text of texts) {
    for (const { folded } of analysis.words(text, 'de')) {
      if (folded.length >= 4 && !/\p{N}/u.test(folded)) vocabulary.add(folded);
    }
  }
  return [...vocabulary];
}

/** What a word is counted as, worked out once for each folded word. */
class WordIds {
  readonly #words: PostingsBuilder;
  readonly #grams: PostingsBuilder;
  readonly #known = new Map<string, { terms: readonly number[]; grams: readonly number[] }>();

  constructor(words: PostingsBuilder, grams: PostingsBuilder) {
    this.#words = words;
    this.#grams = grams;
  }

  count(text: readonly Word[], weight: number): void {
    for (const word of text) {
      const ids = this.#idsOf(word);
      for (const id of ids.terms) this.#words.add(id, weight);
      for (const id of ids.grams) this.#grams.add(id, weight);
    }
  }

  #idsOf(word: Word): { terms: readonly number[]; grams: readonly number[] } {
    const key = `${word.folded} ${word.term}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const ids = {
      terms: [word.term, ...word.parts].map((term) => this.#words.id(term)),
      grams: gramsOf(word.folded).map((gram) => this.#grams.id(gram)),
    };
    this.#known.set(key, ids);
    return ids;
  }
}

/** Which words stand in how many lines, of those that sources answer and of those that they do not. */
class LineWords {
  readonly #lines = { asked: 0, unanswered: 0 };
  readonly #words = new Map<string, { asked: number; unanswered: number }>();

  /** Gives the words of all the lines back. */
  count(kind: 'asked' | 'unanswered', lines: readonly (readonly Word[])[]): Word[] {
    this.#lines[kind] += lines.length;
    for (const line of lines) {
      for (const stem of new Set(line.flatMap(({ term, parts }) => [term, ...parts]))) {
        const counts = this.#words.get(stem) ?? { asked: 0, unanswered: 0 };
        counts[kind]++;
        this.#words.set(stem, counts);
      }
    }
    return lines.flat();
  }

  /** The logarithm of how much oftener a word stands in lines that are not answered than in others, where it does. */
  unanswered(): Map<string, number> {
    const usual = this.#lines.unanswered / this.#lines.asked;
    const oftener = [...this.#words].map(([stem, { asked, unanswered }]): [string, number] => [
      stem,
      Math.log((unanswered / usual + 1) / (asked + 1)),
    ]);
    return new Map(oftener.filter(([, odds]) => odds > 0));
  }
}

/** Languages that the sources are written in. */
export function languagesOf(sources: readonly Source[]): Language[] {
  const counts = [...Map.groupBy(sources, ({ lang }) => lang)].map(([lang, { length }]) => ({
    lang,
    length,
  }));
  return counts.toSorted((a, b) => b.length - a.length || (a.lang < b.lang ? -1 : 1)).map(({ lang }) => lang);
}
