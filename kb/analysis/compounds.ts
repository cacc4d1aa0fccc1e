/** The most letters of a part: the longest words of German law have about 40. */
const MAX_PART = 48;
/** The fewest letters of a part. */
export const MIN_PART = 4;

/** The linking elements of German compounds, longest first. */
const LINKS = ['es', 'en', 'er', 's', 'n', 'e'] as const;

/** Folded words that occur by themselves in the base. */
export interface Vocabulary {
  has(word: string): boolean;
  /**
   * The lengths of the known words that may begin at this place of the word, as bits. All lengths from `LONG` on share
   * the last bit. Without this function every range of a word is looked up.
   */
  lengthsAt?(word: string, at: number): number;
}

/** The words with this many letters and more share a bit. */
const LONG = 31;
const bitOf = (length: number): number => 1 << Math.min(length, LONG);
const ANY = -1;
/**
 * For each length of a part of a compound, a set of bits: the lengths that the known word in the part may have, because up
 * to two letters of the part may be a linking element.
 */
const LENGTHS = Array.from(
  { length: MAX_PART + 1 },
  (_, length) => bitOf(length) | bitOf(Math.max(0, length - 1)) | bitOf(Math.max(0, length - 2)),
);

/**
 * A vocabulary that splits many words: it knows the lengths of its words by their first letters, so that few ranges of a word
 * have to be looked up.
 */
export class IndexedVocabulary implements Vocabulary {
  readonly #words: Vocabulary;
  /** The lengths of words, as bits, by a hash of their first letters. */
  readonly #lengths = new Int32Array(STARTS);

  constructor(words: Vocabulary & Pick<ReadonlySet<string>, 'keys'>) {
    this.#words = words;
    for (const word of words.keys()) this.#lengths[startAt(word, 0)]! |= bitOf(word.length);
  }

  has(word: string): boolean {
    return this.#words.has(word);
  }

  lengthsAt(word: string, at: number): number {
    return this.#lengths[startAt(word, at)]!;
  }
}

/** How many hashes `startAt` has. */
export const STARTS = 1 << 16;

/** A hash of the four letters that begin at this place. Each part of a compound has at least four letters. */
export function startAt(word: string, at: number): number {
  let hash = 0;
  for (let i = at; i < at + MIN_PART; i++) hash = hash * 31 + word.charCodeAt(i);
  return hash & (STARTS - 1);
}

/**
 * Splits a German compound into words of the base, each of at least four letters: into as few parts as possible, then
 * with the longest last part (which is the head). Linking elements are dropped. Empty if the word is no compound.
 *
 * @example splitCompound('entgeltfortzahlung', new Set(['entgelt', 'fortzahlung'])) // ['entgelt', 'fortzahlung']
 */
export function splitCompound(word: string, vocabulary: Vocabulary): string[] {
  if (word.length < 2 * MIN_PART) return [];
  // best[i]: the last part, and its start, of the split of word[0, i) into the fewest parts. A linking element belongs
  // to the part before it.
  const best: ({ readonly parts: number; readonly part: string; readonly from: number } | undefined)[] = [
    { parts: 0, part: '', from: 0 },
  ];
  const lengths: number[] = [];
  for (let end = MIN_PART; end <= word.length; end++) {
    lengths.push(vocabulary.lengthsAt?.(word, end - MIN_PART) ?? ANY);
    for (let start = Math.max(0, end - MAX_PART); start <= end - MIN_PART; start++) {
      if ((lengths[start]! & LENGTHS[end - start]!) === 0) continue;
      const before = best[start];
      if (before === undefined || (start === 0 && end === word.length)) continue;
      const part = partOf(word.slice(start, end), lengths[start]!, vocabulary);
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

/**
 * The base's word in a range of a word: as it is, or without a linking element (at the end, an inflection).
 *
 * @param lengths the lengths of the words that may begin there, as bits
 */
function partOf(piece: string, lengths: number, vocabulary: Vocabulary): string | undefined {
  if ((lengths & bitOf(piece.length)) !== 0 && vocabulary.has(piece)) return piece;
  for (const link of LINKS) {
    const length = piece.length - link.length;
    if (length < MIN_PART || (lengths & bitOf(length)) === 0 || !piece.endsWith(link)) continue;
    const bare = piece.slice(0, length);
    if (vocabulary.has(bare)) return bare;
  }
  return undefined;
}
