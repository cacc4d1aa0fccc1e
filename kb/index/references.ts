import { isOfLaw, type AboutBase } from '../base/about.ts';
import { headingKey, headingKeysOf } from '../heading.ts';
import { foldToken, stem } from '../analysis/analysis.ts';
import { tokenize } from '../analysis/tokens.ts';
import type { SynonymGroup } from '../base/synonyms.ts';
import { provisionsIn, fromName, type Provision } from '../provisions.ts';
import { TO_NUMBER, TO_READ, type Steps } from '../steps.ts';
import { GrowingNumbers } from './growing.ts';
import { NumbersByName } from './numbers-by-name.ts';
import type { ChangeOfSources as Change } from './searched.ts';
import type { Source } from '../source.ts';

/** A source that a question names. */
interface Reference {
  /** The index of the source in the base. */
  readonly source: number;
  /** The Absatz (`2`, `1a`), if one is named. */
  readonly absatz: string | null;
}

/**
 * A word behind a § that looks like the name of another statute: it has two capitals, or is a German word for a law.
 */
const NAMES_ANOTHER = /\p{Lu}.*\p{Lu}|(?:gesetz|ordnung|buch)(?:e?s)?$/u;
/** The most words in the name of a statute (`Bürgerliches Gesetzbuch`, `SGB IV`). */
const NAME_WORDS = 4;
/** The approximate number of words in the id of a source and its work, in its title, or in a synonym. */
const WORDS_OF_A_NAME = 3;
const ROMAN = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII', 'XIII', 'XIV'];

/**
 * A word in mixed case without a digit (`LSt-Anmeldung`). It only names a source if it is written exactly like the
 * source's id. An id with a digit may be written in any case.
 */
const IN_MIXED_CASE = /^(?!.*\d)(?=.*\p{Lu}).*\p{Ll}/u;

/** The names of sources that were read before. */
interface ReadBefore {
  readonly change?: ChangeOfSources | null;
  readonly known?: KnownNames | null;
}

/** A change of a large base, with the names of the large base. */
interface ChangeOfSources extends Change {
  readonly large: References;
}

/**
 * The sources under each name, as plain data. Finding the names in sources takes most of the time of opening a base.
 */
interface NumberedNames {
  readonly names: readonly string[];
  /** For each name, the number of its sources, and then their numbers. */
  readonly sources: Uint32Array;
}

/** The names that sources have, for a snapshot. */
export interface KnownNames {
  readonly headings: NumberedNames;
  /** The sources of each work, under the paragraph as their ids have it (`3`, `14-16`). */
  readonly ofIds: ReadonlyMap<string, NumberedNames>;
  readonly ofNames: ReadonlyMap<string, NumberedNames>;
  readonly counts: ReadonlyMap<string, number>;
}

/** Finds the sources that a question names, by § or by id. Only exact names count. */
export class References {
  readonly #sources: readonly Source[];
  readonly #names: NamesOfSources;
  /** The names of a large base that has most sources of this base, and the numbers of its sources here. */
  readonly #before: { readonly large: NamesOfSources; readonly moved: Int32Array } | null;
  /** Works by their names, and by the other names that synonyms give them, as `nameKey` returns names. */
  readonly #works: ReadonlyMap<string, string>;
  /** The work of the base if it is the only one. */
  readonly #onlyWork: string | undefined;

  private constructor(
    sources: readonly Source[],
    names: NamesOfSources,
    works: ReadonlyMap<string, string>,
    before: { readonly large: NamesOfSources; readonly moved: Int32Array } | null,
  ) {
    this.#sources = sources;
    this.#names = names;
    this.#works = works;
    this.#before = before;
    this.#onlyWork = before === null ? onlyOf(names.works()) : undefined;
  }

  /**
   * Reads the names of the sources step by step. After a change only the new sources are read, if the other sources
   * keep their names.
   *
   * @param known the names of these sources, if they were read before
   */
  static *reading(
    sources: readonly Source[],
    synonyms: readonly SynonymGroup[],
    about: AboutBase | null = null,
    { change = null, known = null }: ReadBefore = {},
  ): Steps<References> {
    const law = about?.law ?? null;
    const changed = change === null ? null : yield* References.#changing(sources, law, change);
    if (changed !== null) return changed;
    const names = new NamesOfSources(law);
    if (known === null) {
      yield* names.readingNames(sources, sources.keys());
      yield* names.readingParagraphs(sources);
    } else yield* names.addingKnown(known);
    yield* names.readingIds(sources, [...sources.keys()]);
    const works = new Map(names.counts.keys().map((name) => [name, name]));
    for (const { from, to } of synonyms) {
      addNames(works, from, to);
      yield TO_READ * WORDS_OF_A_NAME * (from.length + to.length);
    }
    return new References(sources, names, works, null);
  }

