/** For `catch`: the value if a file or folder does not exist. Any other error is thrown on. */
export const ifAbsent =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
