/**
 * What speaks for and against that the best of what was found answers the question; about 0 … 1 each. A source that says
 * how it is asked for is judged by that, and by what is asked near it and not answered; others by words, and passages of documents
 * by their headings, too.
 */
export const SIGNS = {
  lined: ['nearest', 'nearer', 'unansweredShare', 'unansweredWords', 'share', 'found', 'length', 'own'],
  unlined: ['sentence', 'share', 'found', 'lost', 'unknown'],
  document: ['share', 'found', 'length'],
} as const;

export type Kind = keyof typeof SIGNS;
