import { ServiceError } from '../http.ts';
import { get, post } from './api.ts';
import { notify } from './notices.ts';
import { change, state } from './state.ts';
import { explain } from './explain-error.ts';

interface Sending<Reply> {
  readonly body?: unknown;
  readonly timeoutMs?: number;
  /** The notice of success; `null` if it is shown elsewhere. */
  done: (reply: Reply) => string | null;
}

interface Command<Reply> extends Sending<Reply> {
  /** Asks the user whether the command is to be sent. */
  sure?: () => Promise<boolean>;
  /** The words before the reason of a failure. */
  failed?: () => string;
}

/** Makes a button send a command, once at a time: while it runs, another press does nothing. */
export function commands<Reply>(
  button: HTMLButtonElement,
  path: string,
  { sure = async () => true, failed = () => button.textContent, ...sending }: Command<Reply>,
): void {
  const press = async () => {
    if (await sure()) await send(path, failed(), sending);
  };
  button.addEventListener('click', () => void once(button, press));
}

/** Sends a command and shows its result, or the reason of a failure after `failed`. */
export async function send<Reply>(
  path: string,
  failed: string,
  { body, timeoutMs, done }: Sending<Reply>,
): Promise<void> {
  try {
    const words = done(await post<Reply>(path, body, timeoutMs));
    if (words !== null) notify(words);
  } catch (error) {
    await learnFrom(error);
    notify(`${failed}: ${explain(error)}`, { bad: true });
  }
}

/** Makes a group of buttons a choice: one is always pressed, and a press of another calls `choose` with its value. */
export function choice(group: HTMLElement, choose: (value: string) => void): void {
  const buttons = group.querySelectorAll('button');
  for (const button of buttons) {
    button.addEventListener('click', () => {
      for (const other of buttons) other.ariaPressed = String(other === button);
      choose(button.value);
    });
  }
}

/** Runs the command unless it is already running or the button is disabled, which is explained. */
export async function once(button: HTMLButtonElement, run: () => Promise<void>): Promise<void> {
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

/**
 * Handles an error of the key. If the key may only read, the page becomes read-only; otherwise another key is asked
 * for.
 */
export async function learnFrom(error: unknown): Promise<void> {
  if (!(error instanceof ServiceError) || error.status !== 401) return;
  try {
    await get('/api/trading/status');
    change({ readOnly: true });
  } catch {
    change({ connection: { phase: 'locked' } });
  }
}

/** Why no command is sent that changes a position; '' while the page is up to date. */
export const notLive = (): string =>
  state.connection.phase === 'live' ? '' : 'Not live: prices and positions may have changed';

/**
 * Marks a button as disabled without the attribute `disabled`, so that it can still be reached by keyboard, says why,
 * and does not lose the focus.
 */
export function allow(button: HTMLButtonElement, allowed: boolean, reason = ''): void {
  const why = state.readOnly ? 'This key is read-only' : allowed ? '' : reason;
  button.ariaDisabled = String(why !== '');
  if (button.title !== why) button.title = why;
}
