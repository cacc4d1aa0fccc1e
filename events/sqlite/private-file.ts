import { closeSync, existsSync, openSync, statSync } from 'node:fs';

/**
 * Creates a file that only its owner can read, if there is none. SQLite would create it readable for everybody, and
 * gives its log the rights of the file. An existing file keeps its rights, which its owner has chosen. It is not even
 * opened, because closing it would release the locks of all connections that this process has to it. Throws as the file
 * system does.
 */
export function makePrivateFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
}

/** Whether the file exists and is not empty. A crash during its creation leaves an empty file. */
export function holdsBytes(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
