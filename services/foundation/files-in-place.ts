import type { Logger } from 'pino';
import type { FileNews } from '../../events/sqlite/writer-thread.ts';

/** The names of files of the record in this process to which nothing is written any more. */
export interface RecordFiles {
  /** Names of files that are not in their place. */
  readonly missing: readonly string[];
  /** Names of files whose content is not what was written. */
  readonly damaged: readonly string[];
}

/** Logs when somebody else removes, replaces or damages a file that this process writes to. */
export class FilesInPlace implements RecordFiles {
  readonly #logger: Logger;
  readonly #missing = new Set<string>();
  readonly #damaged = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get missing(): string[] {
    return [...this.#missing];
  }

  get damaged(): string[] {
    return [...this.#damaged];
  }

  /** Returns a listener for news of the file with this name. */
  watch(file: string): (news: FileNews) => void {
    return (news) => {
      if (news.state === 'back') {
        this.#missing.delete(file);
        this.#damaged.delete(file);
        this.#logger.error(
          { file },
          'this file, or its log, was removed or replaced under the running process; all that was in it has been written back. Stop the service before you touch its files',
        );
        return;
      }
      if (news.state === 'damaged') {
        this.#damaged.add(file);
        this.#logger.error(
          { file, reason: news.reason },
          'this file is damaged: nothing is written to it any more, and answers wait in the spool. Stop the service, keep the file, and put a backup in its place; `beleg audit verify` says what is damaged',
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

/** The files of a process that writes none of the record's files. */
export const NO_FILES: RecordFiles = { missing: [], damaged: [] };
