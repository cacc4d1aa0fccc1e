import { isOfQuestions, plainAnalysis } from '../../analysis/analysis.ts';
import { tellingOf } from '../../analysis/telling.ts';
import type { Word } from '../../analysis/word.ts';
import { isVerbOf } from '../../ranking/verbs-asked.ts';
import { isFigureWord } from '../quantities.ts';
import type { Language } from '../../source.ts';

/** The words after a pronoun. Before a noun (`das Elterngeld`) the pronoun would be an article. */
const OF = String.raw`(?:(?:dann|denn|eigentlich|jetzt|so|aus)\s+)*(?:auch|bei|beim|im|in|für|am|an|unter|ab|nach|genauso|anders)(?!\p{L})`;
/** The words after a preposition, at most this many: more of them may say what is meant. */
const FEW_WORDS = String.raw`(?:[^\s?]+\s*){1,4}\??`;

const WAYS: readonly RegExp[] = [
  // Questions such as `Und bei Teilzeit?`, `And for part-timers?`
  new RegExp(
    String.raw`^(?:und|aber|and|but)\s+(?:bei|beim|für|im|als|for|with|as|in)\s+${FEW_WORDS}$`,
    'iu',
  ),
  // Questions such as `Gilt das auch für Azubis?`, `und wie ist das im Osten?`
  new RegExp(
    String.raw`^(?:und\s+|aber\s+)?(?:gilt|zählt|stimmt|(?:wie\s+)?(?:ist|war|sieht|läuft))\s+(?:das|dies|dasselbe|das\s+gleiche)\s+${OF}`,
    'iu',
  ),
  // Questions such as `Does that also apply to trainees?`, `is it the same in the east?`
  /^(?:and\s+|but\s+)?(?:does|would)\s+(?:this|that|the same)\s+(?:also\s+)?(?:apply|hold|count|go)(?!\p{L})/iu,
  /^(?:and\s+|but\s+)?is\s+(?:this|that|it)\s+(?:also\s+)?(?:the\s+same|different|true)\s+(?:for|in|with)(?!\p{L})/iu,
  // Questions such as `What about trainees?`
  new RegExp(String.raw`^(?:and\s+)?(?:what|how)\s+about\s+${FEW_WORDS}$`, 'iu'),
];

/** Whether a question depends on an earlier one. */
export const leansOnMore = (question: string): boolean => WAYS.some((way) => way.test(question.trim()));

/**
 * Words that refer to something earlier. In German `Sie` is the person who is asked, and the `es` of `gibt es` refers
 * to nothing.
 */
const REFERS: Readonly<Record<Language, RegExp>> = {
  de: /(?<!\p{L})(?:er|sie|ihn|ihm|(?<!(?:gibt|geht|ist|wird|handelt|was|wie) )es|da|dann|dort|da(?:r|von|für|zu|nach|bei|mit|gegen|ran|rauf|rin|rüber|rum|durch|raus)|hier(?:für|zu|bei)|dies\p{L}*(?!\p{L}|\s+(?:Jahr|Monat))|dasselbe|beide[nrs]?|jeweils|sonst|auch|genauso|trotzdem)(?!\p{L})/u,
  en: /(?<!\p{L})(?:it|they|them|he|she|him|this|that|those|these|then|also|too|both|each|so)(?!\p{L})/iu,
};
/** An article without a noun after it, which refers to something earlier too. */
const ARTICLE_ALONE =
  /(?<!\p{L})(?:das|die|der|den|dem)(?=\s*(?:[?.!,;:]|$)|\s+(?:auch|noch|dann|denn|eigentlich|so|anders|jetzt|nicht|man|ich|wir|für|bei|beim|in|im|mit|nach|von|zu|aus|an|ist|sind|wird|hat|haben|kann|muss|darf|gilt)(?!\p{L}))/u;
/** Words for persons that occur in questions of any subject. */
const PARTY =
  /^(?:arbeitgeber|arbeitnehmer|chef|betrieb|firma|unternehm|beschäftigt|mitarbeiter|employ|boss|compan|worker)\p{L}{0,3}$/iu;
/** A word with a capital that does not begin a sentence. */
const NOUN = /[\p{Ll},]\s+\p{Lu}/u;
/** A word with at least this weight names a subject. */
const SUBJECT = 0.6;

/**
 * Whether a part of a question is a question of its own: it names a subject and does not refer to anything earlier.
 *
 * @param question the whole question, which shows whether nouns have capitals.
 * @example standsAlone('wann ist der Lohn fällig?', 'Was ist Lohn und wann ist der Lohn fällig?', 'de')
 * true
 */
export function standsAlone(part: string, question: string, language: Language): boolean {
  return (
    !REFERS[language].test(part) &&
    !(language === 'de' && ARTICLE_ALONE.test(part)) &&
    namesSubject(part, question, language)
  );
}

/** Whether a part names its subject; a verb alone does not. `question` is the whole question. */
export function namesSubject(part: string, question: string, language: Language): boolean {
  const isCased = language === 'de' && NOUN.test(question);
  return wordsAsked(part, language).some(
    (word) =>
      (!isCased || (word.start > 0 && /^\p{Lu}/u.test(word.text))) &&
      !PARTY.test(word.text) &&
      !isVerbOf(part, word, language) &&
      tellingOf(word.folded, language) >= SUBJECT,
  );
}

/** The words of a part that say what is asked, without words such as `how much` that only ask. */
export const wordsAsked = (part: string, language: Language): Word[] =>
  plainAnalysis
    .words(part, language)
    .filter(({ folded, text }) => !isFigureWord(text, language) && !isOfQuestions(folded, language));
