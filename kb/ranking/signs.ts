/**
 * Signs for and against the best hit as an answer, each about 0 … 1. A source with lines of `asked` is judged by these
 * lines and by similar unanswered lines, other sources by words, and passages of documents also by their headings.
 */
export const SIGNS = {
  lined: ['nearest', 'nearer', 'unansweredShare', 'unansweredWords', 'share', 'found', 'length', 'own'],
  unlined: ['sentence', 'share', 'found', 'lost', 'unknown'],
  document: ['ofDocument', 'found', 'length'],
} as const;

export type Kind = keyof typeof SIGNS;
