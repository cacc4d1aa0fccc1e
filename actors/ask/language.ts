import { detectLanguage } from '../../kb/analysis/stop-words.ts';
import { tokenize } from '../../kb/analysis/tokens.ts';
import type { Language } from '../../kb/knowledge.ts';

/** The language a question is asked in, and so answered in: German unless its function words are English. */
export function languageOf(question: string): Language {
  return detectLanguage(tokenize(question).map((token) => token.text));
}
