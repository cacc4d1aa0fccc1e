import { plainAnalysis, type Word } from '../../../kb/analysis/analysis.ts';
import { yearsIn } from '../../../kb/index/years.ts';
import { languageOf } from '../language.ts';
import { splitEnumeration } from './enumeration.ts';
import { splitProvisions } from './provisions.ts';

const QUESTION_WORD =
  /^(?:wer|wen|wem|wessen|was|wann|wo|wohin|woher|wie|wieso|warum|weshalb|wofür|womit|wodurch|wieviele?|wieoft|wielange|welche[rsmn]?|who|whom|whose|what|when|where|why|how|which)$/iu;
const PREPOSITION =
  /^(?:ab|an|auf|aus|bei|bis|durch|für|fuer|in|mit|nach|seit|um|unter|von|vor|zu|for|from|in|on|to|until|by|at)$/iu;
/** A verb with its subject begins a question that is answered by yes or no. */
const VERB =
  /^(?:am|is|are|was|do|does|did|can|could|may|must|should|will|would|have|has|bin|ist|sind|war|wird|werden?|habe?|habt|hat|haben|muss|muß|müssen|muessen|darf|dürfen|duerfen|kann|können|koennen|soll|sollen|gilt|gelten|zählt|zählen|zaehlt|zaehlen|zahle?|zahlt|zahlen|gibt|geht|bekomme?|bekommt|bekommen|kriege?|kriegt|kriegen|brauche?|braucht|brauchen|trägt|läuft|verfällt|steht|bleibt|reicht)$/iu;
const SUBJECT =
  /^(?:i|we|he|she|it|they|you|the|my|our|there|an?|ich|man|er|sie|es|wir|ihr|der|die|das|den|dem|(?:ein|mein|unser|sein|dies)\p{L}*|auch|da|dann)$/iu;
const MIN_WORDS = 4;
/** A question of more parts is no question any more, and is searched for as it stands. */
export const MAX_PARTS = 6;

/**
 * The search strings for a question, in order: the question, and its parts where it asks several things. Parts end at
 * question marks, before an `und`/`and` that another question follows, between the things of an enumeration and between
 * provisions. The whole question leads, since parts lean on each other.
 *
 * @example plan('Wie lange wird Lohn fortgezahlt und wer zahlt danach das Krankengeld?').length // 3
 */
export function plan(question: string): readonly string[] {
  const questions = splitQuestions(question);
  const parts = questions.flatMap((part) => splitProvisions(part) ?? splitEnumeration(part) ?? [part]);
  return parts.length < 2 || parts.length > MAX_PARTS ? [question] : [question, ...parts];
}

/**
 * A later part behind what the first one is about, which stands as a sentence of its own: `und wie lange?` asks nothing
 * alone. A year that it names takes the place of the first one's.
 *
 * @example inContext('wie lange?', 'Wer bekommt Elternzeit') // 'Elternzeit. wie lange?'
 */
export function inContext(part: string, first: string): string {
  const nouns = nounsIn(first);
  const words = nouns.length > 0 ? nouns : plainAnalysis.words(first, languageOf(first));
  const years = yearsIn(part).length > 0 ? [] : yearsIn(first);
  return `${[...words.map(({ text }) => text), ...years].join(' ')}. ${part}`;
}

/** True of a German part without a noun, where the first one has some (`und wie wird es berechnet?`). */
export const namesNothing = (part: string, first: string): boolean =>
  nounsIn(part).length === 0 && nounsIn(first).length > 0;

/** Known by their capital: none where a question is typed without, and in English. */
const nounsIn = (question: string): Word[] =>
  languageOf(question) === 'en'
    ? []
    : plainAnalysis.words(question, 'de').filter(({ text, start }) => start > 0 && /^\p{Lu}/u.test(text));

function splitQuestions(question: string): readonly string[] {
  const [first = '', ...others] = question
    .split(/(?<=\?)\s+/u)
    .flatMap(splitCoordinated)
    .map((part) => part.trim())
    .filter((part) => /\p{L}/u.test(part));
  return wordsOf(first).length < MIN_WORDS ? [question] : [first, ...others];
}

function splitCoordinated(sentence: string): string[] {
  const words = sentence.split(/\s+/u);
  const at = words.findIndex(
    (word, i) => i >= MIN_WORDS && /^(?:und|and)$/iu.test(word) && beginsQuestion(words.slice(i + 1)),
  );
  if (at === -1) return [sentence];
  return [
    ...splitRow(words.slice(0, at).join(' ').replace(/,$/u, '')),
    ...splitCoordinated(words.slice(at + 1).join(' ')),
  ];
}

function beginsQuestion(words: readonly string[]): boolean {
  const [first = '', second = ''] = words.map((word) => word.replace(/[,?!.]+$/u, ''));
  return (
    QUESTION_WORD.test(first) ||
    (PREPOSITION.test(first) && QUESTION_WORD.test(second)) ||
    (VERB.test(first) && (SUBJECT.test(second) || /^\p{Lu}/u.test(second)))
  );
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
