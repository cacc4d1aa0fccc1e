import { BelegError } from '../../events/errors.ts';
import type { AccountCommand, TradingPolicy } from './commands.ts';
import type { AccountDraft } from './draft.ts';
import type { AccountState } from './state.ts';

/**
 * What follows from a command, in order; nothing where it changes nothing. The state is only read.
 *
 * @throws {BelegError} with the code that says why it is refused.
 */
export function decide(
  command: AccountCommand,
  state: AccountState,
  policy: TradingPolicy,
): readonly AccountDraft[] {
  throw new BelegError('INTERNAL', { detail: `${command.type} ${state.account} ${policy.lot}` });
}
