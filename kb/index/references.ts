import { isOfLaw, type AboutBase } from '../base/about.ts';
import { headingKey, headingKeysOf } from '../heading.ts';
import { foldToken, stem } from '../analysis/analysis.ts';
import { tokenize } from '../analysis/tokens.ts';
import type { SynonymGroup } from '../base/synonyms.ts';
import { provisionsIn, fromName, type Provision } from '../provisions.ts';
import { TO_NUMBER, TO_READ, type Steps } from '../steps.ts';
import type { Source } from '../source.ts';

/** A source that a question names. */
interface Reference {
  /** The index of the source in the base. */
  readonly source: number;
  /** The Absatz (`2`, `1a`), if one is named. */
  readonly absatz: string | null;
}

/** Looks like the name of a statute: two capitals, or a German word for a law. */
const NAMES_ANOTHER = /\p{Lu}.*\p{Lu}|(?:gesetz|ordnung|buch)(?:e?s)?$/u;
/** The most words in the name of a statute (`Bürgerliches Gesetzbuch`, `SGB IV`). */
const NAME_WORDS = 4;
/** The approximate number of words in the id of a source and its work, in its title, or in a synonym. */
const WORDS_OF_A_NAME = 3;
const ROMAN = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII', 'XIII', 'XIV'];

/** A word with an abbreviation in mixed case. An id with a digit may be written in any case. */
const IN_MIXED_CASE = /^(?!.*\d)(?=.*\p{Lu}).*\p{Ll}/u;

/** Finds the sources that a question names, by § or by id. Only exact names count. */
export class References {
  readonly #sources: readonly Source[];
  /** Sources by id, in small letters. */
  readonly #byId = new Map<string, number>();
  /** Sources by work and paragraph; a source has one § or is based on several. */
  readonly #byParagraph = new Map<string, Map<string, number[]>>();
  /** Passages of documents by what they stand under; `null` where several stand under the same. */
  readonly #byHeading = new Map<string, number | null>();
  /** Other names of a work, as `nameKey` spells them. */
  readonly #works = new Map<string, string>();

  private constructor(sources: readonly Source[]) {
    this.#sources = sources;
  }

  /** Reads the names of the sources step by step. */
  static *reading(
    sources: readonly Source[],
    synonyms: readonly SynonymGroup[],
    about: AboutBase | null = null,
  ): Steps<References> {
    const references = new References(sources);
    const isLaw = (source: Source): boolean => isOfLaw(about?.law ?? null, source);
    for (const [number, source] of sources.entries()) {
      const isDocument = source.units !== undefined;
      references.#byId.set(source.id.toLowerCase(), number);
      yield 2 * TO_NUMBER;
      if (isDocument) {
        for (const key of headingKeysOf(source))
          references.#byHeading.set(key, references.#byHeading.has(key) ? null : number);
        yield TO_READ * WORDS_OF_A_NAME;
      }
      if (!isLaw(source)) continue;
      const work = nameKey(source.work);
      references.#works.set(work, work);
      references.#addId(source.id, work, number);
    }
    const works = references.#knownWorks();
    for (const [number, source] of sources.entries()) {
      if (!isLaw(source)) continue;
      const known = named.get(source);
      const isKnown = known !== undefined && known.works === works;
      const names = isKnown ? known.names : references.#namesOf(source);
      if (works !== null && !isKnown) named.set(source, { works, names });
      yield isKnown ? TO_NUMBER : TO_READ * WORDS_OF_A_NAME;
      for (const { work, from, to } of names) references.#add(work, from, to, number);
    }
    for (const { from, to } of synonyms) {
      references.#addNames(from, to);
      yield TO_READ * WORDS_OF_A_NAME * (from.length + to.length);
    }
    return references;
  }

  /** The named sources in the order of the question, without repeats. */
  resolve(question: string): Reference[] {
    const found = new Map<number, Reference>();
    const add = (source: number, absatz: string | null): void => {
      if (!found.has(source)) found.set(source, { source, absatz });
    };
    for (const match of question.matchAll(/[A-Za-z0-9][A-Za-z0-9._-]{0,63}/gu)) {
      const typed = match[0].replace(/[._-]+$/u, '');
      const number = this.#byId.get(typed.toLowerCase());
      const named = number === undefined ? undefined : this.#sources[number];
      // A word that is by chance an id (`urlaub`, `LSt-Anmeldung`) names nothing.
      if (
        number === undefined ||
        named === undefined ||
        !(typed === named.id || !IN_MIXED_CASE.test(typed)) ||
        !/[\d_-]/u.test(typed)
      )
        continue;
      // The name of a file is an ordinary word (`on-call`), unless it is in brackets as in answers.
      const isDocument = named.units !== undefined;
      const isWord = isDocument && question[match.index - 1] !== '[' && question.trim() !== typed;
      if (!isWord) add(number, null);
    }
    // A refusal suggests questions that are the headings of a passage. Who asks one of them means that passage.
    const headed = this.#byHeading.get(headingKey(question));
    if (headed !== undefined && headed !== null) add(headed, null);
    for (const provision of provisionsOf(question)) {
      const work = this.#workOf(provision);
      const paragraphs = work === undefined ? undefined : this.#byParagraph.get(work);
      if (paragraphs === undefined) continue;
      for (const [from, to] of provision.ranges) {
        for (const source of sourcesBetween(paragraphs, from, to)) add(source, provision.absatz);
      }
    }
    return [...found.values()];
  }

