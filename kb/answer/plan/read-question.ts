import { parseFragment } from 'parse5';

import { isText } from '../../documents/html-tree.ts';
import { plainLetters } from '../../documents/plain-text.ts';

const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8}\d{0,2});/giu;

/** A word with a space after each letter, as scans are sometimes read. The space between two words is wider then. */
const APART = /(?<!\S)(?:\p{L} )+[\p{L}](?: ?[.,;:!?])?(?!\S)/gu;
/**
 * Words are only joined if the text has at least this many single letters, and if they are at least this share of its
 * words.
 */
const [LEAST, MOST_OF_ALL] = [12, 0.7];

/**
 * The words of a question as a reader sees them: entities of HTML are decoded, and invisible characters and spaces
 * within words are removed.
 */
export function readQuestion(text: string): string {
  const decoded = text.replaceAll(ENTITY, (entity) => {
    const [node] = parseFragment(entity).childNodes;
    return node !== undefined && isText(node) ? node.value : entity;
  });
  const letters = plainLetters(decoded);
  const words = letters.split(/\s+/u);
  const single = words.filter((word) => /^\p{L}$/u.test(word)).length;
  // If no space is wider than others, nothing shows where a word ends.
  return single < LEAST || single < words.length * MOST_OF_ALL || !/\p{L}[ ]{2,}\p{L}/u.test(letters)
    ? letters
    : letters.replaceAll(APART, (word) => word.replaceAll(' ', ''));
}
