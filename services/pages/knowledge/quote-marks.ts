import type { SourceReference } from '../../../events/messages/knowledge.ts';

/** A text, cut where quotes begin and end. Quotes may touch or overlap. The pieces together give the text. */
export function stretchesOf(text: string, quotes: SourceReference['quotes']) {
  const inside = (at: number) => Math.min(Math.max(at, 0), text.length);
  const cuts = [0, text.length, ...quotes.flatMap(({ start, end }) => [inside(start), inside(end)])];
  const places = [...new Set(cuts)].sort((a, b) => a - b);
  return places.slice(1).map((end, i) => {
    const start = places[i]!;
    const over = quotes.filter((quote) => quote.start <= start && end <= quote.end);
    const mark = over.length === 0 ? 'none' : over.some(({ decisive }) => decisive) ? 'decisive' : 'quoted';
    return { text: text.slice(start, end), mark };
  });
}
