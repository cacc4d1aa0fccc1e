import {
  ANSWER_FROM,
  FIGURE_BESIDE,
  LATER_PART_SHARE,
  NAMED_SHARE,
  ONE_WORD_FROM,
  UNKNOWN_THING,
} from '../answer-thresholds.ts';
import { isOfLaw, lawYearOf } from '../base/about.ts';
import { familyOf } from '../base/year.ts';
import type { LexicalIndex } from '../index/lexical-index.ts';
import { SAYS_SOMETHING, tellingOf } from '../analysis/telling.ts';
import { yearsIn } from '../index/years.ts';
import type { Coverage, CoverageOptions } from '../knowledge.ts';
import type { Match, AskedWord } from './fit.ts';
import { headingKey } from '../heading.ts';
import type { Hit } from '../hit.ts';
import { splitSentences } from '../sentences.ts';
import { askedWords } from './asked.ts';
import { describe } from './features.ts';
import { FOUND } from './match.ts';
import { besideFigure } from './figure-beside.ts';
import { isOfFigure } from './figure-asked.ts';
import type { Language } from '../source.ts';
import { relevanceOf } from './relevance.ts';
import { isVerbOf } from './verbs-asked.ts';

/** The number of hits in which a name is searched. */
const MAX_SOURCES = 8;
const MAX_MISSING = 3;
const SHORTEST = 3;
/** The most passages of documents in an answer. */
export const MOST_TOLD = 3;
const ASKS = /^(?:welch.*|wann|wo\p{L}*|warum|wieso|weshalb|wieviele?)$/u;
/**
 * A title that has the single word of a question is meant if its source has at least this share of the likelihood of
 * all hits.
 */
const STANDS_OUT = 0.4;
/** A line of `asked` has the word if the similarity is at least this. */
const SAME = 0.8;
/** A span such as `2021 bis 2023`, which also means the years between its two ends. */
const SPAN = /(?<!\p{N})((?:19|20)\d{2})\s?(?:bis|to|until|[–-])\s?((?:19|20)\d{2})(?!\p{N})/gu;
/** The words before a year in `ab 2021`, which also means all later years. */
const FROM_THEN_ON = /(?:^|\s)(?:ab|as of|starting(?: in)?)\s+(?:\p{L}+\.?\s+){0,2}$/iu;

/**
 * How well the hits answer the question. The question is covered if an answer is likely, if no name in it is missing
 * from all hits, if the source is valid for the year in question, and if the passages of documents have the figure that
 * it asks for.
 */
export function coverageOf(
  index: LexicalIndex,
  question: string,
  found: readonly Hit[],
  { goesOn = false, by }: CoverageOptions = {},
): Coverage {
  const hits = found.toSorted((a, b) => Number(b.source === by) - Number(a.source === by));
  const [best] = hits;
  const match = best && (best.match ?? { ...describe(index, question, hits)[0]!, share: 1, ofDocument: 1 });
  const asked = match?.words ?? askedWords(index, question);
  const otherYears = otherYearsOf(index, question, hits);
  if (best === undefined || match === undefined || asked.length === 0)
    return {
      value: 0,
      relevance: 0,
      covered: false,
      missing: textsOf(index, question, asked.filter(isAbsent)),
      otherYears,
    };
  const oneWord = isOneWord(question);
  const relevance = oneWord ? likelihoodOf(match) : relevanceOf(match);
  const lost = asked.filter(
    (word) =>
      (word.named && !isInAny(index, word, hits.slice(0, MAX_SOURCES))) ||
      (match.kind === 'document' && isUnknownName(word, question)),
  );
  // A part of a question that depends on another part (`by`) is asked with the words of both, so the sentence with the
  // figure need not have all of these words.
  const lacksFigure =
    match.kind === 'document' &&
    !best.referenced &&
    by === undefined &&
    (besideFigure(index, question, asked, hits.slice(0, MOST_TOLD)) ?? 1) < FIGURE_BESIDE;
  const enough = goesOn ? LATER_PART_SHARE : standsIn(question, best) ? NAMED_SHARE : 1;
  const { lang: language } = index.read(question);
  const isOfUnknown =
    match.kind === 'document' &&
    !goesOn &&
    asked.some((word, k) => isUnknownThing(word, match.anywhere[k]!, question, language));
  const from = oneWord ? ONE_WORD_FROM : isOfUnknown ? UNKNOWN_THING.from : ANSWER_FROM[match.kind] * enough;
  return {
    value: match.words.reduce((sum, { weight }, k) => sum + weight * match.found[k]!, 0),
    relevance,
    covered:
      (best.referenced || relevance >= from) && lost.length === 0 && otherYears === null && !lacksFigure,
    missing: textsOf(
      index,
      question,
      asked.filter((word, k) => lost.includes(word) || (match.found[k]! < FOUND && isAbsent(word))),
    ),
    otherYears,
  };
}

/**
 * Whether the question contains, word for word, the heading of a passage of a document. The heading must have two words
 * or more.
 */
function standsIn(question: string, { source: { title, units } }: Hit): boolean {
  const heading = headingKey(title);
  return units !== undefined && heading.includes(' ') && ` ${headingKey(question)} `.includes(` ${heading} `);
}

export const isOneWord = (question: string): boolean => !/\s/u.test(question.trim());

/**
 * The likelihood of an answer. A single word names a subject and asks nothing: it is answered if a line of `asked` has
 * the word, or if one title is much more likely than others. A compound of which the base has only a part
 * (`Altersentlastungsbetrag`) is another subject.
 */
