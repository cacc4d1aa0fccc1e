import type { Language } from '../source.ts';
import type { Token } from '../analysis/word.ts';

/**
 * Words that stand directly behind or before the verb of a question. Only such neighbours tell a verb from a noun here.
 */
const SUBJECT_AFTER = /^\s+(?:ich|wir|man|du|sie|er|es|ihr|i|we|you|they)(?!\p{L})/iu;
const SUBJECT_BEFORE =
  /(?<!\p{L})(?:i|we|you|they|he|she|to|can|could|must|should|may|will|would|please|be|been|being)\s+$/iu;
/** The verb at the beginning of a German yes-or-no question (`Erkennt das Programm …?`). */
const FIRST = /t$/u;
const NOUN_AFTER =
  /^\s+(?:der|die|das|den|dem|ein|eine[nmr]?|mein|unser|dein|ihr|sein|kein)e?[nmr]?(?!\p{L})[^.!?]*\?/iu;
/** A German infinitive at the end of a clause. */
const INFINITIVE = /\p{Ll}(?:en|ern|eln)$/u;
const ENDS_CLAUSE = /^\s*(?:$|[,.;:!?–])/u;

/** Whether a word is the verb of its question, judged by its position (`Wie richte ich …`, `how do I connect …`). */
export function isVerbOf(question: string, { text, start, end }: Token, language: Language): boolean {
  const isNoun = language === 'de' && /^\p{Lu}/u.test(text) && /\S\s+$/u.test(question.slice(0, start));
  if (isNoun) return false;
  return (
    SUBJECT_AFTER.test(question.slice(end)) ||
    SUBJECT_BEFORE.test(question.slice(0, start)) ||
    (language === 'de' && start === 0 && FIRST.test(text) && NOUN_AFTER.test(question.slice(end))) ||
    (language === 'de' && INFINITIVE.test(text) && ENDS_CLAUSE.test(question.slice(end)))
  );
}
