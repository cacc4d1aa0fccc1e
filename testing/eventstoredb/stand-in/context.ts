import type { Database } from './database.ts';
import type { Faults } from './faults.ts';
import type { Version } from './version.ts';

/** What all methods need. */
export interface Context {
  database: Database;
  faults: Faults;
  version: Version;
  /** Destroys every connection. */
  cut: () => void;
}
