/** A ticker no longer trades if it has had no bar in this many sessions in a row, the last of them included. */
export const GONE_AFTER = 20;
