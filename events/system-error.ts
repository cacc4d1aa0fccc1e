/** Whether the operating system refused something, such as to read a file. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error;

/**
 * The error of a failed write, with the path of the file or folder. The error of a full disk, for example, has no path
 * of its own.
 */
export function withPath(error: unknown, path: string): unknown {
  return isSystemError(error) && !('path' in error) ? Object.assign(error, { path }) : error;
}
