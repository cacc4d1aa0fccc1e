import { isStopWord, fold } from '../../analysis/analysis.ts';
import { tellingOf } from '../../analysis/telling.ts';
import type { Language } from '../../source.ts';

/** One of several things about which a question asks the same (`Kranken- und Rentenversicherung`). */
export interface AskedObject {
  /** Its words in the question. */
  readonly text: string;
  /** The index of its first character. */
  readonly start: number;
  readonly end: number;
  /** The question about this thing alone. */
  readonly question: string;
}

/** If a question names more things, it does not ask about each. */
const MAX_OBJECTS = 4;

/** A noun, a name, an abbreviation; with a hyphen at its end where it shares the rest of the next one. */
const NAME = String.raw`\p{Lu}[\p{L}\p{N}]*(?:-[\p{L}\p{N}]+)*`;
const LEAD = String.raw`(?:(?:der|die|das|den|dem|des|eine?[mnrs]?|zur|zum|für|bei|beim|im|in|vom|von|mit|nach|the|an?|for|of|on|in)\s+)?`;
/** German writes nouns with a capital; English only names. */
const NAMES = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])(?<first>(?:${NAME}-?,\s+${LEAD})*${NAME}-?)\s+(?:und|sowie|and)\s+${LEAD}(?<last>${NAME})(?![\p{L}\p{N}-])`,
  'gu',
);
/** `vacation and sick leave`: the words after a preposition that introduces what is asked about. */
const WORDS =
  /(?<=(?<!\p{L})(?:for|of|on|about|with|the|a|an|my|our|your)\s+)(?<first>(?:\p{Ll}{4,},\s+)*\p{Ll}{4,})\s+and\s+(?:(?:for|of|on|the|a|an|my|our|your)\s+)?(?<last>\p{Ll}{4,})(?=\s*(?:[?.!,]|$))/gu;
/** Words after which several things are asked about together. */
const TOGETHER =
  /(?<!\p{L})(?:zwischen|between|sowohl|both|unterschied\p{L}*|difference|verhältnis|zusammenhang|gleich\p{L}*|gemeinsam|zusammen|same|together|combined|damen)(?!\p{L})/iu;
/** A word of everyday speech names no thing (`Tag und Nacht`, `time and again`). */
const NAMES_A_THING = 0.6;

/**
 * The things about which a question asks the same, if it names several; else none. Each one is asked about in the question's
 * own words, without the others.
 *
 * @example objectsOf('Wie hoch sind die Sätze zur Krankenversicherung und Rentenversicherung?', 'de').map(({ text }) => text)
 * // ['Krankenversicherung', 'Rentenversicherung']
 */
export function objectsOf(question: string, language: Language): readonly AskedObject[] {
  if (TOGETHER.test(question)) return [];
  const patterns = language === 'en' ? [NAMES, WORDS] : [NAMES];
  for (const match of patterns.flatMap((pattern) => [...question.matchAll(pattern)])) {
    const names = namesIn(match);
    const isRow =
      names.length <= MAX_OBJECTS &&
      names.every(({ text }) => isThing(text.replace(/-$/u, ''), language)) &&
      new Set(names.map(({ text }) => text)).size === names.length;
    if (!isRow) continue;
    const [from, to] = [match.index, match.index + match[0].length];
    return names.map((name) => ({
      ...name,
      question: question.slice(0, from) + name.text + question.slice(to),
    }));
  }
  return [];
}

function namesIn(match: RegExpExecArray): { text: string; start: number; end: number }[] {
  const { first, last } = match.groups!;
  const pieces = [...first!.split(/,\s+/u), last!];
  let at = match.index;
  return pieces.map((piece, i) => {
    // The article of the first thing is also put before the others.
    const text = i === 0 ? piece : piece.replace(new RegExp(`^${LEAD}`, 'u'), '');
    const start = match.input.indexOf(text, at);
    at = start + text.length;
    return { text, start, end: at };
  });
}

function isThing(word: string, language: Language): boolean {
  const folded = fold(word, language);
  return !isStopWord(folded, language) && tellingOf(folded, language) >= NAMES_A_THING;
}

/** The full word for `Kranken-` in `Kranken- und Rentenversicherung` if a text has it; else unchanged. */
export function spelledOut(name: string, beside: string, texts: readonly string[]): string {
  if (!name.endsWith('-')) return name;
  const whole = new RegExp(`(?<!\\p{L})${name.slice(0, -1)}(\\p{Ll}{3,})`, 'gu');
  const found = texts.flatMap((text) => [...text.matchAll(whole)]).find(([, rest]) => beside.endsWith(rest!));
  return found?.[0] ?? name;
}
