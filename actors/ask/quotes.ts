import type { Source } from '../../kb/knowledge.ts';
import type { Statement } from './render.ts';

/** A stretch of a source's text that an answer rests on, in UTF-16 units: `text.slice(start, end)`. */
export interface Quote {
  readonly start: number;
  readonly end: number;
  /** The sentence that decides. */
  readonly decisive: boolean;
}

/** What these statements quote of a source, in order of its text; what is in other words is not there. */
export function quotesOf(source: Source, statements: readonly Statement[]): Quote[] {
  const quotes = new Map<number, Quote>();
  for (const { text, quote, citations, decisive = quote !== undefined } of statements) {
    if (!citations.includes(source.id)) continue;
    const found = stretchOf(source.text, quote ?? text);
    if (found === null) continue;
    const known = quotes.get(found.start);
    const end = Math.max(found.end, known?.end ?? 0);
    quotes.set(found.start, { ...found, end, decisive: decisive || (known?.decisive ?? false) });
  }
  return [...quotes.values()].toSorted((a, b) => a.start - b.start);
}

/** Where a text has a passage word for word; white space may differ. */
function stretchOf(text: string, passage: string): { start: number; end: number } | null {
  const words = passage.split(/\s+/u).filter((word) => word !== '');
  if (words.length === 0) return null;
  const pattern = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')).join('\\s+');
  const found = new RegExp(pattern, 'u').exec(text);
  return found === null ? null : { start: found.index, end: found.index + found[0].length };
}
