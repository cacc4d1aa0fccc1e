/** The words of a list that is written as one text. */
export const wordList = (text: string): string[] => text.trim().split(/\s+/u);
export const wordSet = (text: string): ReadonlySet<string> => new Set(wordList(text));
