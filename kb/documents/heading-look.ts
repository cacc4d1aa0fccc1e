/** The longest bold line, in characters, that is a heading where a document names none; a question may be longer. */
const [LONGEST, LONGEST_QUESTION] = [80, 200];

/** The end of the name of an organisation, and of no sentence. */
const NAME = /(?<!\p{L})(?:e\.\s?V|Inc|Ltd|Corp|Co)\.$/u;

/** Whether a line ends as texts do, and titles do not. */
export const endsAsText = (line: string): boolean => /[.!:;,]$/u.test(line) && !NAME.test(line);

/** Whether a bold line is a heading where a document names none: it is short and no sentence or address. */
export const couldBeHeading = (text: string): boolean =>
  text.length <= (text.endsWith('?') ? LONGEST_QUESTION : LONGEST) &&
  !endsAsText(text) &&
  !/^(?:https?:\/\/|www\.)\S+$/u.test(text);
