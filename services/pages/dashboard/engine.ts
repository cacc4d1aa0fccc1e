import type { z } from 'zod';
import type { CloseAllReply } from '../../../events/messages/trading.ts';
import { find } from '../dom.ts';
import { allow, commands, notLive, once, send } from './send-command.ts';
import { closesAll, stopsAndClosesAll } from './confirmations.ts';
import { day } from './format.ts';
import { haltWords, lastHaltWords, startRefusal } from './halt.ts';
import { state, view, type Status } from './state.ts';
import { setText } from './table.ts';

const start = find('#start', HTMLButtonElement);
const stop = find('#stop', HTMLButtonElement);
const kill = find('#kill', HTMLButtonElement);
const closeAll = find('#close-all', HTMLButtonElement);

const STATES = {
  running: 'Running',
  stopped: 'Stopped',
  reconciling: 'Reconciling',
  halted: 'Halted',
  unknown: '–',
};

const CLOSE_ALL = '/api/trading/positions/close-all';
const NOT_CLOSED = 'Positions were not closed';

/** Shows the state of the engine, with start, stop, and the kill switch. */
export function showEngine(): void {
  const chip = find('#engine-state');
  const halted = find('#halted');
  view(['status', 'readOnly', 'connection'], ({ status }) => {
    const engine = status?.state ?? 'unknown';
    chip.dataset.state = engine;
    setText(chip, STATES[engine]);
    const refusal = status === null ? 'The account has not been loaded yet' : startRefusal(status);
    allow(start, refusal === null, refusal ?? '');
    const canStop = engine === 'running' || (engine === 'halted' && status?.halt_reason !== 'no_equity');
    allow(stop, canStop, 'Trading is not running');
    allow(kill, status !== null, 'The account has not been loaded yet');
    const holdsNothing = Object.keys(status?.positions ?? {}).length === 0;
    const unclosable = notLive() || (holdsNothing ? 'There are no positions' : '');
    allow(closeAll, unclosable === '', unclosable);
    if (status === null) return;
    setText(find('#session'), `${day(status.session)}${clockWords(status)}`);
    setText(find('#strategy'), status.strategy);
    halted.hidden = engine !== 'halted';
    setText(halted, haltWords(status));
    const lastHalt = lastHaltWords(status);
    find('#last-halt').hidden = lastHalt === '';
    setText(find('#last-halt'), lastHalt);
  });

  commands(start, '/api/trading/start', { done: () => 'Trading started.' });
  commands(stop, '/api/trading/stop', {
    done: () => 'Trading stopped. Orders that would open positions are cancelled.',
  });
  commands(closeAll, CLOSE_ALL, {
    sure: () => closesAll(heldWords()),
    done: closingWords,
    failed: () => NOT_CLOSED,
  });
  kill.addEventListener('click', () => void once(kill, killSwitch));
}

/** Why no sessions come at the moment; empty if they come. */
function clockWords({ feed_resting, feed_waiting, feed_paused }: Status): string {
  if (feed_resting) return ' · paused while trading is stopped';
  if (feed_paused) return ' · clock held, one session at a time';
  return feed_waiting ? ' · waiting for data' : '';
}

/** Stops trading and closes all positions. Positions are closed even if stopping fails; both results are shown. */
async function killSwitch(): Promise<void> {
  if (!(await stopsAndClosesAll(heldWords()))) return;
  await send('/api/trading/stop', 'Trading was not stopped', { done: () => 'Trading stopped.' });
  await send(CLOSE_ALL, NOT_CLOSED, { done: closingWords });
}

function heldWords(): string {
  const held = Object.keys(state.status?.positions ?? {});
  if (held.length === 0) return 'There are no open positions.';
  return `${held.join(', ')}: closed with market orders in the next session.`;
}

function closingWords({ results }: z.output<typeof CloseAllReply>): string {
  if (results.length === 0) return 'No positions to close.';
  return `Closing ${results.map(({ ticker }) => ticker).join(', ')}.`;
}
