import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { SettingsError } from '../foundation/settings-error.ts';
import type { StrategySource } from './named.ts';

/**
 * Checks that the files of own strategies are there, before anything is recorded: a name with a mistake in it would be a
 * strategy on record that never was one, and that stays halted until somebody starts it. What is wrong within a file or a
 * program shows when it is opened, and halts that strategy alone.
 *
 * @throws {SettingsError} with the paths
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

/** Endings of programs that another program runs. */
const SCRIPT = /^[^-].*\.(?:py|[cm]?[jt]s|rb|r|jl|pl|lua|php|jar|sh)$/iu;

/** Of a command, the program if it is named by its path, and the first script: further files may be made by it. */
function filesOf(runs: StrategySource['runs']): readonly string[] {
  if (runs.kind === 'file') return [runs.path];
  if (runs.kind !== 'program') return [];
  const [program = '', ...words] = runs.command;
  const files = [program.includes('/') ? program : undefined, words.find((word) => SCRIPT.test(word))];
  return files.filter((file) => file !== undefined).map((file) => resolve(file));
}
