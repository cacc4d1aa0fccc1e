import { splitEnumeration } from './enumeration.ts';
import { splitProvisions } from './provisions.ts';

const QUESTION_WORD =
  /^(?:wer|wen|wem|wessen|was|wann|wo|wohin|woher|wie|wieso|warum|weshalb|wofür|womit|wodurch|welche[rsmn]?|who|whom|whose|what|when|where|why|how|which)$/iu;
const MIN_WORDS = 4;
/** A question of more parts is no question any more, and is searched for as it stands. */
export const MAX_PARTS = 6;

/**
 * The search strings for a question, in order: the question, and its parts where it asks several things. Parts end at
 * question marks, before an `und`/`and` that a question word follows, between the things of an enumeration and between
 * provisions. The whole question leads, since parts lean on each other.
 *
 * @example plan('Wie lange wird Lohn fortgezahlt und wer zahlt danach das Krankengeld?').length // 3
 */
export function plan(question: string): readonly string[] {
  const questions = splitQuestions(question);
  const parts = questions.flatMap((part) => splitProvisions(part) ?? splitEnumeration(part) ?? [part]);
  return parts.length < 2 || parts.length > MAX_PARTS ? [question] : [question, ...parts];
}

function splitQuestions(question: string): readonly string[] {
  const parts = question
    .split(/(?<=\?)\s+/u)
    .flatMap(splitCoordinated)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.some((part) => wordsOf(part).length < MIN_WORDS) ? [question] : parts;
}

function splitCoordinated(sentence: string): string[] {
  const words = sentence.split(/\s+/u);
  const at = words.findIndex(
    (word, i) => i >= MIN_WORDS && /^(?:und|and)$/iu.test(word) && QUESTION_WORD.test(words[i + 1] ?? ''),
  );
  if (at === -1) return [sentence];
  return [
    ...splitRow(words.slice(0, at).join(' ').replace(/,$/u, '')),
    ...splitCoordinated(words.slice(at + 1).join(' ')),
  ];
}

/** A verb at the end makes it an indirect question: `…, wie hoch der Beitrag ist`. */
const VERB_LAST = /(?:ist|sind|war|wird|werden|hat|haben|kann|muss|darf|soll|gilt|beträgt|is|are)$/iu;

/** `Wie hoch ist A, wie viele B gibt es und …`: what stands before the `und`, question by question. */
function splitRow(text: string): string[] {
  const asked = text.split(/,\s+/u);
  const isRow =
    asked.length > 1 &&
    asked.every((part, i) => QUESTION_WORD.test(wordsOf(part)[0]!) && (i === 0 || !VERB_LAST.test(part)));
  return isRow ? asked : [text];
}

const wordsOf = (text: string): string[] => text.split(/\s+/u);
