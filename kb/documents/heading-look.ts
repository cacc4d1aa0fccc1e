/** The longest bold line, in characters, that is a heading where a document names none; a question may be longer. */
const [LONGEST, LONGEST_QUESTION] = [80, 200];

/** The end of the name of an organisation, and of no sentence. */
const NAME = /(?<!\p{L})(?:e\.\s?V|Inc|Ltd|Corp|Co)\.$/u;

/** Whether a line ends as texts do, and titles do not. */
export const endsAsText = (line: string): boolean => /[.!:;,]$/u.test(line) && !NAME.test(line);

/** The most words of a label. */
const MOST_WORDS = 4;

/** A few words with a colon, and a number before them where they are one of several. */
const LABEL = /^(?:\d{1,2}[.)]\s?)?(?<words>\p{L}[^:]*\p{L}\s?):$/u;

/** Whether a line is a word or two with a colon, which people set above a text as its heading: `Wunschkriterien:`. */
export const isLabel = (line: string): boolean =>
  (LABEL.exec(line)?.groups?.['words']?.split(/\s+/u).length ?? Infinity) <= MOST_WORDS;

/** Whether a bold line is a heading where a document names none: it is short and no sentence or address. */
export const couldBeHeading = (text: string): boolean =>
  text.length <= (text.endsWith('?') ? LONGEST_QUESTION : LONGEST) &&
  (!endsAsText(text) || isLabel(text)) &&
  !/^(?:https?:\/\/|www\.)\S+$/u.test(text);
