/** The only grammar of `§`: how people and statutes cite provisions. Search, plans and the index use it. */

/** A cited provision: in `§ 5 Abs 2 Z 2 ASVG` the paragraphs, their details, and the text with the statute's name. */
export interface Provision {
  /**
   * The paragraphs as ranges, as in `§§ 3, 5 bis 7`; a single one is a range of one. Lower case, without spaces: `3a`.
   */
  readonly ranges: readonly (readonly [from: string, to: string])[];
  /** The text after the last number: `Abs. 2 Z 2`, or nothing. */
  readonly details: string;
  /** The Absatz (`2`, `1a`), if one is named. */
  readonly absatz: string | null;
  readonly start: number;
  /** The end of the details. The statute's name follows. */
  readonly end: number;
  /** The text before the provision, from the previous provision on. */
  readonly before: string;
  /** The text after the provision, to the end. */
  readonly after: string;
  /**
   * Whether only a conjunction is between this provision and the next, as in `§ 341, § 352 SGB III`: both belong to one
   * statute.
   */
  readonly isJoined: boolean;
}

const NUMBER = String.raw`\d{1,4}(?:[a-z]{1,3}|\s[a-rt-y])?(?![\p{L}\p{N}])`;
const PARAGRAPHS = String.raw`(?:§{1,2}|\bparagraph(?:en|s)?\b|\bpar\.)\s*(?<numbers>${NUMBER}(?:\s*(?:bis|to|und|sowie|and|oder|or|u\.|,|-|–)\s*(?:§{1,2}\s*)?${NUMBER})*)`;
const DETAIL = String.raw`\s*,?\s*(?:(?:Abs(?:atz|ätze|\.)?|Z(?:iff(?:er)?)?\.?|Nr\.?|Nummer|S(?:atz|\.)?|Halbsatz|Hs\.?|UAbs\.?|Unterabs(?:atz|\.)?)\s*\d+[a-z]?(?:\s*(?:,|und|oder|bis|and|or|to|–|-)\s*\d+[a-z]?(?![\p{L}\p{N}]))*|(?:lit\.?|Buchst(?:abe|\.)?)\s*[a-z]{1,2}(?:\s*(?:,|und|bis|and|to)\s*[a-z]{1,2}(?![\p{L}\p{N}]))*)(?![\p{L}\p{N}])`;
const PROVISION = new RegExp(
  String.raw`${PARAGRAPHS}(?<details>(?:${DETAIL}(?:\s*(?:und|bis|,)\s*(?=Abs|Nr|Z|S|lit))?)*)`,
  'giu',
);
const ABSATZ = /Abs(?:atz|ätze|\.)?\s*(?<absatz>\d+[a-z]?)/iu;
const JOINT = /^\s*(?:,|;|und|u\.|sowie|oder|and|or)\s*$/u;
const FILLER = String.raw`^\s*(?:(?:des|der|dem|im|in|nach|vom|von|aus|of|the)\s+)*`;
/** A short name of a statute: `EntgFG`, `SGB IV`, `SGB 4`. It has two capitals. */
const SHORT_NAME = new RegExp(
  String.raw`${FILLER}(?<name>\p{Lu}\p{L}*\p{Lu}\p{L}*(?:\s+(?:[IVX]+|\d{1,2})(?![\p{L}\p{N}]))?)`,
  'u',
);

/** A text without one of these has no provision. This test is faster than the grammar. */
const MAY_HAVE = /§|par/iu;

export function provisionsIn(text: string): Provision[] {
  if (!MAY_HAVE.test(text)) return [];
  const matches = [...text.matchAll(PROVISION)];
  return matches.map((match, index) => {
    const end = match.index + match[0].length;
    const next = matches[index + 1];
    const previous = matches[index - 1];
    const details = match.groups?.['details'] ?? '';
    return {
      ranges: rangesOf(match.groups?.['numbers'] ?? ''),
      details: details.trim(),
      absatz: ABSATZ.exec(details)?.groups?.['absatz'] ?? null,
      start: match.index,
      end,
      before: text.slice(previous === undefined ? 0 : previous.index + previous[0].length, match.index),
      after: text.slice(end),
      isJoined: next !== undefined && JOINT.test(text.slice(end, next.index)),
    };
  });
}

/** The text after a provision, from the statute's name on. */
export const fromName = (after: string): string => after.replace(FILLERS, '');

const FILLERS = new RegExp(FILLER, 'iu');

/** The short name at the beginning of a text, and its end; `null` if there is none. */
export function shortNameAt(after: string): { readonly name: string; readonly end: number } | null {
  const match = SHORT_NAME.exec(after);
  return match === null ? null : { name: match.groups!['name']!, end: match[0].length };
}

/** Whether the text is only a conjunction. */
export const isJoint = (between: string): boolean => JOINT.test(between);

function rangesOf(numbers: string): (readonly [string, string])[] {
  return numbers
    .toLowerCase()
    .replace(/§/gu, '')
    .split(/\s*(?:und|sowie|and|oder|or|u\.|,)\s*/u)
    .map((part) => part.split(/\s*(?:bis|to|-|–)\s*/u).map((number) => number.replace(/\s+/gu, '')))
    .map(([from = '', to = from]) => [from, to] as const);
}
