import type { Source } from '../source.ts';

/**
 * The number of consecutive words that are compared. Fewer words also occur in texts that have nothing to do with each
 * other.
 */
const ROW = 5;
/** The share of the shorter text that the longer one has. */
const SAME = 0.7;
/** Texts with fewer rows than this are too short to be compared. */
const FEWEST = 12;

/** The mark of a list item (`3.`, `b)`), which each format writes differently. */
const MARK = /^[\p{L}\p{N}]{1,4}[.)]\s+/u;
const bare = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether a passage has a sentence in the same words and figures. */
export const hasSentence = ({ text }: Source, sentence: string): boolean => {
  const words = bare(sentence.replace(MARK, ''));
  return /\p{L}{3}/u.test(words) && ` ${bare(text)} `.includes(` ${words} `);
};

interface Known {
  /** Hashes of the passage's rows of words. */
  readonly rows: ReadonlySet<number>;
  readonly figures: ReadonlySet<string>;
}

const known = new WeakMap<Source, Known>();

/**
 * Whether two passages of different documents have the same content, such as a page that also exists as a PDF. One may
 * be longer, or divided and numbered differently. Passages with different figures are different versions.
 */
export function areTwins(one: Source, other: Source): boolean {
  if (one.units === undefined || other.units === undefined || one.path === other.path) return false;
  const [a, b] = [knownOf(one), knownOf(other)];
  const [shorter, longer] = a.rows.size < b.rows.size ? [a, b] : [b, a];
  if (shorter.rows.size < FEWEST) return one.text === other.text;
  let same = 0;
  for (const row of shorter.rows) if (longer.rows.has(row)) same += 1;
  return same >= SAME * shorter.rows.size && shorter.figures.isSubsetOf(longer.figures);
}

function knownOf(source: Source): Known {
  let found = known.get(source);
  if (found === undefined)
    known.set(source, (found = { rows: rowsIn(source.text), figures: figuresIn(source.text) }));
  return found;
}

/** The rows of a text without marks and numbers, which differ between formats. */
function rowsIn(text: string): ReadonlySet<number> {
  const words = (text.toLowerCase().match(/\p{L}{2,}/gu) ?? []).map(hashOf);
  const rows = new Set<number>();
  for (let at = ROW; at <= words.length; at++) {
    let row = 0;
    for (let i = at - ROW; i < at; i++) row = (Math.imul(row, 31) + words[i]!) | 0;
    rows.add(row);
  }
  return rows;
}

function hashOf(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) | 0;
  return hash;
}

/** The figures in a text, except the numbers of items and sections, which end with a dot or a bracket. */
const figuresIn = (text: string): ReadonlySet<string> =>
  new Set(text.match(/(?<![\p{L}\p{N}.,])\p{N}+(?:[.,:]\p{N}+)*(?![\p{N}.)])/gu));
