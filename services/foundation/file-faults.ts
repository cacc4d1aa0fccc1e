/** Node's error codes for files and folders, in words. */
export const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be used by this user',
  EPERM: 'may not be used by this user',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'is a file, not a folder',
  ENOSPC: 'cannot be written: the disk is full',
};
