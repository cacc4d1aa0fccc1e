/** The error of a write with the file or folder that it was for: that of a full disk names none. */
export function withPath(error: unknown, path: string): unknown {
  return error instanceof Error && 'syscall' in error && !('path' in error)
    ? Object.assign(error, { path })
    : error;
}
