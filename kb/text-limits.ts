/**
 * The greatest lengths of a word, a sentence and a name. Longer ones were not written to be read (a picture in Base64,
 * a program in one line), and the time to analyse them may grow faster than their length.
 */
const LONGEST_WORD = 1_000;
const LONGEST_SENTENCE = 10_000;
const LONGEST_NAME = 300;

const ENDLESS = new RegExp(String.raw`\S{${LONGEST_WORD}}(?=\S)|(?<blank>\s{${LONGEST_WORD}})\s+`, 'gu');

/** The text with a space in each word that is too long, and with long white space cut to the limit. */
export const withoutEndlessWords = (text: string): string =>
  text.replaceAll(ENDLESS, (found, blank: string | undefined) => blank ?? `${found} `);

/**
 * The places where a text exceeds these limits, with a sentence for its author on what is done there; each limit once.
 */
export function beyondLimits(text: string): { readonly at: number; readonly message: string }[] {
  const word = text.search(ENDLESS);
  const sentence = longStretch(text);
  return [
    ...(word === -1
      ? []
      : [{ at: word, message: `has a word of more than ${LONGEST_WORD} characters, which is cut` }]),
    ...(sentence === -1
      ? []
      : [
          {
            at: sentence,
            message: `has more than ${LONGEST_SENTENCE} characters without the end of a sentence, which are told in parts`,
          },
        ]),
  ];
}

/** The end of a sentence, or a line by itself. */
const BREAK = /[.!?…]["'“”»«’‘)\]]*\s|\n\s*(?:\n|[-*•–|#]|\d{1,3}[.)])/gu;

/**
 * The beginning of a stretch that is longer than `LONGEST_SENTENCE` and in which no sentence ends; -1 if there is none.
 */
function longStretch(text: string): number {
  if (text.length <= LONGEST_SENTENCE) return -1;
  let from = 0;
  for (const { index } of text.matchAll(BREAK)) {
    if (index - from > LONGEST_SENTENCE) return from;
    from = index;
  }
  return text.length - from > LONGEST_SENTENCE ? from : -1;
}

/** A name, title or heading, cut to the length that can be shown. */
export const shortName = (name: string): string =>
  name.length <= LONGEST_NAME
    ? name
    : `${name.slice(0, LONGEST_NAME).replace(/\s+\S*$|\p{Surrogate}$/u, '')} …`;

/** Whether `shortName` cuts the name. */
export const isLongName = (name: string): boolean => name.length > LONGEST_NAME;

/** Where an endless sentence is cut: at the last of these borders that leaves a piece of some length. */
const BORDERS = [/;(?=\s)|\n/gu, /,(?=\s)/gu, /\s/gu];

/**
 * `text.slice(from, to)` in pieces of the length of a sentence. They contain the whole text, except for too many
 * repeated characters.
 */
export function* sentencePieces(
  text: string,
  from: number,
  to: number,
): Generator<[start: number, end: number]> {
  while (to - from > LONGEST_SENTENCE) {
    const piece = text.slice(from, from + LONGEST_SENTENCE);
    const half = piece.slice(LONGEST_SENTENCE / 2);
    const border = BORDERS.map((pattern) => [...half.matchAll(pattern)].at(-1)).find(
      (at) => at !== undefined,
    );
    const end = from + (border === undefined ? LONGEST_SENTENCE : LONGEST_SENTENCE / 2 + border.index + 1);
    yield [from, from + text.slice(from, end).trimEnd().length];
    from = end + (text.slice(end, to).length - text.slice(end, to).trimStart().length);
  }
  if (from < to) yield [from, to];
}
