import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { SettingsError } from '../foundation/settings-error.ts';
import type { StrategySource } from './named.ts';

/**
 * Checks that the files of own strategies exist, before anything is recorded. Otherwise a misspelt name would be
 * recorded as a strategy, which stays halted until somebody starts it. A fault within a file or a program shows when
 * the strategy is opened, and halts only that strategy.
 *
 * @throws {SettingsError} with the paths.
 */
export function checkFiles(sources: readonly StrategySource[]): void {
  const faults = sources
    .flatMap(({ runs }) => filesOf(runs))
    .flatMap((path) => {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found?.isFile() === true) return [];
      return [`TD_STRATEGY: ${path} ${found === undefined ? 'does not exist' : 'is not a file'}`];
    });
  if (faults.length > 0) throw new SettingsError(faults);
}

/** File name extensions of scripts, which an interpreter runs. */
const SCRIPT = /^[^-].*\.(?:py|[cm]?[jt]s|rb|r|jl|pl|lua|php|jar|sh)$/iu;

/**
 * The files of a command that have to exist: the program if it is named by its path, and the first script. Further
 * files may be created by the program.
 */
function filesOf(runs: StrategySource['runs']): readonly string[] {
  if (runs.kind === 'file') return [runs.path];
  if (runs.kind !== 'program') return [];
  const [program = '', ...words] = runs.command;
  const files = [program.includes('/') ? program : undefined, words.find((word) => SCRIPT.test(word))];
  return files.filter((file) => file !== undefined).map((file) => resolve(file));
}
