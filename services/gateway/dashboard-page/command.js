import { get, post, ServiceError } from './api.js';
import { notify } from './notices.js';
import { change, state } from './state.js';
import { explain } from './words.js';

/**
 * Sends what a button stands for, once: while it runs, the button does nothing. The outcome is said in words; `done` makes
 * them of the reply, or is them. Resolves to the reply, or to `null` where it failed.
 */
export async function command(button, path, { done, failed, timeoutMs } = {}) {
  if (isBusy(button) || button.ariaDisabled === 'true') return null;
  button.ariaBusy = 'true';
  try {
    const reply = await post(path, undefined, timeoutMs);
    if (done !== undefined) notify(typeof done === 'function' ? done(reply) : done);
    return reply;
  } catch (error) {
    await learnFrom(error);
    notify(`${failed ?? button.textContent}: ${explain(error)}`, { bad: true });
    return null;
  } finally {
    button.ariaBusy = 'false';
  }
}

export const isBusy = (button) => button.ariaBusy === 'true';

/** Refused for its key: one that may still look is read only, another one is asked for. */
export async function learnFrom(error) {
  if (!(error instanceof ServiceError) || error.status !== 401) return;
  const mayRead = await get('/api/trading/status').then(
    () => true,
    () => false,
  );
  change(mayRead ? { readOnly: true } : { connection: { phase: 'locked' } });
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
