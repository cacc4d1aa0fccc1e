import { fold } from '../analysis/fold.ts';
import type { Word } from '../analysis/analysis.ts';
import type { LexicalIndex, QueryTerm } from '../index/lexical-index.ts';
import type { Language } from '../knowledge.ts';
import { splitSentences } from '../sentences.ts';
import { namesCountry } from './countries.ts';
import { tellingOf } from './everyday.ts';
import { namesMonth } from './months.ts';

/** A content word of a question, with what it counts for when passages are held against it. */
export interface AskedWord extends Word {
  readonly weight: number;
  /** A noun, a name or a figure: it says what is asked about. */
  readonly noun: boolean;
  /**
   * A country or the number of a provision: without it the question is another one (`always`). So it is mostly without a
   * name, which may yet be that of somebody in the asker's story, or an abbreviation of offices.
   */
  readonly named: 'always' | 'mostly' | 'no';
  /** Stands somewhere in the base: not mistyped, then. */
  readonly known: boolean;
  /** Was read as a near word that the base has. */
  readonly corrected: boolean;
  /** How much rather it stands in questions that no source answers than in those that one does. */
  readonly unanswered: number;
  /** Stems that the base's synonyms give for it. */
  readonly synonyms: readonly string[];
}

/**
 * German verbs and adjectives carry less of what is asked than nouns, which are written with a capital; less still
 * where the base does not use them at all, since a question is put in its own words (`kriege`, `rausgeworfen`).
 */
const PLAIN = 0.8;
const PLAIN_UNKNOWN = 0.5;
/** Where capitals tell nothing: what the base does not use may be such a word, or what is asked for. */
const UNKNOWN = 0.9;
/** What stands beside the sentence that asks tells the asker's story. */
const STORY = 0.6;
/** As if each base had so many passages: what others are added must not change what a word counts for. */
const PASSAGES = 1000;

/** Content words of a question, weighed by rarity in this base and by kind; years are told apart (`yearsIn`). */
export function askedWords(index: LexicalIndex, question: string): AskedWord[] {
  const lang = index.languageOf(question);
  const terms = index.queryTerms(question).filter(
    (term) =>
      !isYear(term.text) &&
      !isDate(term.text) &&
      // A figure of the asker's own case.
      !(term.passageFrequency === 0 && isFigure(term, question)),
  );
  const synonyms = index.expansionOfEach(question);
  const cased = isCased(terms, question);
  const asks = askingIn(question);
  return terms.map((term, i) => {
    const known = term.passageFrequency > 0;
    const own = isFigure(term, question) || namesMonth(term.folded);
    const others = synonyms.get(term.term) ?? [];
    const foreign = namesCountry(term.folded);
    const elsewhere = lang === 'de' && !known && others.length === 0 && isPlace(term, question);
    const name = cased && (elsewhere || isName(terms, i, lang, question));
    return {
      ...term,
      weight:
        rarityOf(index, term.term) *
        (asks(term.start) ? 1 : STORY) *
        (own ? PLAIN_UNKNOWN : cased ? kindWeight(term, lang) : known ? 1 : UNKNOWN),
      noun: !own && (!cased || isCapital(term.text) || /\p{N}/u.test(term.text)),
      named: own ? 'no' : foreign || isProvision(term, question) ? 'always' : name ? 'mostly' : 'no',
      known,
      corrected:
        fold(term.text.replaceAll(/\u00AD|['’].*$/gu, ''), lang) !== term.folded && !/\p{N}/u.test(term.text),
      unanswered: index.data.unanswered.get(term.term) ?? 0,
      synonyms: others.flatMap((word) => [word.term, ...word.parts]),
    };
  });
}

/** How telling a word is: rare in this base, and not asked about everything. */
export function rarityOf(index: LexicalIndex, stem: string): number {
  return tellingOf(stem) * Math.log(1 + PASSAGES / (index.words.passageFrequency(stem) + 0.5));
}

/** Whether a place in the question lies in a sentence that asks; all do where none ends in a question mark. */
export function askingIn(question: string): (at: number) => boolean {
  const sentences = splitSentences(question);
  const asking = sentences.filter(({ text }) => text.endsWith('?'));
  if (asking.length === 0 || sentences.length === asking.length) return () => true;
  return (at) => asking.some(({ start, text }) => at >= start && at < start + text.length);
}

/** What a word counts for beside its rarity. */
function kindWeight({ text, passageFrequency }: QueryTerm, lang: Language): number {
  if (isCapital(text) || /\p{N}/u.test(text)) return 1;
  if (passageFrequency === 0) return PLAIN_UNKNOWN;
  return lang === 'de' ? PLAIN : 1;
}

/** False for a question typed without capitals, but for the first word of a sentence, or in capitals throughout. */
function isCased(terms: readonly QueryTerm[], question: string): boolean {
  return (
    terms.some((term) => isInnerCapital(term, question)) && terms.some(({ text }) => /\p{Ll}/u.test(text))
  );
}

export const isYear = (text: string): boolean => /^(?:19|20)\d{2}$/u.test(text);

const isDate = (text: string): boolean => /^\d{1,2}\.\d{1,2}(?:\.(?:\d{2}|\d{4}))?$/u.test(text);

/** What begins with a figure tells the asker's own case (`300 Euro`, `20h`), unless it is the number of a provision. */
const isFigure = (word: Word, question: string): boolean =>
  /^\p{N}/u.test(word.text) && !isProvision(word, question);

/** `§ 616`: another one says another thing. */
function isProvision({ text, start }: Word, question: string): boolean {
  return /^\p{N}/u.test(text) && /§\s?$/u.test(question.slice(0, start));
}

/** In German a noun without article after `in` or `aus` (`in Frankreich`); where the base knows it, it may be another. */
function isPlace({ text, start }: Word, question: string): boolean {
  return isCapital(text) && /(?:^|\s)(?:in|aus)\s$/iu.test(question.slice(0, start));
}

/**
 * In English a capital inside the sentence; in German, where nouns have one too, two such words in a row
 * (`Max Mustermann`, `Firma Siemens`) or a word with capitals inside (`DATEV`, `SokaBau`), where the base has none of them.
 */
function isName(terms: readonly QueryTerm[], i: number, lang: Language, question: string): boolean {
  const term = terms[i]!;
  if (/^\p{Lu}{2}|\p{Ll}\p{Lu}/u.test(term.text)) return true;
  if (!isInnerCapital(term, question)) return false;
  if (lang === 'en') return true;
  const [before, after] = [terms[i - 1], terms[i + 1]];
  return (
    (before !== undefined && isInnerCapital(before, question) && before.end + 1 === term.start) ||
    (after !== undefined && isInnerCapital(after, question) && term.end + 1 === after.start)
  );
}

/** The first word of a sentence has a capital whatever it is. */
function isInnerCapital({ text, start }: Word, question: string): boolean {
  return isCapital(text) && !/(?:^|[.!?:;–—"„“(-])\s*$/u.test(question.slice(0, start));
}

function isCapital(text: string): boolean {
  return /^\p{Lu}/u.test(text);
}
