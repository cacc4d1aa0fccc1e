/**
 * Signs for and against the best hit as an answer, each about 0 … 1. A source that says how people ask for it is judged by
 * those lines, and by the lines of nearby questions without an answer. Other sources are judged by words, and passages of
 * documents also by their headings.
 */
export const SIGNS = {
  lined: ['nearest', 'nearer', 'unansweredShare', 'unansweredWords', 'share', 'found', 'length', 'own'],
  unlined: ['sentence', 'share', 'found', 'lost', 'unknown'],
  document: ['share', 'found', 'length'],
} as const;

export type Kind = keyof typeof SIGNS;
