import { key } from './api.js';
import { clock } from './format.js';
import { reconnect, tryNow } from './live.js';
import { state, view } from './state.js';
import { setText } from './table.js';

const NAMES = { trading: 'trading', market: 'market data', model: 'the model' };

const at = (id) => document.querySelector(`#${id}`);
const stale = at('stale');
const dialog = at('key-dialog');
const keyField = at('key');
let timer = 0;

/** Whether what is shown is current, and since when it is not; the key where one is needed. */
export function showConnection() {
  view(['connection', 'silent'], ({ connection: { phase }, heardAt, silent }) => {
    document.body.dataset.connection = phase;
    document.body.dataset.silent = silent.join(' ');
    const since = heardAt === null ? '' : ` · last message ${clock(heardAt)}`;
    const live =
      silent.length === 0 ? 'Live' : `Live, but no answer from ${silent.map((of) => NAMES[of]).join(', ')}`;
    const words = { connecting: 'Connecting…', live, lost: `Not live${since}`, locked: 'Key needed' };
    setText(at('connection-text'), words[phase]);
    stale.hidden = phase !== 'lost';
    if (phase === 'lost') countDown();
    if (phase === 'locked') askForKey();
    at('change-key').hidden = phase !== 'locked' && key.read() === '';
    setText(at('change-key'), phase === 'locked' ? 'Enter key' : 'Change key');
  });
  view(['readOnly'], ({ readOnly }) => {
    at('read-only').hidden = !readOnly;
  });

  at('reconnect').addEventListener('click', tryNow);
  at('change-key').addEventListener('click', () => askForKey());
  at('key-form').addEventListener('submit', (event) => {
    event.preventDefault();
    key.write(keyField.value.trim());
    keyField.value = '';
    dialog.close();
    reconnect();
  });
}

/** Said once and for all, so that it is not read aloud each second; only the seconds change. */
function countDown() {
  clearTimeout(timer);
  const { phase, retryAt } = state.connection;
  if (phase !== 'lost') return;
  const from =
    state.heardAt === null ? 'Nothing has been received yet.' : `Figures are as of ${clock(state.heardAt)}.`;
  setText(at('stale-text'), `Connection lost. ${from}`);
  const seconds = Math.max(0, Math.ceil((retryAt - Date.now()) / 1_000));
  setText(at('reconnect'), seconds > 0 ? `Try now (${seconds} s)` : 'Trying…');
  timer = setTimeout(countDown, 1_000);
}

function askForKey() {
  setText(at('key-fault'), key.read() === '' ? '' : 'The key that was used is not valid.');
  if (!dialog.open) dialog.showModal();
}
