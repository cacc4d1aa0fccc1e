const QUESTION_WORD =
  /^(?:wer|wen|wem|wessen|was|wann|wo|wohin|woher|wie|wieso|warum|weshalb|wofür|womit|wodurch|welche[rsmn]?|who|whom|whose|what|when|where|why|how|which)$/iu;
const MIN_WORDS = 4;
const MAX_PARTS = 4;

/**
 * The search strings for a question, in order. One that asks several things is split where a question mark ends a
 * part, or where `und`/`and` is followed by a question word; the whole question leads, since parts lean on each other.
 *
 * @example plan('Wie lange wird Lohn fortgezahlt und wer zahlt danach das Krankengeld?').length // 3
 */
export function plan(question: string): readonly string[] {
  const parts = question
    .split(/(?<=\?)\s+/u)
    .flatMap(splitCoordinated)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (
    parts.length < 2 ||
    parts.length > MAX_PARTS ||
    parts.some((part) => wordsOf(part).length < MIN_WORDS)
  ) {
    return [question];
  }
  return [question, ...parts];
}

function splitCoordinated(sentence: string): string[] {
  const words = sentence.split(/\s+/u);
  const at = words.findIndex(
    (word, i) => i >= MIN_WORDS && /^(?:und|and)$/iu.test(word) && QUESTION_WORD.test(words[i + 1] ?? ''),
  );
  if (at === -1) return [sentence];
  return [words.slice(0, at).join(' ').replace(/,$/u, ''), words.slice(at + 1).join(' ')];
}

const wordsOf = (text: string): string[] => text.split(/\s+/u);