  /** Other names of a work, from synonyms that stand for a work alone. */
  #addNames(from: readonly string[], to: readonly string[]): void {
    const [only, other] = to;
    const work = only === undefined || other !== undefined ? undefined : this.#works.get(nameKey(only));
    if (work === undefined) return;
    for (const name of from) if (!this.#works.has(nameKey(name))) this.#works.set(nameKey(name), work);
  }

  /** `EntgFG-3`, `SVBezGrV2021-1`, `GewO-14-16`: the id of an imported §. */
  #addId(id: string, work: string, number: number): void {
    const groups = /^(?<name>.*\p{L}\d*)-(?<from>\d+[a-z]{0,3})(?:-(?<to>\d+[a-z]{0,3}))?$/u.exec(id)?.groups;
    if (groups === undefined) return;
    const name = nameKey(groups['name'] ?? '');
    const from = groups['from'] ?? '';
    for (const key of new Set([work, name])) this.#add(key, from, groups['to'] ?? from, number);
    if (!this.#works.has(name)) this.#works.set(name, name);
  }

  /** The paragraphs that a source is about. */
  #namesOf({ title, section }: Source): Paragraphs[] {
    // A title may go on to mention other paragraphs; a section has those on which the source is based.
    const provisions = [
      ...provisionsOf(title).filter(({ before }) => before === ''),
      ...provisionsOf(section),
    ];
    return provisions.flatMap((provision) => {
      const work = this.#workOf(provision);
      return work === undefined ? [] : provision.ranges.map(([from, to]) => ({ work, from, to }));
    });
  }

  /**
   * The works by which names are resolved, the same object as long as they are equal; `null` if there are fewer than
   * two, because the result then also depends on other sources.
   */
  #knownWorks(): ReadonlyMap<string, string> | null {
    if (this.#byParagraph.size < 2) return null;
    const isSame =
      lastWorks.size === this.#works.size &&
      this.#works.entries().every(([name, work]) => lastWorks.get(name) === work);
    if (!isSame) lastWorks = new Map(this.#works);
    return lastWorks;
  }

  #add(work: string, from: string, to: string, number: number): void {
    let paragraphs = this.#byParagraph.get(work);
    if (paragraphs === undefined) this.#byParagraph.set(work, (paragraphs = new Map()));
    const key = from === to ? from : `${from}-${to}`;
    const known = paragraphs.get(key);
    if (known === undefined) paragraphs.set(key, [number]);
    else if (!known.includes(number)) known.push(number);
  }

  /** The work that is named after the § or, failing that, before it; the base's only work if none is named. */
  #workOf({ before, after }: Provision): string | undefined {
    const behind = tokenize(fromName(after), NAME_WORDS).map((token) => token.text);
    const keysBehind = wordKeys(behind);
    for (let size = behind.length; size > 0; size--) {
      const work = this.#works.get(keysBehind.slice(0, size).join(''));
      if (work !== undefined) return work;
    }
    const ahead = tokenize(before)
      .slice(-NAME_WORDS)
      .map((token) => token.text);
    for (let from = 0; from < ahead.length; from++) {
      const work = this.#works.get(wordKeys(ahead.slice(from)).join(''));
      if (work !== undefined) return work;
    }
    if (NAMES_ANOTHER.test(behind[0] ?? '')) return undefined;
    const [only, other] = this.#byParagraph.keys();
    return other === undefined ? only : undefined;
  }
}

/** Paragraphs of a work. */
interface Paragraphs {
  readonly work: string;
  readonly from: string;
  readonly to: string;
}

/** What each source names, given these works: cached, because each change of a base creates its references anew. */
const named = new WeakMap<
  Source,
  { readonly works: ReadonlyMap<string, string>; readonly names: readonly Paragraphs[] }
>();
let lastWorks: ReadonlyMap<string, string> = new Map();

/**
 * The provisions in a text, with the words that have the statute's name. A name after the next § also counts for this
 * one if they are joined.
 */
function provisionsOf(text: string): Provision[] {
  const provisions = provisionsIn(text);
  return provisions.map((provision, index) =>
    provision.isJoined ? { ...provision, after: provisions[index + 1]!.after } : provision,
  );
}

/** The sources of the paragraphs `from … to`, including those whose own range overlaps, in the statute's order. */
function sourcesBetween(
  paragraphs: ReadonlyMap<string, readonly number[]>,
  from: string,
  to: string,
): number[] {
  const exact = paragraphs.get(from === to ? from : `${from}-${to}`);
  if (exact !== undefined && from === to) return [...exact];
  return [...paragraphs]
    .map(([key, sources]) => ({
      first: key.split('-')[0] ?? key,
      last: key.split('-').at(-1) ?? key,
      sources,
    }))
    .filter(({ first, last }) => compareParagraphs(first, to) <= 0 && compareParagraphs(last, from) >= 0)
    .sort((a, b) => compareParagraphs(a.first, b.first))
    .flatMap(({ sources }) => sources);
}

/** Sorts 7 before 7a before 8. */
function compareParagraphs(a: string, b: string): number {
  return parseInt(a, 10) - parseInt(b, 10) || (a < b ? -1 : Number(a > b));
}

/** The number of names whose keys are cached, because the sources of a work repeat its name. */
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
 * The keys of the words of a name, which together are the key of the name. There are few words in many names, so that their keys are
 * nearly always known.
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
