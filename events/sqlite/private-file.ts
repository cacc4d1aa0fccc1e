import { closeSync, existsSync, openSync, statSync } from 'node:fs';

/**
 * Makes a file for its owner alone where there is none. SQLite would make it readable for everybody, and gives its log the
 * rights of the file. One that exists keeps its own: they are for its owner to change. It is not even opened: to close it
 * again would take the locks of all connections that this process has to it. Throws as the file system does.
 */
export function makePrivateFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
}

/** Whether there is such a file, and anything in it: one without a byte is what a crash leaves where it was to be made. */
export function holdsBytes(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
