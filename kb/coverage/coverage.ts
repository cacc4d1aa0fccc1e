import { isMistyped, similarity } from '../analysis/similarity.ts';
import type { Word } from '../analysis/analysis.ts';
import { askedWords, type AskedWord } from './asked.ts';
import type { LexicalIndex } from '../index/lexical-index.ts';
import type { Coverage, Hit, Passage } from '../knowledge.ts';
import { splitSentences } from '../sentences.ts';

/** Sources, and passages of each, that a question may be covered by. */
const MAX_SOURCES = 3;
const MAX_PASSAGES = 2;
/** Half of the measure is what one passage holds, half what one of its sentences holds. */
const SENTENCE_SHARE = 0.5;
/** What counts in place of the word: its synonym, the word mistyped, its parts, a likeness of letters. */
const SYNONYM = 0.8;
const MISTYPED = 0.9;
const PARTS = 0.8;
const LIKENESS = 0.6;
/** From here on a word counts as found. */
const FOUND = 0.5;
/** A name may be inflected or spelled in another way. */
const SAME_NAME = 0.6;

/** What coverage is held against, worked out for one base when it is indexed. */
export interface Calibration {
  /** Coverage from which a question counts as covered. */
  readonly threshold: number;
  /** Probes that it rests on; 0 for a base too small to tell. */
  readonly probes: number;
  /** The two quantiles that it is the greater of, a floor apart: coverage with the probes' own sources, and without. */
  readonly covered: number;
  readonly withheld: number;
}

/**
 * How far what was found speaks of what was asked: the share of the question's words, by weight, that one passage
 * (with its title) and one of its sentences hold. Covered where that reaches the threshold of this base, and no name,
 * year or figure asked for is missing from all that was found.
 */
export function coverageOf(
  index: LexicalIndex,
  question: string,
  hits: readonly Hit[],
  { threshold }: Calibration,
): Coverage {
  const asked = askedWords(index, question);
  const { value, found } = bestPassage(index, asked, hits);
  const lost = asked.filter((word) => word.named && !isInAny(index, word, hits));
  const missing = asked.filter((word, k) => lost.includes(word) || found[k]! < FOUND);
  return {
    value,
    covered: asked.length > 0 && lost.length === 0 && value >= threshold,
    missing: [...missing].sort((a, b) => b.weight - a.weight).map((word) => word.text),
  };
}

/** The measure alone, 0 … 1. */
export function shareCovered(index: LexicalIndex, asked: readonly AskedWord[], hits: readonly Hit[]): number {
  return bestPassage(index, asked, hits).value;
}

function bestPassage(
  index: LexicalIndex,
  asked: readonly AskedWord[],
  hits: readonly Hit[],
): { value: number; found: readonly number[] } {
  let best = { value: 0, found: asked.map(() => 0) };
  const total = asked.reduce((sum, word) => sum + word.weight, 0);
  if (total === 0) return best;
  const share = (values: readonly number[]): number =>
    values.reduce((sum, value, k) => sum + value * asked[k]!.weight, 0) / total;
  const matcher = matcherOf(asked);
  for (const hit of hits.slice(0, MAX_SOURCES)) {
    const { title, section, lang } = hit.source;
    const heading = index.analysis.words(`${title}\n${section}`, lang);
    for (const passage of hit.passages.slice(0, MAX_PASSAGES)) {
      const sentences = sentencesOf(index, passage);
      const found = matcher([...heading, ...sentences.flat()]);
      const sentence = Math.max(0, ...sentences.map((words) => share(matcher(words))));
      const value = (1 - SENTENCE_SHARE) * share(found) + SENTENCE_SHARE * sentence;
      if (value > best.value) best = { value, found };
    }
  }
  return best;
}

function sentencesOf(index: LexicalIndex, { source, text }: Passage): Word[][] {
  return splitSentences(text).map((sentence) => index.analysis.words(sentence.text, source.lang));
}

/** For a text's words: how well each asked word is found among them. Remembers words, since passages repeat them. */
function matcherOf(asked: readonly AskedWord[]): (words: readonly Word[]) => number[] {
  const known = new Map<string, readonly number[]>();
  const matchesOf = (word: Word): readonly number[] => {
    let values = known.get(word.folded);
    if (values === undefined) {
      values = asked.map((other) => match(other, word));
      known.set(word.folded, values);
    }
    return values;
  };
  return (words) => {
    const found = asked.map(() => 0);
    const terms = new Set<string>();
    for (const word of words) {
      terms.add(word.term);
      for (const part of word.parts) terms.add(part);
      matchesOf(word).forEach((value, k) => {
        if (value > found[k]!) found[k] = value;
      });
    }
    return found.map((value, k) => Math.max(value, partsFound(asked[k]!, terms)));
  };
}

function match(asked: AskedWord, word: Word): number {
  const stems = [word.term, ...word.parts];
  if (stems.includes(asked.term)) return 1;
  if (stems.some((stem) => asked.synonyms.includes(stem))) return SYNONYM;
  if (!asked.known && isMistyped(asked, word)) return MISTYPED;
  return LIKENESS * similarity(asked, word);
}

/** A compound whose parts stand apart in the text (`Dauer des Urlaubs` for `Urlaubsdauer`). */
function partsFound({ parts }: AskedWord, terms: ReadonlySet<string>): number {
  if (parts.length === 0) return 0;
  return (PARTS * parts.filter((part) => terms.has(part)).length) / parts.length;
}

/** Whether something named stands in any of the sources found, or is the year that one of them holds for. */
function isInAny(index: LexicalIndex, asked: AskedWord, hits: readonly Hit[]): boolean {
  return hits.some(({ source, passages }) => {
    if (String(source.year) === asked.text || source.stand.startsWith(`${asked.text}-`)) return true;
    if ([asked.term, ...asked.synonyms].some((term) => index.occurs(term, source.id))) return true;
    if (/^\p{N}/u.test(asked.text)) return false;
    if (asked.parts.length > 0 && asked.parts.every((part) => index.occurs(part, source.id))) return true;
    return passages
      .slice(0, MAX_PASSAGES)
      .some(({ text }) =>
        index.analysis.words(text, source.lang).some((word) => similarity(asked, word) > SAME_NAME),
      );
  });
}
