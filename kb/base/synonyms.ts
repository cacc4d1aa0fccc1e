/** Everyday or office words, and the words for the same thing in the base's sources. */
export interface SynonymGroup {
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** The line in the file, from 1. */
  readonly line: number;
}

/**
 * Parses a synonyms file: `everyday | … => source term | …`, one group on each line, `#` starts a comment.
 *
 * @example parseSynonyms('Kur | Reha => Maßnahme der medizinischen Vorsorge', fault)
 */
export function parseSynonyms(text: string, fault: (line: number, message: string) => void): SynonymGroup[] {
  const groups: SynonymGroup[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = index + 1;
    const content = raw.replace(/(?:^|\s)#.*$/u, '').trim();
    if (content === '') continue;
    const sides = content.split('=>');
    if (sides.length !== 2) {
      fault(line, 'must contain exactly one =>');
      continue;
    }
    const [from, to] = sides.map((side) => side.split('|').map((term) => term.trim()));
    if (from === undefined || to === undefined || [...from, ...to].includes('')) {
      fault(line, 'has an empty term');
      continue;
    }
    groups.push({ from, to, line });
  }
  return groups;
}
