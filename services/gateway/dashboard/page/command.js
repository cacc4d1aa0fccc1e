import { get, post, ServiceError } from './api.js';
import { notify } from './notices.js';
import { change, state } from './state.js';
import { explain } from './words.js';

/**
 * Makes a button send a command, once at a time: while it runs, another press does nothing. `sure()` resolves to whether it
 * is to be sent, `done(reply)` gives the words of its success, if any, `failed()` what to say before the reason of its
 * failure.
 */
export function commands(
  button,
  path,
  { body, sure = async () => true, done = () => '', failed = () => button.textContent, timeoutMs },
) {
  button.addEventListener('click', () => void once(button, run));

  async function run() {
    if (!(await sure())) return;
    try {
      const words = done(await post(path, body, timeoutMs));
      if (words !== '') notify(words);
    } catch (error) {
      await learnFrom(error);
      notify(`${failed()}: ${explain(error)}`, { bad: true });
    }
  }
}

/** Runs it unless what it started runs still, or the button is not allowed: then it says why. */
export async function once(button, run) {
  if (button.ariaBusy === 'true') return;
  if (button.ariaDisabled === 'true') {
    notify(`${button.title}.`);
    return;
  }
  button.ariaBusy = 'true';
  try {
    await run();
  } finally {
    button.ariaBusy = 'false';
  }
}

/** Refused for its key: one that may still look is read only, another one is asked for. */
export async function learnFrom(error) {
  if (!(error instanceof ServiceError) || error.status !== 401) return;
  try {
    await get('/api/trading/status');
    change({ readOnly: true });
  } catch {
    change({ connection: { phase: 'locked' } });
  }
}

/**
 * Disabled by meaning and not by attribute: the button can still be reached by keyboard and says why, and the focus is
 * not lost when it comes to be disabled.
 */
export function allow(button, allowed, reason = '') {
  const why = state.readOnly ? 'This key is read only' : allowed ? '' : reason;
  button.ariaDisabled = String(why !== '');
  if (button.title !== why) button.title = why;
}
