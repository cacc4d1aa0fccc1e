import type { Logger } from 'pino';
import type { FileNews } from '../../events/sqlite/writer-thread.ts';

/** Logs when somebody else removes or replaces a file that this process writes to. */
export class FilesInPlace {
  readonly #logger: Logger;
  readonly #missing = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** The names of files that are not in their place: nothing is written to them. */
  get missing(): string[] {
    return [...this.#missing];
  }

  /** Returns a listener for what happens to the file of this name. */
  watch(file: string): (news: FileNews) => void {
    return (news) => {
      if (news.state === 'back') {
        this.#missing.delete(file);
        this.#logger.error(
          { file },
          'this file, or its log, was removed or replaced under the running process; all that was in it has been written back. Stop the service before you touch its files',
        );
        return;
      }
      this.#missing.add(file);
      this.#logger.error(
        { file, reason: news.reason },
        'this file, or its log, was removed or replaced under the running process and could not be written back: nothing is written to it any more. Do not kill the process: mend what the reason says, or stop it in order (SIGTERM), which tries to write it back once more',
      );
    };
  }
}
