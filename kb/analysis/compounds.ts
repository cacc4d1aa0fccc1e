/** Folded words that occur by themselves in the base. */
export type Vocabulary = Pick<ReadonlySet<string>, 'has'>;

/** The most letters of a part: the longest words of German law have about 40. */
const MAX_PART = 48;

/** The linking elements of German compounds, longest first. */
const LINKS = ['es', 'en', 'er', 's', 'n', 'e'] as const;
const MIN_PART = 4;

/**
 * Splits a German compound into words of the base, each of at least four letters: into as few parts as possible, then
 * with the longest last part (which is the head). Linking elements are dropped. Empty if the word is no compound.
 *
 * @example splitCompound('entgeltfortzahlung', new Set(['entgelt', 'fortzahlung'])) // ['entgelt', 'fortzahlung']
 */
export function splitCompound(word: string, vocabulary: Vocabulary): string[] {
  if (word.length < 2 * MIN_PART) return [];
  // best[i]: the last of the fewest parts of word[0, i) and its start, one small entry for each letter. A linking
  // element belongs to the part before it.
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

/** The base's word in `word[start, end)`: as it is, or without a linking element (at the end, an inflection). */
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
