/** What is said of rows of a table that are left out because they cannot be read, and by what such notes are known again. */
const LEFT_OUT = 'left out that cannot be read: ';

/** @param fault what is wrong with the first of these rows */
export const lostRows = (fault: string): string => LEFT_OUT + fault;

/** Whether a note on a table says that rows of it are left out. */
export const tellsLostRows = (note: string): boolean => note.includes(` ${LEFT_OUT}`);
