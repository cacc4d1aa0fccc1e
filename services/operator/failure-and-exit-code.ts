import { CommanderError } from 'commander';
import { KnowledgeBaseInvalid, formatFault } from '../../kb/base/faults.ts';
import { isBelegError } from '../../events/errors.ts';
import { SettingsError } from '../foundation/settings-error.ts';
import { count } from './number-format.ts';

/** Exit codes beside 0; `usage`: of settings, arguments or options that cannot be. */
export const EXIT = { failure: 1, usage: 2, refused: 3, uncertain: 4, notFound: 5 } as const;

/** Arguments or options that cannot be, each by itself or together. */
export class UsageError extends Error {}

/** Says on standard error what went wrong, in as few lines as it takes; returns the exit code. */
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
    console.error(`beleg: cannot listen on ${error.address}:${error.port} (${error.code})`);
    return EXIT.failure;
  }
  // Commander has said it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  console.error(`beleg: ${messageOf(error)}`);
  return error instanceof UsageError ? EXIT.usage : EXIT.failure;
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of a stop in which several things could not be closed.
  if (error instanceof SuppressedError) return [error.suppressed, error.error].map(messageOf).join('; ');
  const because = error.cause instanceof Error ? error.cause.message : '';
  const cause = because === '' || error.message.includes(because) ? '' : ` (${because})`;
  return isBelegError(error)
    ? `${error.title}${error.detail === undefined ? '' : `: ${error.detail}`}${cause}`
    : `${error.message}${cause}`;
}

function isListenError(error: unknown): error is NodeJS.ErrnoException & { address: string; port: number } {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen' && 'port' in error;
}
