import type { Source } from '../source.ts';
import type { Statement } from './render.ts';
import { sentencesOf } from './source-sentences.ts';

/** A stretch of a source's text that an answer rests on, in UTF-16 units: `text.slice(start, end)`. */
interface Quote {
  readonly start: number;
  readonly end: number;
  /** Whether it is the sentence that answers the question. */
  readonly decisive: boolean;
}

/** The quotes of these statements in a source, in the order of its text; statements in other words are left out. */
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

/** The place where the passage is a whole sentence, not one where the same words are part of another. */
function placeIn(source: Source, passage: string): { start: number; end: number } | null {
  const whole = sentencesOf(source).find(({ text }) => text === passage);
  return whole ?? stretchOf(source.text, passage);
}

/** Finds a passage in a text word for word. White space may differ. */
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

/** The end of these words if they begin at `start`; `null` if the text has others there. */
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
