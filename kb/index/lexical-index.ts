import { detectLanguage, type Analysis } from '../analysis/analysis.ts';
import type { Word } from '../analysis/word.ts';
import { tellingOf } from '../analysis/telling.ts';
import { gramsIn } from '../analysis/grams.ts';
import { lawYearOf, type AboutBase } from '../base/about.ts';
import type { Language, Passage, Source } from '../source.ts';
import type { Hit, SearchOptions } from '../hit.ts';
import { bestOf } from './best.ts';
import { languagesOf, type IndexData } from './build.ts';
import { Expander, type Expansion } from './expand.ts';
import { scoreWords, type Postings, type WeightedTerms } from './postings.ts';
import { Reader } from './reader.ts';
import { References } from './references.ts';
import { opening, type Searched } from './searched.ts';
import { atOnce, TO_NUMBER, type Steps } from '../steps.ts';
import { YearFamilies, yearsOf } from './years.ts';

/** A source's score: that of its best passage, and this share of its first one's, since texts open with their subject. */
const OPENING_WEIGHT = 0.3;
/** The score of a synonym's words, against that of the question's words that they stand for. */
const SYNONYM_WEIGHT = 1.25;
/** Questions that are asked at once, and their parts; no more are kept. */
const QUESTIONS_KEPT = 32;

/** A question as the base understands it. */
interface ReadQuestion {
  readonly question: string;
  /** The language it is analysed in: that of the base where it has but one. */
  readonly lang: Language;
  /** Its content words, as they are meant. */
  readonly words: readonly Word[];
  /** What the base's synonyms add, and the same for the stem of each word. */
  readonly expansions: readonly Expansion[];
  readonly synonyms: ReadonlyMap<string, readonly Word[]>;
}

/** How the sources are named, and what synonyms stand for. */
interface Names {
  readonly numbers: ReadonlyMap<string, number>;
  readonly languages: readonly Language[];
  readonly references: References;
  readonly expanders: Map<Language, Expander>;
}

/** What an index is made of, and its names. */
interface Opened {
  readonly searched: Searched;
  readonly names: Names;
}

/** Sources that are numbered in one step. */
const SOURCES_A_STEP = 50;

/** Most of the work of opening an index, step by step: the synonyms of a base take some tenths of a second. */
export function* readingNames(
  { sources, synonyms, analysis }: Searched,
  about: AboutBase | null = null,
): Steps<Names> {
  const numbers = new Map<string, number>();
  for (const [number, { id }] of sources.entries()) {
    numbers.set(id, number);
    if (number % SOURCES_A_STEP === 0) yield TO_NUMBER * SOURCES_A_STEP;
  }
  const references = yield* References.reading(sources, synonyms, about);
  const languages = languagesOf(sources);
  const expanders = new Map<Language, Expander>();
  for (const lang of languages) expanders.set(lang, yield* Expander.reading(synonyms, analysis, lang));
  return { numbers, languages, references, expanders };
}

function openedAtOnce(data: IndexData, about: AboutBase | null): Opened {
  const searched = atOnce(opening(data));
  return { searched, names: atOnce(readingNames(searched, about)) };
}

