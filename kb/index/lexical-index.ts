import { detectLanguage, fold, type Analysis } from '../analysis/analysis.ts';
import type { Word } from '../analysis/word.ts';
import { tellingOf } from '../analysis/telling.ts';
import { kinOfVerb, verbsApart } from '../analysis/verbs.ts';
import { gramsIn } from '../analysis/grams.ts';
import { quantitiesAsked } from '../analysis/families.ts';
import { lawYearOf, type AboutBase } from '../base/about.ts';
import { placeIn } from '../base/sorted-place.ts';
import type { Language, Passage, Source } from '../source.ts';
import type { Hit, SearchOptions } from '../hit.ts';
import { bestOf } from './best.ts';
import type { IndexData } from './build.ts';
import { Expander, type Expansion } from './expand.ts';
import { scoreLikely, type Likely } from './likely.ts';
import { poolAll, scoreOfSource } from './pooled.ts';
import { clausesOf, type Clause, type Postings, type WeightedTerms } from './postings.ts';
import { Reader } from './reader.ts';
import { References, type KnownNames } from './references.ts';
import { opening, type Searched } from './searched.ts';
import { atOnce, TO_NUMBER, type Steps } from '../steps.ts';
import { YearFamilies, yearsOf } from './years.ts';

/** The weight of synonyms, relative to the question's words that they replace. */
const SYNONYM_WEIGHT = 1.25;
/** The number of read questions that are kept: questions that are asked at the same time, and their parts. */
const QUESTIONS_KEPT = 32;

/** A question as the base understands it. */
interface ReadQuestion {
  readonly question: string;
  /** The language of the analysis: the base's if it has only one. */
  readonly lang: Language;
  /** The content words after correction. */
  readonly words: readonly Word[];
  /** The words that the base's synonyms add: all expansions, and the added words by the stem of each word. */
  readonly expansions: readonly Expansion[];
  readonly synonyms: ReadonlyMap<string, readonly Word[]>;
}

/** The names of sources, and the synonyms. */
export interface Names {
  /** The languages of the base's sources, the most frequent first. */
  readonly languages: readonly Language[];
  readonly references: References;
  readonly years: YearFamilies;
  readonly expanders: Map<Language, Expander>;
}

/** The data of an index, and its names. */
interface Opened {
  readonly searched: Searched;
  readonly names: Names;
}

/** The best sources. Sources that the question names by their provision come first. */
interface Ranked {
  readonly numbers: readonly number[];
  /** The score of each source. */
  readonly best: Float32Array;
  /** The Absatz that the question names, by the source. */
  readonly absatz: ReadonlyMap<number, string | null>;
}

interface NamesBefore {
  readonly large?: Names;
  readonly known?: KnownNames;
}

/** The number of sources that are numbered in one step. */
const SOURCES_A_STEP = 50;

/**
 * Most of the work of opening an index, step by step, because the synonyms of a base take some tenths of a second.
 *
 * @param before the names of the large index of which this one is a change, or the names that a snapshot contains
 */
export function* readingNames(
  { sources, change, synonyms, analysis }: Searched,
  about: AboutBase | null = null,
  { large, known }: NamesBefore = {},
): Steps<Names> {
  const languages = yield* readingLanguages(sources);
  const references = yield* References.reading(sources, synonyms, about, {
    change: large === undefined || change === null ? null : { large: large.references, ...change },
    known: known ?? null,
  });
  const years = yield* YearFamilies.reading(sources, lawYearOf(about));
  const expanders = new Map<Language, Expander>();
  for (const lang of languages) expanders.set(lang, yield* Expander.reading(synonyms, analysis, lang));
  return { languages, references, years, expanders };
}

/** The languages of sources, the most frequent first. */
function* readingLanguages(sources: readonly Source[]): Steps<Language[]> {
  const counts = { de: 0, en: 0 };
  for (let number = 0; number < sources.length; number++) {
    counts[sources[number]!.lang]++;
    if (number % SOURCES_A_STEP === 0) yield TO_NUMBER * SOURCES_A_STEP;
  }
  return (['de', 'en'] as const)
    .filter((lang) => counts[lang] > 0)
    .toSorted((a, b) => counts[b] - counts[a] || (a < b ? -1 : 1));
}

