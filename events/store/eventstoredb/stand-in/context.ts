import type { Database } from './database.ts';
import type { Faults } from './faults.ts';

/** What every method works with. */
export interface Context {
  database: Database;
  faults: Faults;
  /** Destroys every connection. */
  cut: () => void;
}
