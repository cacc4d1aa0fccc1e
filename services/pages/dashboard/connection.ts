import { find } from '../dom.ts';
import { key } from './api.ts';
import { clock } from './format.ts';
import { reconnect, tryNow } from './live-updates.ts';
import { state, view } from './state.ts';
import { setText } from './table.ts';

const NAMES = { trading: 'trading', market: 'market data', model: 'the model' };

const stale = find('#stale');
const dialog = find('#key-dialog', HTMLDialogElement);
const keyField = find('#key', HTMLInputElement);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows whether the data is current or since when it is not, and asks for the key if one is needed. */
export function showConnection(): void {
  view(
    ['connection', 'silent', 'limitedUntil'],
    ({ connection: { phase }, heardAt, silent, limitedUntil }) => {
      document.body.dataset.connection = phase;
      document.body.dataset.silent = silent.join(' ');
      const since = heardAt === null ? '' : ` · last message ${clock(heardAt)}`;
      const live =
        silent.length === 0 ? 'Live' : `Live, but no answer from ${silent.map((of) => NAMES[of]).join(', ')}`;
      const words = { connecting: 'Connecting…', live, lost: `Not live${since}`, locked: 'Key needed' };
      const limit =
        limitedUntil === null
          ? null
          : `Too many requests: the rest is loaded at ${clock(new Date(limitedUntil))}`;
      setText(
        find('#connection-text'),
        (phase === 'lost' || phase === 'locked' ? null : limit) ?? words[phase],
      );
      stale.hidden = phase !== 'lost';
      if (phase === 'lost') countDown();
      if (phase === 'locked') askForKey();
      find('#change-key').hidden = phase !== 'locked' && key.read() === '';
      setText(find('#change-key'), phase === 'locked' ? 'Enter key' : 'Change key');
    },
  );
  view(['readOnly'], ({ readOnly }) => {
    find('#read-only').hidden = !readOnly;
  });

  find('#reconnect').addEventListener('click', tryNow);
  find('#change-key').addEventListener('click', () => askForKey());
  find('#key-form').addEventListener('submit', (event) => {
    event.preventDefault();
    key.write(keyField.value.trim());
    keyField.value = '';
    dialog.close();
    reconnect();
  });
}

/** The sentence is set once, so that screen readers do not repeat it each second; only the seconds change. */
function countDown(): void {
  clearTimeout(timer);
  if (state.connection.phase !== 'lost') return;
  const { retryAt } = state.connection;
  const from =
    state.heardAt === null
      ? 'Nothing has been received yet.'
      : `The figures are from ${clock(state.heardAt)}.`;
  setText(find('#stale-text'), `Connection lost. ${from}`);
  const seconds = Math.max(0, Math.ceil((retryAt - Date.now()) / 1_000));
  setText(find('#reconnect'), seconds > 0 ? `Try now (${seconds} s)` : 'Trying…');
  timer = setTimeout(countDown, 1_000);
}

function askForKey(): void {
  setText(find('#key-fault'), key.read() === '' ? '' : 'The key that was used is not valid.');
  if (!dialog.open) dialog.showModal();
}
