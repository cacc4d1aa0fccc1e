/** A ticker no longer trades if it has had no bar in this many sessions in a row, including the last one. */
export const GONE_AFTER = 20;
