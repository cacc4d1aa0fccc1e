/** The longest bold line, in characters, that is a heading where a document names none; a question may be longer. */
const [LONGEST, LONGEST_QUESTION] = [80, 200];

/** Whether a bold line is a heading where a document names none: it is short and no sentence. */
export const couldBeHeading = (text: string): boolean =>
  text.length <= (text.endsWith('?') ? LONGEST_QUESTION : LONGEST) && !/[.!:;,]$/u.test(text);
