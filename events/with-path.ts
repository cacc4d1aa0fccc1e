/**
 * The error of a failed write, with the path of the file or folder. The error of a full disk, for example, has no path
 * of its own.
 */
export function withPath(error: unknown, path: string): unknown {
  return error instanceof Error && 'syscall' in error && !('path' in error)
    ? Object.assign(error, { path })
    : error;
}
