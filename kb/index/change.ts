import { Analysis, stem } from '../analysis/analysis.ts';
import { Speller } from '../analysis/spelling.ts';
import { TO_READ, type Steps } from '../steps.ts';
import type { Source } from '../source.ts';
import { countingGrams, countingStems, type Counted } from './build.ts';
import { ChangedVocabulary } from './changed-vocabulary.ts';
import { changedLines, oftenerUnanswered } from './line-words.ts';
import { otherCompounds } from './other-compounds.ts';
import type { PostingsData } from './postings.ts';
import { rangesOf, type ChangeOfSources, type OpenedIndex, type Searched } from './searched.ts';
import { copied, readWords, type SourceWords } from './source-words.ts';
import { VocabularyCounts } from './vocabulary-counts.ts';
import { WordForms } from './word-forms.ts';
import { WordTable } from './word-table.ts';

/**
 * The most passages that a change may count again. For more, the index is rebuilt in a worker, which keeps the event
 * loop free.
 */
const MOST_PASSAGES = 2_000;

/**
 * An index after a change of its base. It consists of the large index that was built at once, in which the removed
 * passages no longer count, and of a small segment with the added passages. It finds the same sources, with the same
 * scores and in the same order, as an index that is built at once from the present sources, because
 *
 * 1. the words of a passage depend only on its source and on the vocabulary, by which compounds are split: passages
 *    with words that the changed vocabulary splits differently are counted again;
 * 2. what depends on all passages together (how many passages have a term, how many lines have a word) is kept as
 *    counts, from which removed passages are subtracted and to which added ones are added;
 * 3. everything else is computed again from the sources.
 *
 * The result depends on the large index and on the present sources alone, so that it does not matter which changes led
 * there.
 *
 * @param sources the present sources, sorted by id; unchanged sources must be the same objects as before
 * @returns `null` if so much has changed that the index should be built again at once
 */
export function* changing(base: OpenedIndex, sources: readonly Source[]): Steps<Searched | null> {
  const { data } = base;
  // The words of synonyms only count if there is a German source.
  if (hasGerman(data.sources) !== hasGerman(sources)) return null;
  const { gone, places } = compare(data.sources, sources);
  const change = changeOf(data.sources, places);
  const come = change.come.map((number) => sources[number]!);
  if (passagesOf(base, gone) > MOST_PASSAGES) return null;
  const reader = new SourceReader();
  const goneBefore = yield* reader.reading([...gone].map((number) => data.sources[number]!));
  const comeNow = yield* reader.reading(come);
  if (comeNow === null || goneBefore === null) return null;
  const vocabulary = new ChangedVocabulary(
    base.vocabulary,
    vocabularyOf(goneBefore, reader.table),
    vocabularyOf(comeNow, reader.table),
  );

  const again = yield* sourcesOfOtherCompounds(base, vocabulary);
  if (again === null) return null;
  for (const number of again) gone.add(number);
  const small: number[] = [];
  for (let number = 0; number < places.length; number++)
    if (places[number] === NONE || gone.has(places[number]!)) small.push(number);
  const allGone = yield* reader.reading([...gone].map((number) => data.sources[number]!));
  const allCome = yield* reader.reading(small.map((number) => sources[number]!));
  if (allGone === null || allCome === null) return null;

  const isSame = (folded: string): boolean => !vocabulary.flipped.isIn(folded);
  const analysis = new Analysis(vocabulary, { analysis: base.analysis, isSame });
  const { table } = reader;
  const before = yield* counting(allGone, new WordForms(table, base.analysis));
  const now = yield* counting(allCome, new WordForms(table, analysis));
  // An index without unanswered lines has no counts of the answered lines, so it cannot be changed here.
  if (data.lines === null && now.lines.unanswered > 0) return null;

  const passagesGone = before.owners.length;
  return {
    sources,
    change,
    synonyms: data.synonyms,
    vocabulary,
    unanswered:
      data.lines === null
        ? data.unanswered
        : oftenerUnanswered(changedLines(data.lines.counts, before.lines, now.lines)),
    analysis,
    analysisBefore: base.analysis,
    touched: new Set(small.map((number) => sources[number]!)),
    speller: new Speller([...vocabulary.come, ...now.words.terms], base.speller),
    words: yield* base.words.changing({ added: now.words, gone: frequencies(before.words), passagesGone }),
    grams: yield* base.grams.changing({ added: now.grams, gone: frequencies(before.grams), passagesGone }),
    ...rangesAfter(base, { gone, places, small, now }),
    starts: joined(data.starts, now.starts),
    ends: joined(data.ends, now.ends),
    passageCount: base.passageCount - passagesGone + now.owners.length,
  };
}

const hasGerman = (sources: readonly Source[]): boolean => sources.some(({ lang }) => lang === 'de');

/** Marks a source that is new or has changed. */
const NONE = -1;

/**
 * Compares two lists that are sorted by id. `gone` has the old indexes of removed and changed sources; `places` has the
 * old index of each present source, or `NONE`.
 */
