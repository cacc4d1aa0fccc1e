/** Folded words that stand alone somewhere in the base. */
export type Vocabulary = Pick<ReadonlySet<string>, 'has'>;

/** Letters of the longest part that is looked for: the longest words of German law have about 40. */
const MAX_PART = 48;

/** What German puts between the parts of a compound, longest first. */
const LINKS = ['es', 'en', 'er', 's', 'n', 'e'] as const;
const MIN_PART = 4;

/**
 * Splits a German compound into words that the base itself uses, each at least four letters: as few parts as can be,
 * then the longest last part (German puts the head there). Linking elements fall away. Empty where the word is none.
 *
 * @example splitCompound('entgeltfortzahlung', new Set(['entgelt', 'fortzahlung'])) // ['entgelt', 'fortzahlung']
 */
export function splitCompound(word: string, vocabulary: Vocabulary): string[] {
  if (word.length < 2 * MIN_PART) return [];
  // best[i]: the last of the fewest parts that make up word[0, i), and where it begins: one small entry a letter, however long
  // the word. Linking elements belong to the part before them.
  const best: ({ readonly parts: number; readonly part: string; readonly from: number } | undefined)[] = [
    { parts: 0, part: '', from: 0 },
  ];
  for (let end = MIN_PART; end <= word.length; end++) {
    for (let start = Math.max(0, end - MAX_PART); start <= end - MIN_PART; start++) {
      const before = best[start];
      if (before === undefined || (start === 0 && end === word.length)) continue;
      const part = partOf(word, start, end, vocabulary);
      if (part === undefined) continue;
      const known = best[end];
      const parts = before.parts + 1;
      if (known === undefined || parts < known.parts) best[end] = { parts, part, from: start };
    }
  }
  const parts: string[] = [];
  for (let at = word.length; at > 0;) {
    const last = best[at];
    if (last === undefined) return [];
    parts.push(last.part);
    at = last.from;
  }
  return parts.reverse();
}

/** The base's word in `word[start, end)`: as it stands, or without a linking element (at the end: an inflection). */
function partOf(word: string, start: number, end: number, vocabulary: Vocabulary): string | undefined {
  const piece = word.slice(start, end);
  if (vocabulary.has(piece)) return piece;
  for (const link of LINKS) {
    if (!piece.endsWith(link)) continue;
    const bare = piece.slice(0, piece.length - link.length);
    if (bare.length >= MIN_PART && vocabulary.has(bare)) return bare;
  }
  return undefined;
}
