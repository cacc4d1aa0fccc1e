import { post } from './api.js';
import { allow, commands, learnFrom, once } from './command.js';
import { day } from './format.js';
import { confirmed, notify } from './notices.js';
import { state, view } from './state.js';
import { setText } from './table.js';
import { explain } from './words.js';

const at = (id) => document.querySelector(`#${id}`);
const start = at('start');
const stop = at('stop');
const kill = at('kill');
const closeAll = at('close-all');

const STATES = { running: 'Running', stopped: 'Stopped', reconciling: 'Reconciling', halted: 'Halted' };

/** The engine: how it stands, start, stop, and the way out of everything. */
export function showEngine() {
  const chip = at('engine-state');
  const halted = at('halted');
  view(['status', 'readOnly'], ({ status }) => {
    const engine = status?.state ?? 'unknown';
    chip.dataset.state = engine;
    setText(chip, STATES[engine] ?? '–');
    allow(start, engine === 'stopped' || engine === 'halted', 'Trading is not stopped');
    allow(stop, engine === 'running' || engine === 'halted', 'Trading is not running');
    allow(kill, status !== null, 'The account is not known yet');
    allow(closeAll, Object.keys(status?.positions ?? {}).length > 0, 'There are no positions');
    if (status === null) return;
    setText(at('session'), `${day(status.session)}${status.feed_waiting ? ' · waiting for data' : ''}`);
    setText(at('strategy'), status.strategy);
    halted.hidden = engine !== 'halted';
    setText(
      halted,
      engine === 'halted'
        ? `Trading is halted: ${status.halt_reason ?? 'no reason given'}. Only closing and cancelling work.`
        : '',
    );
  });

  commands(start, '/api/trading/start', { done: () => 'Trading started.' });
  commands(stop, '/api/trading/stop', {
    done: () => 'Trading stopped. Orders that would open positions are cancelled.',
  });
  kill.addEventListener('click', () => void once(kill, killSwitch));
  closeAll.addEventListener('click', () => void once(closeAll, closeAfterAsking));
}

async function killSwitch() {
  const sure = await confirmed({
    title: 'Stop trading and close all positions?',
    text: `Trading stops and orders that would open positions are cancelled. ${heldWords()}`,
    yes: 'Stop and close all',
  });
  if (sure) await stopAndCloseAll();
}

async function closeAfterAsking() {
  const sure = await confirmed({ title: 'Close all positions?', text: heldWords(), yes: 'Close all' });
  if (sure) await closeEverything();
}

function heldWords() {
  const held = Object.keys(state.status.positions);
  if (held.length === 0) return 'There are no positions at present.';
  return `${held.join(', ')}: closed at the market, in the next session.`;
}

/** Closing is tried even where stopping fails: each is better than none, and each outcome is told. */
async function stopAndCloseAll() {
  try {
    await post('/api/trading/stop');
    notify('Trading stopped.');
  } catch (error) {
    await learnFrom(error);
    notify(`Trading was not stopped: ${explain(error)}`, { bad: true });
  }
  await closeEverything();
}

async function closeEverything() {
  try {
    const { results } = await post('/api/trading/positions/close-all');
    const tickers = results.map(({ ticker }) => ticker).join(', ');
    notify(results.length === 0 ? 'No positions to close.' : `Closing ${tickers}.`);
  } catch (error) {
    await learnFrom(error);
    notify(`Positions were not closed: ${explain(error)}`, { bad: true });
  }
}
