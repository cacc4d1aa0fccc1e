/** The largest file of a base, in bytes. */
export const LARGEST_FILE = 32 * 1024 * 1024;

/** The limits for reading one document. */
export interface Limits {
  /** Seconds of processor time, which do not depend on how busy the machine is. */
  readonly seconds: number;
  /** Resident memory of the process that reads it, in MiB. */
  readonly megabytes: number;
  /** The largest resulting document, in MiB of JSON. */
  readonly output: number;
}

export const LIMITS: Limits = { seconds: 30, megabytes: 512, output: 64 };

/** The limit in real time, as a multiple of the processor time, because other processes need the processor too. */
export const WALL_TIMES = 6;

/** The most unpacked bytes of an Office file. Its pictures are not unpacked and do not count. */
export const MOST_UNPACKED = 256 * 1024 * 1024;
export const MOST_FILES_PACKED = 20_000;

/** The greatest depth of list items. Deeper indentation comes from no list that a person wrote. */
export const MAX_DEPTH = 100;

/** The most cells of a sheet, and the most cells that spanning cells may add to a table of a web page. */
export const MOST_SHEET_CELLS = 5_000_000;
export const MOST_SPANNED_CELLS = 1_000_000;
/** The most columns of a table of a web page. Nobody could read a table with more. */
export const MOST_COLUMNS = 1_000;

/**
 * The most scanned pages of a file that are read. A file with more is a book; its further pages are counted as left
 * out.
 */
export const MOST_SCANS = 200;

/** The signals by which the watchdog ends the process. The kernel uses others when the machine is out of memory. */
export const ENDS = { seconds: 'SIGVTALRM', megabytes: 'SIGUSR2' } as const;

/** A number of files or cells in a message: `20,000`. */
export const inFigures = (count: number): string => count.toLocaleString('en');
