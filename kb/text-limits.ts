/**
 * How long a word, a sentence and a name may be. Longer ones are nothing that a person wrote to be read (a picture as Base64, a
 * program in one line), and what looks at them takes time that may grow faster than they do.
 */
const LONGEST_WORD = 1_000;
const LONGEST_SENTENCE = 10_000;
const LONGEST_NAME = 300;

const ENDLESS = new RegExp(String.raw`\S{${LONGEST_WORD}}(?=\S)|(?<blank>\s{${LONGEST_WORD}})\s+`, 'gu');

/** The text with a space after every so many signs of a word that has no end, and with less of white space that has none. */
export const withoutEndlessWords = (text: string): string =>
  text.replaceAll(ENDLESS, (found, blank: string | undefined) => blank ?? `${found} `);

/** Where a text goes beyond these limits, and what becomes of it there, in words for who wrote it: each of them once. */
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

/** What ends a sentence, or a line that stands alone. */
const BREAK = /[.!?…]["'“”»«’‘)\]]*\s|\n\s*(?:\n|[-*•–|#]|\d{1,3}[.)])/gu;

/** Where something begins that no sentence ends in for too long; -1 if nothing does. */
function longStretch(text: string): number {
  if (text.length <= LONGEST_SENTENCE) return -1;
  let from = 0;
  for (const { index } of text.matchAll(BREAK)) {
    if (index - from > LONGEST_SENTENCE) return from;
    from = index;
  }
  return text.length - from > LONGEST_SENTENCE ? from : -1;
}

/** A name, title or heading as far as it can be shown. */
export const shortName = (name: string): string =>
  name.length <= LONGEST_NAME
    ? name
    : `${name.slice(0, LONGEST_NAME).replace(/\s+\S*$|\p{Surrogate}$/u, '')} …`;

/** Whether `shortName` leaves anything out. */
export const isLongName = (name: string): boolean => name.length > LONGEST_NAME;

/** Where a sentence ends that nothing else does; the last one of these that leaves a piece of some length is taken. */
const BORDERS = [/;(?=\s)|\n/gu, /,(?=\s)/gu, /\s/gu];

/** `text.slice(from, to)` in pieces that can be looked at as a sentence: all of it, but for what has far too many signs. */
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