function likelihoodOf({ words, inTitle, features: { nearest }, share }: Match): number {
  const isMeant = nearest >= SAME || (inTitle >= FOUND && share >= STANDS_OUT);
  return isMeant && words.some(({ known, corrected }) => known || corrected) ? share : 0;
}

/**
 * Whether no passage has a word. Words that only ask do not count. A word that occurs somewhere must not be reported as
 * missing.
 */
const isAbsent = (word: AskedWord): boolean => word.passageFrequency === 0 && !onlyAsks(word);

/** Whether a word only asks and does not name the subject of the question. */
export const onlyAsks = ({ folded }: Pick<AskedWord, 'folded'>): boolean => ASKS.test(folded);

/**
 * The nouns of a question as the user wrote them, the most telling first, at most `MAX_MISSING`. An English question in which
 * no noun is recognised gives its other words. Verbs and short words in small letters are left out.
 */
function textsOf(index: LexicalIndex, question: string, words: readonly AskedWord[]): string[] {
  const { lang } = index.read(question);
  const telling = words.filter(
    (word) => !isVerbOf(question, word, lang) && !(word.text.length < SHORTEST && /^\p{Ll}/u.test(word.text)),
  );
  const nouns = telling.filter(({ noun }) => noun);
  return (nouns.length > 0 || lang === 'de' ? nouns : telling)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MAX_MISSING)
    .map(({ text }) => text);
}

/** Letters and digits that stand for a name (`DATEV`), not the beginning of a compound (`WLAN-Router`). */
const NAME = /^(?=.*\p{Lu})[\p{Lu}\p{N}]{3,}$/u;

/** Whether a word is a name in capitals that neither the base nor its synonyms have as it is written. */
const isUnknownName = ({ text, end, known, corrected, synonyms }: AskedWord, question: string): boolean =>
  NAME.test(text) &&
  (corrected || !known) &&
  synonyms.length === 0 &&
  question[end] !== '-' &&
  /\p{Ll}/u.test(question);

/**
 * Whether a thing that makes up much of a question occurs nowhere in the base. Verbs, words of quantity and words of
 * everyday speech are not things.
 */
const isUnknownThing = (word: AskedWord, anywhere: number, question: string, language: Language): boolean =>
  word.noun &&
  isAbsent(word) &&
  !word.known &&
  !word.corrected &&
  anywhere < FOUND &&
  word.weight >= UNKNOWN_THING.share &&
  !isOfFigure(word.text) &&
  !isVerbOf(question, word, language) &&
  tellingOf(word.folded, language) >= SAYS_SOMETHING;

/** Whether a country or a provision occurs in any of the hits. */
const isInAny = (index: LexicalIndex, { term }: AskedWord, hits: readonly Hit[]): boolean =>
  hits.some(({ source }) => index.occurs(term, source.id));

/**
 * The first year of the question if the hits cover none of the question's years, with the years that the base has for
 * the best source's rule. A year is covered if the best source is of that year or names it, if it is the year of the
 * base's law, or if the question asks about the time from that year on (`ab 2021`) and the base has a later year. (The
 * month of a text's last change does not count.) For a text that is not law, the years of validity are unknown, so the
 * result is `null`.
 */
function otherYearsOf(index: LexicalIndex, question: string, hits: readonly Hit[]): Coverage['otherYears'] {
  const lawYear = lawYearOf(index.about);
  const asked = yearsIn(question);
  const [best] = hits;
  if (best === undefined || asked.length === 0) return null;
  if (!isOfLaw(index.about?.law ?? null, best.source)) return null;
  // For a source without a year, only the years in the sentence that asks count.
  const asks = askingIn(question);
  if (best.source.year === null && !asked.some((year) => asks(question.indexOf(String(year))))) return null;
  const kept = index.yearsOf(best.source);
  const there = kept.length === 0 && lawYear !== null ? [lawYear] : kept;
  const goesOn = (year: number): boolean =>
    FROM_THEN_ON.test(question.slice(0, question.indexOf(String(year)))) &&
    there.some((later) => later > year);
  const isThere = (year: number): boolean =>
    best.source.year !== null
      ? hits.some((hit) => sameRule(hit, best) && names(hit, year))
      : year === lawYear || names(best, year);
  // If a source has one of several years, the other years may belong to the asker's story.
  const [open] = asked;
  if (open === undefined || asked.some((year) => isThere(year) || goesOn(year))) return null;
  return { asked: open, there };
}

/**
 * Whether a position in the question is in a sentence that asks. If no sentence ends with a question mark, all of them
 * do.
 */
function askingIn(question: string): (at: number) => boolean {
  const sentences = splitSentences(question);
  const asking = sentences.filter(({ text }) => text.endsWith('?'));
  if (asking.length === 0 || sentences.length === asking.length) return () => true;
  return (at) => asking.some(({ start, text }) => at >= start && at < start + text.length);
}

function names({ source }: Hit, year: number): boolean {
  const text = `${source.title} ${source.text}`;
  return (
    source.year === year ||
    text.includes(String(year)) ||
    [...text.matchAll(SPAN)].some(([, from, to]) => Number(from) < year && year < Number(to))
  );
}

const sameRule = (a: Hit, b: Hit): boolean =>
  a.source === b.source || (a.source.year !== null && familyOf(a.source) === familyOf(b.source));