function compare(
  before: readonly Source[],
  now: readonly Source[],
): { gone: Set<number>; places: Int32Array } {
  const gone = new Set<number>();
  const places = new Int32Array(now.length).fill(NONE);
  let at = 0;
  for (let number = 0; number < now.length; number++) {
    const source = now[number]!;
    while (at < before.length && before[at] !== source && before[at]!.id < source.id) gone.add(at++);
    if (before[at] === source) places[number] = at++;
    else if (before[at]?.id === source.id) gone.add(at++);
  }
  while (at < before.length) gone.add(at++);
  return { gone, places };
}

function changeOf(before: readonly Source[], places: Int32Array): ChangeOfSources {
  const moved = new Int32Array(before.length).fill(NONE);
  const come: number[] = [];
  for (let number = 0; number < places.length; number++) {
    const place = places[number]!;
    if (place === NONE) come.push(number);
    else moved[place] = number;
  }
  return { moved, come };
}

function passagesOf({ firsts, lasts }: OpenedIndex, numbers: Iterable<number>): number {
  let count = 0;
  for (const number of numbers) count += lasts[number]! - firsts[number]!;
  return count;
}

interface ReadSource {
  readonly source: Source;
  readonly words: SourceWords;
}

function* counting(
  read: readonly ReadSource[],
  forms: WordForms,
): Steps<Counted & { readonly grams: PostingsData }> {
  const words = read.map((each) => each.words);
  const counted = yield* countingStems(words, forms);
  return { ...counted, grams: yield* countingGrams(words, forms.table.folded) };
}

/** Reads the words of each source only once. */
class SourceReader {
  readonly table = new WordTable();
  readonly #read = new Map<Source, SourceWords>();

  /** `null` if the sources have more passages than a change may have. */
  *reading(sources: readonly Source[]): Steps<ReadSource[] | null> {
    const read: ReadSource[] = [];
    let passages = 0;
    for (const source of sources) {
      let words = this.#read.get(source);
      if (words === undefined) {
        words = copied(readWords(source, this.table));
        this.#read.set(source, words);
        yield TO_READ * words.words.length;
      }
      passages += words.spans.length / 2;
      if (passages > MOST_PASSAGES) return null;
      read.push({ source, words });
    }
    return read;
  }
}

function vocabularyOf(read: readonly ReadSource[], table: WordTable): Map<string, number> {
  const counts = new VocabularyCounts(table);
  for (const { source, words } of read) if (source.lang === 'de') counts.addSource(words);
  return counts.counts();
}

/** The sources with words that the changed vocabulary splits differently; `null` if there are too many. */
function* sourcesOfOtherCompounds(
  base: OpenedIndex,
  vocabulary: ChangedVocabulary,
): Steps<Set<number> | null> {
  const { data, words } = base;
  const sources = new Set<number>();
  if (vocabulary.isSame) return sources;
  const others: string[] = [];
  for (const known of [data.vocabulary, data.otherWords])
    others.push(...(yield* otherCompounds(known, vocabulary.flipped, base.vocabulary, vocabulary)));
  for (const word of others) {
    // A line of front matter also has this word, and no list says which line. Only a new index can tell.
    if (data.lines?.words.has(word) === true) return null;
    let found = 0;
    for (const passage of words.passagesWith(stem(word, 'de'))) {
      sources.add(data.owners[passage]!);
      if (++found > MOST_PASSAGES) return null;
    }
    yield found;
  }
  return passagesOf(base, sources) > MOST_PASSAGES ? null : sources;
}

/** The number of passages with each term. */
function frequencies({ terms, blocks }: PostingsData): Map<string, number> {
  const frequencyOf = (id: number): number =>
    blocks.reduce((sum, { offsets }) => sum + offsets[id + 1]! - offsets[id]!, 0);
  return new Map(terms.map((term, id) => [term, frequencyOf(id)]));
}

interface Parts {
  readonly gone: ReadonlySet<number>;
  readonly places: Int32Array;
  /** The sources that were counted for this change, in order. */
  readonly small: readonly number[];
  readonly now: Counted;
}

/** The ranges of passages of each source; those of unchanged sources stay. */
function rangesAfter(
  base: OpenedIndex,
  { gone, places, small, now }: Parts,
): Pick<Searched, 'firsts' | 'lasts'> {
  const firsts = new Uint32Array(places.length);
  const lasts = new Uint32Array(places.length);
  for (let number = 0; number < places.length; number++) {
    const place = places[number]!;
    if (place === NONE || gone.has(place)) continue;
    firsts[number] = base.firsts[place]!;
    lasts[number] = base.lasts[place]!;
  }
  const added = rangesOf(now.owners, small.length);
  const { length: from } = base.starts;
  for (const [i, number] of small.entries()) {
    firsts[number] = from + added.firsts[i]!;
    lasts[number] = from + added.lasts[i]!;
  }
  return { firsts, lasts };
}

function joined(before: Uint32Array, added: Uint32Array): Uint32Array {
  const all = new Uint32Array(before.length + added.length);
  all.set(before);
  all.set(added, before.length);
  return all;
}
