import { amount, day } from './format.ts';
import type { Status } from './state.ts';

const REASONS: Readonly<Record<string, string>> = {
  daily_loss: 'the daily loss limit has been reached',
  discrepancy: 'the account and the broker do not agree',
  no_equity: 'the account has no value left',
};
const ENDS: Readonly<Record<string, string>> = {
  daily_loss: ' Trading resumes automatically in the next session.',
  discrepancy: ' Once they agree again, trading can be started.',
};

type HaltOf = Pick<Status, 'state' | 'halt_reason' | 'last_halt' | 'discrepancies' | 'total_value'>;

/** Why and since when trading is halted; '' if it is not. */
export function haltWords({ state, halt_reason, last_halt }: HaltOf): string {
  if (state !== 'halted') return '';
  const reason = halt_reason ?? 'no reason given';
  const since = last_halt?.session ? ` since ${day(last_halt.session)}` : '';
  const end = ENDS[reason] ?? '';
  return `Trading is halted${since}: ${withDetail(reason, last_halt)}. You can only close positions and cancel orders.${end}`;
}

/** The last halt, which is over; '' if there was none since trading was started. */
export function lastHaltWords({ state, last_halt }: HaltOf): string {
  if (state === 'halted' || last_halt === null) return '';
  const { session, reason, resumed } = last_halt;
  const until = resumed === null ? '' : `, until ${day(resumed)}`;
  return `Last halt: ${day(session)}${until}: ${withDetail(reason, last_halt)}.`;
}

/** Why trading cannot be started; `null` if it can. */
export function startRefusal({ state, halt_reason, discrepancies, total_value }: HaltOf): string | null {
  if (state === 'stopped') return null;
  if (state !== 'halted') return 'Trading is not stopped';
  if (halt_reason === 'daily_loss') return 'Trading resumes automatically in the next session';
  if (halt_reason === 'no_equity' && total_value <= 0) return 'The account has no value left';
  return discrepancies > 0 ? 'The account and the broker do not agree' : null;
}

function withDetail(reason: string, halt: Status['last_halt']): string {
  const words = REASONS[reason] ?? reason.replaceAll('_', ' ');
  if (halt === null) return words;
  // The record has amounts with all decimals.
  const detail =
    reason === 'discrepancy' ? halt.detail : halt.detail.replace(/\d+\.\d+/g, (sum) => amount(Number(sum)));
  return `${words} (${detail})`;
}