/**
 * Search over an index held in memory. Synchronous and deterministic; not to be entered twice at once (it keeps one
 * array of scores), which a single thread guarantees.
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
  /** A question is searched for, expanded and held against what was found: read once, also where others are asked meanwhile. */
  readonly #read = new Map<string, ReadQuestion>();
  readonly #scores: Float32Array;

  /** @param opened `data`, opened; or what it has become by changes, opened in turns of the event loop */
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
    this.#years = new YearFamilies(searched.sources, lawYearOf(about));
    this.#scores = new Float32Array(searched.starts.length);
  }

  get passageCount(): number {
    return this.data.passageCount;
  }

  /** Those of its sources, that of most of them first. */
  get languages(): readonly Language[] {
    return this.#names.languages;
  }

  source(id: string): Source | undefined {
    const number = this.#names.numbers.get(id);
    return number === undefined ? undefined : this.data.sources[number];
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
    const expansions = expander.expand(words);
    const synonyms = new Map<string, readonly Word[]>();
    for (const { stems, words } of expansions) {
      for (const term of stems) synonyms.set(term, [...(synonyms.get(term) ?? []), ...words]);
    }
    return { question, lang, words, expansions, synonyms };
  }

  /** True where a stem occurs in the source: its text, title or section, or as part of one of their compounds. */
  occurs(term: string, sourceId: string): boolean {
    const number = this.#names.numbers.get(sourceId);
    if (number === undefined) return false;
    return this.words.occursIn(term, this.data.firsts[number]!, this.data.lasts[number]!);
  }

  /** The years for which the base has the source's rule, ascending. Empty if the rule is not kept by year. */
  yearsOf(source: Source): number[] {
    return this.#years.of(source);
  }

  /** Best first, ties by id; what the question names comes before all else. */
  search(question: string, { topK }: SearchOptions): Hit[] {
    return this.rank(question, this.score(question), topK);
  }

  /** Hits of a whole question as they are for a part of it: `referenced` is what the part names. */
  namedIn(part: string, hits: readonly Hit[]): Hit[] {
    const named = new Set(
      this.#names.references.resolve(part).map(({ source }) => this.data.sources[source]),
    );
    return hits.map((hit) => ({ ...hit, referenced: named.has(hit.source) }));
  }

  /** The score of every passage; the array is overwritten by the next search. */
  score(question: string): Float32Array {
    const scores = this.#scores.fill(0);
    const asked = this.read(question);
    scoreWords(weigh(asked.words, asked.lang), 1, this.words, this.grams, scores);
    // A synonym gets the weight of the question words that it replaces, but no more than the highest idf of its own
    // words: `Chef` may be rare in a base where `Arbeitgeber` is in every passage.
    const idfOf = (stems: Iterable<string>): number =>
      [...stems].reduce((sum, s) => sum + this.words.idf(s), 0);
    const total = idfOf(new Set(asked.words.map((word) => word.term)));
    for (const { stems, words } of asked.expansions) {
      const telling = Math.max(...words.map((word) => this.words.idf(word.term)));
      const weight = (SYNONYM_WEIGHT * Math.min(idfOf(stems), telling)) / total;
      scoreWords(weigh(words, asked.lang), weight, this.words, this.grams, scores);
    }
    return scores;
  }

  /** The best sources by the scores of their passages. */
  rank(question: string, scores: Float32Array, topK: number): Hit[] {
    const best = this.#pool(scores);
    const years = yearsOf(question);
    this.#years.reorder(best, years);
    const references = this.#names.references
      .resolve(question)
      .filter(({ source }) => !this.#years.isPast(source, years));
    const absatz = new Map(references.map((reference) => [reference.source, reference.absatz]));
    const byScore = [...absatz.keys()].sort((a, b) => best[b]! - best[a]! || a - b);
    const named = this.#years.inOrder(byScore, years);
    const found = bestOf(best, topK + named.length).filter((number) => !absatz.has(number));
    const synonyms = new Map(
      [...this.read(question).synonyms].map(([stem, words]) => [stem, words.map((word) => word.term)]),
    );
    return [...named, ...found]
      .slice(0, topK)
      .map((number) => ({ ...this.#hit(number, best[number]!, scores, absatz.get(number)), synonyms }));
  }

  /** The best passage decides, and how near the source's opening is to the question. */
  #pool(scores: Float32Array): Float32Array {
    const { sources, firsts, lasts } = this.data;
    const pooled = new Float32Array(sources.length);
    for (let number = 0; number < sources.length; number++) {
      const first = firsts[number]!;
      const end = lasts[number]!;
      let best = 0;
      for (let passage = first; passage < end; passage++) best = Math.max(best, scores[passage]!);
      pooled[number] = best + OPENING_WEIGHT * scores[first]!;
    }
    return pooled;
  }

  /** `absatz` is undefined for a source that was found, not named. */
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

  /** Whether a passage has this Absatz: `(2)` at the start of a line. */
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

/** A part of a compound in the question, against the whole word. */
const PART_WEIGHT = 0.5;

/** Weights each word once, by how much it tells. The parts of a compound weigh less than the word itself. */
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