function openedAtOnce(data: IndexData, about: AboutBase | null): Opened {
  const searched = atOnce(opening(data));
  return { searched, names: atOnce(readingNames(searched, about)) };
}

/**
 * Search in an index in memory. It is synchronous and deterministic, and must not be entered twice at once, because it
 * has one array of scores; a single thread guarantees that.
 */
export class LexicalIndex {
  readonly data: Searched;
  readonly about: AboutBase | null;
  readonly analysis: Analysis;
  readonly words: Postings;
  readonly grams: Postings;
  readonly #names: Names;
  readonly #years: YearFamilies;
  readonly #reader: Reader;
  /** A question is read once for search, expansion and comparison with the hits, even if others are asked meanwhile. */
  readonly #read = new Map<string, ReadQuestion>();
  readonly #scores: Float32Array;
  /** The score of each source. */
  readonly #pooled: Float32Array;

  /**
   * @param opened the opened form of `data`, possibly changed since, if it was opened step by step; otherwise `data` is
   * opened here at once
   */
  constructor(
    data: IndexData,
    about: AboutBase | null = null,
    { searched, names }: Opened = openedAtOnce(data, about),
  ) {
    this.data = searched;
    this.about = about;
    this.analysis = searched.analysis;
    this.words = searched.words;
    this.grams = searched.grams;
    this.#names = names;
    this.#reader = new Reader(searched, about);
    this.#years = names.years;
    this.#scores = new Float32Array(searched.starts.length);
    this.#pooled = new Float32Array(searched.sources.length);
  }

  get passageCount(): number {
    return this.data.passageCount;
  }

  /** The languages of the base's sources, the most frequent first. */
  get languages(): readonly Language[] {
    return this.#names.languages;
  }

  source(id: string): Source | undefined {
    const number = this.#numberOf(id);
    return number === undefined ? undefined : this.data.sources[number];
  }

