import { statSync } from 'node:fs';
import { SettingsError } from '../foundation/settings-error.ts';
import type { StrategySource } from './named.ts';

/**
 * Checks that the files of own strategies are there, before anything is recorded: a name with a mistake in it would be a
 * strategy on record that never was one, and that stays halted until somebody starts it. What is wrong within a file, or with
 * a program, shows when it is opened, and halts that strategy alone.
 *
 * @throws {SettingsError} with the paths
 */
export function checkFiles(sources: readonly StrategySource[]): void {
  const faults = sources.flatMap(({ runs }) => {
    if (runs.kind !== 'file') return [];
    const found = statSync(runs.path, { throwIfNoEntry: false });
    if (found?.isFile() === true) return [];
    return [`TD_STRATEGY: ${runs.path} ${found === undefined ? 'does not exist' : 'is not a file'}`];
  });
  if (faults.length > 0) throw new SettingsError(faults);
}
