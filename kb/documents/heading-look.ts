/** The longest bold line, in characters, that is a heading where a document names none. */
const LONGEST = 80;

/** Whether a bold line is a heading where a document names none: it is short and no sentence. */
export const couldBeHeading = (text: string): boolean => text.length <= LONGEST && !/[.!:;,]$/u.test(text);
