import { CommanderError } from 'commander';
import { KnowledgeBaseInvalid, formatFault } from '../../kb/base/faults.ts';
import { isBelegError } from '../../events/errors.ts';
import { FILE_FAULTS } from '../foundation/file-faults.ts';
import { isListenError, listenAdvice } from '../foundation/listening.ts';
import { StrategyFault } from '../strategies/fault.ts';
import { SettingsError } from '../foundation/settings-error.ts';
import { EXIT } from './exit-codes.ts';
import { count } from './number-format.ts';

/** Arguments or options are wrong, or do not fit together. */
export class UsageError extends Error {}

/** The command could not come to a result, so that its exit code must say neither yes nor no. */
export class UncertainError extends Error {}

/** Writes the failure to standard error in as few lines as possible, and returns the exit code. */
export function reportFailure(error: unknown): number {
  if (error instanceof SettingsError) {
    console.error(`beleg: the settings have ${count(error.faults.length, 'fault')}`);
    for (const fault of error.faults) console.error(`  ${fault}`);
    return EXIT.usage;
  }
  if (error instanceof KnowledgeBaseInvalid) {
    console.error(`beleg: ${error.message}`);
    for (const fault of error.faults) console.error(`  ${formatFault(fault)}`);
    return EXIT.usage;
  }
  if (isListenError(error)) {
    const { setting, code } = error;
    const advice = setting === undefined ? '' : `: ${listenAdvice(setting, code)}`;
    console.error(`beleg: cannot listen on ${error.address}:${error.port} (${code})${advice}`);
    return EXIT.failure;
  }
  // Commander has already written its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  console.error(`beleg: ${messageOf(error)}`);
  if (error instanceof UncertainError) return EXIT.uncertain;
  return error instanceof UsageError ? EXIT.usage : EXIT.failure;
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StrategyFault) return error.told;
  const { code = '', path } = error as NodeJS.ErrnoException;
  const said = FILE_FAULTS[code];
  if (said !== undefined && path !== undefined) return `${path} ${said}`;
  // Several parts failed to close, each with an error.
  if (error instanceof SuppressedError) return [error.suppressed, error.error].map(messageOf).join('; ');
  const because = error.cause instanceof Error ? error.cause.message : '';
  const cause = because === '' || error.message.includes(because) ? '' : ` (${because})`;
  return isBelegError(error)
    ? `${error.title}${error.detail === undefined ? '' : `: ${error.detail}`}${cause}`
    : `${error.message}${cause}`;
}
