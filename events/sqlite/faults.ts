import { BelegError } from '../errors.ts';

/** `SQLITE_READONLY_DBMOVED`: the open file is no longer the one at the path. */
export const FILE_MOVED = 1032;
/** `SQLITE_BUSY`. */
const BUSY = 5;
const LOCKED = 6;
/** `SQLITE_CORRUPT`. */
export const CORRUPT = 11;
const NO_DATABASE = 26;

/**
 * SQLite's primary result codes (https://sqlite.org/rescode.html) that a healthy program can meet, and one extended
 * code.
 */
const FAULTS: Readonly<Record<number, string>> = {
  [FILE_MOVED]: 'the database file was removed or replaced',
  [BUSY]: 'the database is locked by another process',
  [LOCKED]: 'the database is locked',
  8: 'the database is read-only',
  10: 'reading or writing the disk failed',
  [CORRUPT]: 'the database file is damaged',
  13: 'the disk is full',
  14: 'the database file cannot be opened',
  [NO_DATABASE]: 'the file is not a SQLite database',
};

/**
 * A fault in the form in which a writer thread reports it. Errors lose extra fields when they are cloned between
 * threads.
 */
export interface Fault {
  message: string;
  /** SQLite's extended result code; absent for any other error. */
  code?: number;
}

export function toFault(error: unknown): Fault {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? { message, code } : { message };
}

/** SQLite's primary result code; absent for any other error. */
const primaryCode = (error: unknown): number | undefined => {
  const { code } = isFault(error) ? error : toFault(error);
  return code === undefined ? undefined : code & 0xff;
};

/** True for faults of the disk or the file, which may pass; false for a mistake in SQL or in the program. */
export function isDiskFault(error: unknown): boolean {
  const code = primaryCode(error);
  return code !== undefined && FAULTS[code] !== undefined;
}

/** Whether the error says that the content of the file is not what SQLite has written. This does not pass by itself. */
export const isDamaged = (error: unknown): boolean => primaryCode(error) === CORRUPT || isNoDatabase(error);

/** Whether another connection has locked the file, so that nothing is known of its content now. */
export const isInUse = (error: unknown): boolean => [BUSY, LOCKED].includes(primaryCode(error) ?? 0);

/** Whether the error, or the cause of a `BelegError`, says that the file is damaged. */
export const tellsDamage = (error: unknown): boolean =>
  isDamaged(error) || (error instanceof Error && isDamaged(error.cause));

/**
 * Whether nothing in the file says that it is a database: its beginning is damaged, or it is a file of somebody else.
 */
export const isNoDatabase = (error: unknown): boolean => primaryCode(error) === NO_DATABASE;

/**
 * Converts a database's fault to `STORE_UNAVAILABLE`. Only this function does that. The exception's text stays in
 * `cause`, with the file if there are several.
 */
export function unavailable(error: unknown, file?: string): BelegError {
  if (error instanceof BelegError) return error;
  const fault = isFault(error) ? error : toFault(error);
  const detail = fault.code === undefined ? undefined : (FAULTS[fault.code] ?? FAULTS[fault.code & 0xff]);
  return new BelegError('STORE_UNAVAILABLE', {
    detail,
    retryAfter: 1,
    cause:
      file === undefined && error instanceof Error
        ? error
        : Object.assign(new Error(file === undefined ? fault.message : `${file}: ${fault.message}`), {
            errcode: fault.code,
          }),
  });
}

function isFault(error: unknown): error is Fault {
  return !(error instanceof Error) && typeof error === 'object' && error !== null && 'message' in error;
}
