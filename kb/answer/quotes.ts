import type { Source } from '../source.ts';
import type { Statement } from './render.ts';
import { sentencesOf } from './source-sentences.ts';

/** A stretch of a source's text that an answer rests on, in UTF-16 units: `text.slice(start, end)`. */
interface Quote {
  readonly start: number;
  readonly end: number;
  /** Whether this stretch is the sentence that answers the question. */
  readonly decisive: boolean;
}

/**
 * The stretches of a source that these statements quote, in the order of its text. Statements in other words are left
 * out.
 */
export function quotesOf(source: Source, statements: readonly Statement[]): Quote[] {
  const quotes = new Map<number, Quote>();
  for (const { text, quote, citations, decisive = quote !== undefined } of statements) {
    if (!citations.includes(source.id)) continue;
    const found = placeIn(source, quote ?? text);
    if (found === null) continue;
    const known = quotes.get(found.start);
    const end = Math.max(found.end, known?.end ?? 0);
    quotes.set(found.start, { start: found.start, end, decisive: decisive || (known?.decisive ?? false) });
  }
  return [...quotes.values()].toSorted((a, b) => a.start - b.start);
}

/** The position at which the passage is a whole sentence, and not a part of another one. */
function placeIn(source: Source, passage: string): { start: number; end: number } | null {
  const whole = sentencesOf(source).find(({ text }) => text === passage);
  return whole ?? stretchOf(source.text, passage);
}

/** Finds the literal passage in a text. White space may differ. */
function stretchOf(text: string, passage: string): { start: number; end: number } | null {
  const words = passage.split(/\s+/u).filter((word) => word !== '');
  const [first] = words;
  if (first === undefined) return null;
  for (let start = text.indexOf(first); start !== -1; start = text.indexOf(first, start + 1)) {
    const end = endOf(words, text, start);
    if (end !== null) return { start, end };
  }
  return null;
}

const SPACE = /\s*/uy;

/** The end of these words if they begin at `start`; `null` if the text has other words there. */
function endOf(words: readonly string[], text: string, start: number): number | null {
  let end = start;
  for (const word of words) {
    SPACE.lastIndex = end;
    SPACE.test(text);
    const begin = SPACE.lastIndex;
    if (begin === end && begin > start) return null;
    if (!text.startsWith(word, begin)) return null;
    end = begin + word.length;
  }
  return end;
}
