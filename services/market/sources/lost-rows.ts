/** The words by which notes on unreadable rows of a table are recognised. */
const LEFT_OUT = 'left out that cannot be read: ';

/**
 * The note on rows that were left out.
 *
 * @param fault the fault of the first of these rows.
 */
export const lostRows = (fault: string): string => LEFT_OUT + fault;

/** Whether a note on a table says that rows of it are left out. */
export const tellsLostRows = (note: string): boolean => note.includes(` ${LEFT_OUT}`);