  /**
   * `null` if the works of the base have changed, because names are recognised by the works, or if the base has fewer
   * than two works.
   */
  static *#changing(
    sources: readonly Source[],
    law: boolean | null,
    { large, moved, come }: ChangeOfSources,
  ): Steps<References | null> {
    const names = new NamesOfSources(law);
    yield* names.readingNames(sources, come);
    yield* names.readingIds(sources, come);
    const gone = new NamesOfSources(law);
    const left: number[] = [];
    for (let number = 0; number < moved.length; number++) if (moved[number]! < 0) left.push(number);
    yield* gone.readingNames(large.#sources, left);
    const before = large.#names;
    const isSame =
      [...names.counts.keys()].every((name) => before.counts.has(name)) &&
      [...gone.counts].every(
        ([name, count]) => before.counts.get(name)! - count + (names.counts.get(name) ?? 0) > 0,
      );
    if (!isSame || before.ofIds.size - gone.ofIds.size < 2) return null;
    for (const number of come) {
      const source = sources[number]!;
      if (source.forReviews === true || !isOfLaw(law, source)) continue;
      names.addParagraphs(
        paragraphsIn(source, (provision) => before.workIn(provision)),
        number,
      );
      yield TO_READ * WORDS_OF_A_NAME;
    }
    return new References(sources, names, large.#works, { large: before, moved });
  }

  /** The names that the sources have. References that were made from others by a change do not know them. */
  get known(): KnownNames {
    return this.#names.known;
  }

  /** The named sources in the order of the question, without repeats. */
  resolve(question: string): Reference[] {
    const found = new Map<number, Reference>();
    const add = (source: number, absatz: string | null): void => {
      if (!found.has(source)) found.set(source, { source, absatz });
    };
    for (const match of question.matchAll(/[A-Za-z0-9][A-Za-z0-9._-]{0,63}/gu)) {
      const typed = match[0].replace(/[._-]+$/u, '');
      const number = this.#numbers((names) => names.withId(typed.toLowerCase())).at(-1);
      const named = number === undefined ? undefined : this.#sources[number];
      // A word that happens to be an id (`urlaub`, `LSt-Anmeldung`) names no source.
      if (
        number === undefined ||
        named === undefined ||
        !(typed === named.id || !IN_MIXED_CASE.test(typed)) ||
        !/[\d_-]/u.test(typed)
      )
        continue;
      // The name of a file may be an ordinary word (`on-call`). It only names the file in brackets, as answers write
      // it.
      const isDocument = named.units !== undefined;
      const isWord = isDocument && question[match.index - 1] !== '[' && question.trim() !== typed;
      if (!isWord) add(number, null);
    }
    // A refusal suggests the headings of passages as questions. A person who asks such a question means that passage.
    const heading = headingKey(question);
    const headed = onlyOf(this.#numbers(({ byHeading }) => byHeading.get(heading)));
    if (headed !== undefined) add(headed, null);
    for (const provision of provisionsOf(question)) {
      const work =
        workIn(provision, (name) => this.#works.get(name)) ?? onlyWorkFor(provision, () => this.#onlyWork);
      if (work === undefined) continue;
      for (const [from, to] of provision.ranges) {
        for (const source of this.#between(work, from, to)) add(source, provision.absatz);
      }
    }
    return [...found.values()];
  }

  /** The sources under a name, ascending. */
  #numbers(under: (names: NamesOfSources) => Numbers | undefined): readonly number[] {
    const own = listOf(under(this.#names));
    if (this.#before === null) return own;
    const { large, moved } = this.#before;
    const before = listOf(under(large))
      .map((number) => moved[number]!)
      .filter((number) => number >= 0);
    return [...before, ...own].sort((a, b) => a - b);
  }

  /** The sources that are named by their id come before those that are named by title or section. */
  #ofParagraph(work: string, key: string): number[] {
    const ofIds = this.#numbers((names) => names.ofIds.get(work)?.get(key));
    const ofNames = this.#numbers((names) => names.ofNames.get(work)?.get(key));
    return [...new Set([...ofIds, ...ofNames])];
  }

  /** The sources of the paragraphs `from … to`, including those whose own range overlaps, in the statute's order. */
  #between(work: string, from: string, to: string): number[] {
    const exact = from === to ? this.#ofParagraph(work, from) : [];
    if (exact.length > 0) return exact;
    const keys = [this.#names, this.#before?.large].flatMap((names) =>
      [names?.ofIds, names?.ofNames].flatMap((paragraphs) => [...(paragraphs?.get(work)?.keys() ?? [])]),
    );
    const isOfId = (key: string): boolean =>
      this.#numbers((names) => names.ofIds.get(work)?.get(key)).length > 0;
    return [...new Set(keys)]
      .map((key) => ({ key, first: key.split('-')[0] ?? key, last: key.split('-').at(-1) ?? key }))
      .filter(({ first, last }) => compareParagraphs(first, to) <= 0 && compareParagraphs(last, from) >= 0)
      .map((range) => ({
        ...range,
        sources: this.#ofParagraph(work, range.key),
        rank: Number(!isOfId(range.key)),
      }))
      .filter(({ sources }) => sources.length > 0)
      .sort(
        (a, b) =>
          compareParagraphs(a.first, b.first) ||
          a.rank - b.rank ||
          a.sources[0]! - b.sources[0]! ||
          (a.key < b.key ? -1 : 1),
      )
      .flatMap(({ sources }) => sources);
  }
}

/**
 * The numbers of sources, ascending. Nearly always there is only one source, and a list for it would take more memory.
 */
type Numbers = number | number[];

/** Sources by work and paragraph; a source has one § or is based on several. */
type ByParagraph = Map<string, Map<string, Numbers>>;

/** The names of sources. */
class NamesOfSources {
  readonly #law: boolean | null;
  /** Sources by id, in small letters. */
  withId: (id: string) => number[] = () => [];
  /** Passages of documents by their heading. */
  readonly byHeading = new Map<string, Numbers>();
  /** Sources by the § in their id, and by the § in their title and section. */
  readonly ofIds: ByParagraph = new Map();
  readonly ofNames: ByParagraph = new Map();
  /** How many sources have each name of a work. */
  readonly counts = new Map<string, number>();

  constructor(law: boolean | null) {
    this.#law = law;
  }

  *readingIds(sources: readonly Source[], numbers: readonly number[]): Steps<void> {
    const ids = yield* NumbersByName.reading(numbers.length, (place) =>
      sources[numbers[place]!]!.id.toLowerCase(),
    );
    this.withId = (id) =>
      ids
        .all(id)
        .map((place) => numbers[place]!)
        .filter((number) => sources[number]!.forReviews !== true);
  }

  /**
   * Reads headings, works, and the § in ids. Titles and sections are read later, when the names of all works are known.
   */
  *readingNames(sources: readonly Source[], numbers: Iterable<number>): Steps<void> {
    for (const number of numbers) {
      const source = sources[number]!;
      if (source.forReviews === true) continue;
      yield TO_NUMBER;
      if (source.units !== undefined) {
        for (const key of headingKeysOf(source)) push(this.byHeading, key, number);
        yield TO_READ * WORDS_OF_A_NAME;
      }
      if (!isOfLaw(this.#law, source)) continue;
      const work = nameKey(source.work);
      this.#count(work);
      this.#addId(source.id, work, number);
    }
  }

  /** Reads the provisions in titles and sections. The names of all works must be known. */
  *readingParagraphs(sources: readonly Source[]): Steps<void> {
    const works = this.ofIds.size < 2 ? null : sameAsLast(this.counts);
    const workOf = (provision: Provision): string | undefined =>
      this.workIn(provision) ?? onlyWorkFor(provision, () => onlyOf(this.works()));
    for (const [number, source] of sources.entries()) {
      if (source.forReviews === true || !isOfLaw(this.#law, source)) continue;
      const before = named.get(source);
      const isKnown = before !== undefined && before.works === works;
      const paragraphs = isKnown ? before.names : paragraphsIn(source, workOf);
      if (works !== null && !isKnown) named.set(source, { works, names: paragraphs });
      yield isKnown ? TO_NUMBER : TO_READ * WORDS_OF_A_NAME;
      this.addParagraphs(paragraphs, number);
    }
  }

  addParagraphs(paragraphs: readonly Paragraphs[], number: number): void {
    for (const { work, from, to } of paragraphs) add(this.ofNames, work, keyOfRange(from, to), number);
  }

  *addingKnown({ headings, ofIds, ofNames, counts }: KnownNames): Steps<void> {
    yield* numbering(headings, this.byHeading);
    for (const [all, known] of [
      [this.ofIds, ofIds],
      [this.ofNames, ofNames],
    ] as const)
      for (const [work, paragraphs] of known) {
        const ofWork = new Map<string, Numbers>();
        yield* numbering(paragraphs, ofWork);
        all.set(work, ofWork);
      }
    for (const [name, count] of counts) this.counts.set(name, count);
  }

  get known(): KnownNames {
    return {
      headings: numbered(this.byHeading),
      ofIds: byWork(this.ofIds),
      ofNames: byWork(this.ofNames),
      counts: this.counts,
    };
  }

  workIn(provision: Provision): string | undefined {
    return workIn(provision, (name) => (this.counts.has(name) ? name : undefined));
  }

  /** The works that have paragraphs. */
  *works(): Generator<string> {
    yield* this.ofIds.keys();
    for (const work of this.ofNames.keys()) if (!this.ofIds.has(work)) yield work;
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** Adds a source by the id of an imported §: `EntgFG-3`, `SVBezGrV2021-1`, `GewO-14-16`. */
  #addId(id: string, work: string, number: number): void {
    const groups = /^(?<name>.*\p{L}\d*)-(?<from>\d+[a-z]{0,3})(?:-(?<to>\d+[a-z]{0,3}))?$/u.exec(id)?.groups;
    if (groups === undefined) return;
    const name = nameKey(groups['name'] ?? '');
    const from = groups['from'] ?? '';
    for (const key of new Set([work, name]))
      add(this.ofIds, key, keyOfRange(from, groups['to'] ?? from), number);
    this.#count(name);
  }
}

function push(lists: Map<string, Numbers>, key: string, number: number): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, number);
  else if (typeof known !== 'number') {
    if (known.at(-1) !== number) known.push(number);
  } else if (known !== number) lists.set(key, [known, number]);
}

const byWork = (all: ByParagraph): Map<string, NumberedNames> =>
  new Map([...all].map(([work, ofWork]) => [work, numbered(ofWork)]));

function numbered(lists: ReadonlyMap<string, Numbers>): NumberedNames {
  const sources = new GrowingNumbers();
  for (const numbers of lists.values()) {
    const list = listOf(numbers);
    sources.push(list.length);
    for (const number of list) sources.push(number);
  }
  return { names: [...lists.keys()], sources: sources.toArray() };
}

/** Turns the plain data back into the map, step by step. */
function* numbering({ names, sources }: NumberedNames, lists: Map<string, Numbers>): Steps<void> {
  let at = 0;
  for (const name of names) {
    const count = sources[at++]!;
    lists.set(name, count === 1 ? sources[at]! : Array.from(sources.subarray(at, at + count)));
    at += count;
    yield TO_NUMBER;
  }
}

function listOf(numbers: Numbers | undefined): readonly number[] {
  if (numbers === undefined) return [];
  return typeof numbers === 'number' ? [numbers] : numbers;
}

function add(paragraphs: ByParagraph, work: string, paragraph: string, number: number): void {
  let ofWork = paragraphs.get(work);
  if (ofWork === undefined) paragraphs.set(work, (ofWork = new Map()));
  push(ofWork, paragraph, number);
}

const keyOfRange = (from: string, to: string): string => (from === to ? from : `${from}-${to}`);

/** The only entry; undefined if there is none or more than one. */
function onlyOf<T>(all: Iterable<T>): T | undefined {
  const [only, other] = all;
  return other === undefined ? only : undefined;
}

/** The paragraphs that a source is about. */
function paragraphsIn(
  { title, section }: Source,
  workOf: (provision: Provision) => string | undefined,
): Paragraphs[] {
  // A title may also mention other paragraphs later; a section has the paragraphs on which the source is based.
  const provisions = [...provisionsOf(title).filter(({ before }) => before === ''), ...provisionsOf(section)];
  return provisions.flatMap((provision) => {
    const work = workOf(provision);
    return work === undefined ? [] : provision.ranges.map(([from, to]) => ({ work, from, to }));
  });
}

/** Other names of a work, from synonyms that stand for a work alone. */
function addNames(works: Map<string, string>, from: readonly string[], to: readonly string[]): void {
  const only = onlyOf(to);
  const work = only === undefined ? undefined : works.get(nameKey(only));
  if (work === undefined) return;
  for (const name of from) if (!works.has(nameKey(name))) works.set(nameKey(name), work);
}

/**
 * The names of works by which paragraphs are recognised. The result is the same object as long as the names are equal.
 */
function sameAsLast(works: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const isSame = lastWorks.size === works.size && works.keys().every((name) => lastWorks.has(name));
  if (!isSame) lastWorks = new Set(works.keys());
  return lastWorks;
}

/** The work that is named after the §; if there is none, the work before it. */
function workIn(
  { before, after }: Provision,
  workOf: (name: string) => string | undefined,
): string | undefined {
  const behind = wordsBehind(after);
  const keysBehind = wordKeys(behind);
  for (let size = behind.length; size > 0; size--) {
    const work = workOf(keysBehind.slice(0, size).join(''));
    if (work !== undefined) return work;
  }
  const ahead = tokenize(before)
    .slice(-NAME_WORDS)
    .map((token) => token.text);
  for (let from = 0; from < ahead.length; from++) {
    const work = workOf(wordKeys(ahead.slice(from)).join(''));
    if (work !== undefined) return work;
  }
  return undefined;
}

/** The base's only work, if the question names no work. */
const onlyWorkFor = ({ after }: Provision, only: () => string | undefined): string | undefined =>
  NAMES_ANOTHER.test(wordsBehind(after)[0] ?? '') ? undefined : only();

const wordsBehind = (after: string): string[] =>
  tokenize(fromName(after), NAME_WORDS).map((token) => token.text);

/** Paragraphs of a work. */
interface Paragraphs {
  readonly work: string;
  readonly from: string;
  readonly to: string;
}

/**
 * The provisions that each source names, given these works. They are cached because each change of a base creates its
 * references again.
 */
const named = new WeakMap<
  Source,
  { readonly works: ReadonlySet<string>; readonly names: readonly Paragraphs[] }
>();
let lastWorks: ReadonlySet<string> = new Set();

/**
 * The provisions in a text, with the words that name the statute. A name after the next § also counts for this § if the
 * two are joined.
 */
function provisionsOf(text: string): Provision[] {
  const provisions = provisionsIn(text);
  return provisions.map((provision, index) =>
    provision.isJoined ? { ...provision, after: provisions[index + 1]!.after } : provision,
  );
}

/** Sorts 7 before 7a before 8. */
function compareParagraphs(a: string, b: string): number {
  return parseInt(a, 10) - parseInt(b, 10) || (a < b ? -1 : Number(a > b));
}

/** The number of names whose keys are cached. The sources of a work repeat its name. */
const MAX_KEYS = 20_000;
const keys = new Map<string, string>();

/** The name of a work without case, spaces, umlauts and inflection; `SGB IV` and `SGB 4` are equal. */
function nameKey(name: string): string {
  let key = keys.get(name);
  if (key === undefined) {
    key = keyOf(name);
    if (keys.size === MAX_KEYS) keys.clear();
    keys.set(name, key);
  }
  return key;
}

/**
 * The keys of the words of a name; together they are the key of the name. Names share few words, so the keys are nearly
 * always cached.
 */
function wordKeys(words: readonly string[]): string[] {
  return words.map((word, number) => {
    const before = words[number - 1] ?? '';
    return IS_SGB.test(before) ? nameKey(`${before} ${word}`).slice(nameKey(before).length) : nameKey(word);
  });
}

const IS_SGB = /(?:^|[._-])sgb$/iu;

function keyOf(name: string): string {
  const tokens = tokenize(name.replace(/[._-]/gu, ' ')).map((token) => token.text);
  return tokens
    .map((token, index) => {
      const number = ROMAN.indexOf(token.toUpperCase()) + 1;
      const isBook = number > 0 && /^sgb$/iu.test(tokens[index - 1] ?? '');
      return isBook ? String(number) : stem(foldToken(token, 'de'), 'de');
    })
    .join('');
}
