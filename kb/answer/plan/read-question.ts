import { parseFragment } from 'parse5';

import { isText } from '../../documents/html-tree.ts';
import { plainLetters } from '../../documents/plain-text.ts';

const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8}\d{0,2});/giu;

/** Words whose letters stand apart, with more space between the words, as a scan is sometimes read. */
const APART = /(?<!\S)(?:\p{L} )+[\p{L}](?: ?[.,;:!?])?(?!\S)/gu;
/** So many letters of a text, and this share of its words, are single letters. */
const [LEAST, MOST_OF_ALL] = [12, 0.7];

/** The words of a question as its reader sees them: without entities of HTML, invisible characters and spaces within words. */
export function readQuestion(text: string): string {
  const decoded = text.replaceAll(ENTITY, (entity) => {
    const [node] = parseFragment(entity).childNodes;
    return node !== undefined && isText(node) ? node.value : entity;
  });
  const letters = plainLetters(decoded);
  const words = letters.split(/\s+/u);
  const single = words.filter((word) => /^\p{L}$/u.test(word)).length;
  // Letters with the same space between words cannot be told apart.
  return single < LEAST || single < words.length * MOST_OF_ALL || !/\p{L}[ ]{2,}\p{L}/u.test(letters)
    ? letters
    : letters.replaceAll(APART, (word) => word.replaceAll(' ', ''));
}