  #numberOf(id: string): number | undefined {
    const { sources } = this.data;
    const number = placeIn(sources, id, (source) => source.id);
    return sources[number]?.id === id ? number : undefined;
  }

  read(question: string): ReadQuestion {
    const known = this.#read.get(question);
    if (known !== undefined) return known;
    const read = this.#readNow(question);
    this.#read.set(question, read);
    const [oldest] = this.#read.keys();
    if (this.#read.size > QUESTIONS_KEPT) this.#read.delete(oldest!);
    return read;
  }

  #readNow(question: string): ReadQuestion {
    const [only, other] = this.#names.languages;
    const lang = only !== undefined && other === undefined ? only : detectLanguage(question, only);
    const expander = this.#expander(lang);
    const words = this.#reader.read(question, lang, (term) => expander.begins(term));
    const expansions = [...expander.expand(words), ...this.#related(question, words, lang)];
    const synonyms = new Map<string, readonly Word[]>();
    for (const { stems, words } of expansions) {
      for (const term of stems) synonyms.set(term, [...(synonyms.get(term) ?? []), ...words]);
    }
    return { question, lang, words, expansions, synonyms };
  }

  /**
   * The words of a question in the forms that the base has. A verb whose prefix stands apart becomes one word (`lege …
   * an`: `anlegen`). In a base of documents, other forms and the nouns of verbs are added (`trete … aus`: `Austritt`,
   * `aufgelöst`: `auflösen`), and the nouns of quantities (`wie hoch`: `Höhe`).
   */
  #related(question: string, words: readonly Word[], lang: Language): Expansion[] {
    const apart = new Map(lang === 'de' ? verbsApart(question).map(({ start, text }) => [start, text]) : []);
    const quantities = new Map(quantitiesAsked(question, lang).map(({ start, nouns }) => [start, nouns]));
    return words.flatMap((word) => {
      const text = apart.get(word.start);
      const isVerb = lang === 'de' && /^\p{Ll}/u.test(word.text);
      const others = this.#reader.isOfDocuments
        ? [isVerb ? kinOfVerb(fold(text ?? word.text, lang)) : [], quantities.get(word.start) ?? []]
        : [];
      const known = [text ?? [], ...others]
        .flat()
        .flatMap((each) => this.analysis.words(each, lang))
        .filter(
          ({ term }) =>
            term !== word.term && !word.parts.includes(term) && this.words.passageFrequency(term) > 0,
        );
      return known.length === 0 ? [] : [{ stems: [word.term], words: known }];
    });
  }

  /** True if a stem occurs in the text, title or section of a source, or as part of a compound there. */
  occurs(term: string, sourceId: string): boolean {
    const number = this.#numberOf(sourceId);
    if (number === undefined) return false;
    return this.words.occursIn(term, this.data.firsts[number]!, this.data.lasts[number]!);
  }

  /** The years for which the base has the source's rule, ascending. Empty if the rule is not kept by year. */
  yearsOf(source: Source): number[] {
    return this.#years.of(source);
  }

  /**
   * The best sources first; equal scores in the order of ids. Sources that the question names come before all others.
   */
  search(question: string, { topK }: SearchOptions): Hit[] {
    const likely = this.#scoreLikely(question, topK);
    if (likely !== null) {
      const ranked = this.#ranked(question, this.#poolOf(likely.sources), topK);
      const last = ranked.numbers.at(-1);
      // If fewer sources are found, or the last one has a low score, a source that was not scored may belong to the
      // best.
      if (ranked.numbers.length === topK && ranked.best[last!]! > likely.others)
        return this.#hits(question, this.#scores, ranked);
    }
    return this.rank(question, this.score(question), topK);
  }

  /** Scores only sources that can be among the best, if this is faster. */
  #scoreLikely(question: string, topK: number): Likely | null {
    const named = this.#names.references.resolve(question).map(({ source }) => source);
    return scoreLikely(this.#clausesOf(question), this.#scores, this.data, {
      count: topK + named.length,
      added: this.#years.mostAdded,
      withOthers: (sources) => this.#years.withFamilies([...sources, ...named]),
    });
  }

  /**
   * The hits of a whole question for a part of the question: `referenced` is set for the sources that the part names.
   */
  namedIn(part: string, hits: readonly Hit[]): Hit[] {
    const named = new Set(
      this.#names.references.resolve(part).map(({ source }) => this.data.sources[source]),
    );
    return hits.map((hit) => ({ ...hit, referenced: named.has(hit.source) }));
  }

  /** The score of every passage. The next search overwrites the array. */
  score(question: string): Float32Array {
    const scores = this.#scores.fill(0);
    for (const { postings, term, weight } of this.#clausesOf(question))
      postings.accumulate(term, weight, scores);
    return scores;
  }

  /** The terms of the question with their weights, in the order in which their values are added. */
  #clausesOf(question: string): Clause[] {
    const asked = this.read(question);
    const clauses = clausesOf(weigh(asked.words, asked.lang), 1, this.words, this.grams);
    // A synonym gets the weight of the question words that it replaces, but no more than the highest idf of its own
    // words: `Chef` may be rare in a base where `Arbeitgeber` is in every passage.
    const idfOf = (stems: Iterable<string>): number =>
      [...stems].reduce((sum, s) => sum + this.words.idf(s), 0);
    const total = idfOf(new Set(asked.words.map((word) => word.term)));
    for (const { stems, words } of asked.expansions) {
      const telling = Math.max(...words.map((word) => this.words.idf(word.term)));
      const weight = (SYNONYM_WEIGHT * Math.min(idfOf(stems), telling)) / total;
      clauses.push(...clausesOf(weigh(words, asked.lang), weight, this.words, this.grams));
    }
    return clauses;
  }

  /** The best sources by the scores of their passages. */
  rank(question: string, scores: Float32Array, topK: number): Hit[] {
    return this.#hits(question, scores, this.#ranked(question, this.#pool(scores), topK));
  }

  /** @param best the score of each source; the scores of a rule's years are exchanged in place */
  #ranked(question: string, best: Float32Array, topK: number): Ranked {
    const years = yearsOf(question);
    this.#years.reorder(best, years);
    const references = this.#names.references
      .resolve(question)
      .filter(({ source }) => !this.#years.isPast(source, years));
    const absatz = new Map(references.map((reference) => [reference.source, reference.absatz]));
    const byScore = [...absatz.keys()].sort((a, b) => best[b]! - best[a]! || a - b);
    const named = this.#years.inOrder(byScore, years);
    const found = bestOf(best, topK + named.length).filter((number) => !absatz.has(number));
    return { numbers: [...named, ...found].slice(0, topK), best, absatz };
  }

  #hits(question: string, scores: Float32Array, { numbers, best, absatz }: Ranked): Hit[] {
    const synonyms = new Map(
      [...this.read(question).synonyms].map(([stem, words]) => [stem, words.map((word) => word.term)]),
    );
    return numbers.map((number) => ({
      ...this.#hit(number, best[number]!, scores, absatz.get(number)),
      synonyms,
    }));
  }

  /** The score of each source. */
  #pool(scores: Float32Array): Float32Array {
    return poolAll(scores, this.data, this.#pooled);
  }

  /** The scores of these sources alone; all others have 0. */
  #poolOf(sources: Iterable<number>): Float32Array {
    const { firsts, lasts } = this.data;
    const pooled = this.#pooled.fill(0);
    for (const number of sources)
      pooled[number] = scoreOfSource(this.#scores, firsts[number]!, lasts[number]!);
    return pooled;
  }

  /** `absatz` is undefined for a source that the question does not name. */
  #hit(number: number, score: number, scores: Float32Array, absatz: string | null | undefined): Hit {
    const { sources, firsts, lasts } = this.data;
    const source = sources[number]!;
    const passages: number[] = [];
    for (let p = firsts[number]!; p < lasts[number]!; p++) {
      if (scores[p]! > 0 || absatz !== undefined) passages.push(p);
    }
    const named = (p: number): number =>
      Number(typeof absatz === 'string' && this.#holdsAbsatz(source, p, absatz));
    passages.sort((a, b) => named(b) - named(a) || scores[b]! - scores[a]! || a - b);
    return {
      source,
      score,
      passages: passages.map((p) => this.#passage(source, p)),
      referenced: absatz !== undefined,
    };
  }

  /** Whether a passage has this Absatz: `(2)` at the beginning of a line. */
  #holdsAbsatz({ text }: Source, passage: number, absatz: string): boolean {
    const { starts, ends } = this.data;
    const at = `\n${text}`.indexOf(`\n(${absatz}) `);
    return at >= starts[passage]! && at < ends[passage]!;
  }

  #passage(source: Source, passage: number): Passage {
    const start = this.data.starts[passage]!;
    return { source, start, text: source.text.slice(start, this.data.ends[passage]) };
  }

  #expander(lang: Language): Expander {
    const known = this.#names.expanders.get(lang);
    if (known !== undefined) return known;
    const expander = atOnce(Expander.reading(this.data.synonyms, this.analysis, lang));
    this.#names.expanders.set(lang, expander);
    return expander;
  }
}

/** The weight of a part of a compound in the question, relative to the whole word. */
const PART_WEIGHT = 0.5;

/** Weights each distinct word by how much it says about the subject; parts of a compound weigh less. */
function weigh(words: readonly Word[], lang: Language): WeightedTerms {
  const told = words.map((word) => ({ word, weight: tellingOf(word.folded, lang) }));
  const terms = new Map(told.map(({ word, weight }) => [word.term, weight]));
  const grams = new Map<string, number>();
  for (const { word, weight } of told) {
    for (const part of word.parts) if (!terms.has(part)) terms.set(part, PART_WEIGHT * weight);
    for (const gram of gramsIn([word])) grams.set(gram, Math.max(grams.get(gram) ?? 0, weight));
  }
  return { terms, grams };
}
