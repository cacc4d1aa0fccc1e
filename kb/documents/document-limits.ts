/** The largest file of a base, in bytes. */
export const LARGEST_FILE = 32 * 1024 * 1024;

/** The limits for reading one document. */
export interface Limits {
  /** Processor time, which does not depend on how busy the machine is. */
  readonly seconds: number;
  /** Resident memory of the process that reads it, in MiB. */
  readonly megabytes: number;
  /** The largest resulting document, in MiB of JSON. */
  readonly output: number;
}

export const LIMITS: Limits = { seconds: 30, megabytes: 512, output: 64 };

/** The limit by the clock, as a multiple of the processor time, because other processes need the processor. */
export const WALL_TIMES = 6;

/** The most unpacked bytes of an Office file. Its pictures are not unpacked and do not count. */
export const MOST_UNPACKED = 256 * 1024 * 1024;
export const MOST_FILES_PACKED = 20_000;

/** How deep items of lists may be: deeper indentation comes from no list that somebody wrote. */
export const MAX_DEPTH = 100;

/** The most cells of a sheet, and those that spanning cells may add to a table of a web page. */
export const MOST_SHEET_CELLS = 5_000_000;
export const MOST_SPANNED_CELLS = 1_000_000;
/** No readable table of a web page has more columns. */
export const MOST_COLUMNS = 1_000;

/** With more scanned pages a file is a book, and its further pages are only counted as left out. */
export const MOST_SCANS = 200;

/** The signals by which the watchdog ends the process. The kernel uses others when the machine is out of memory. */
export const ENDS = { seconds: 'SIGVTALRM', megabytes: 'SIGUSR2' } as const;

/** A number of files or cells in a message: `20,000`. */
export const inFigures = (count: number): string => count.toLocaleString('en');
