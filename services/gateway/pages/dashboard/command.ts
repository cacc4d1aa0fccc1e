import { ServiceError } from '../http.ts';
import { get, post } from './api.ts';
import { notify } from './notices.ts';
import { change, state } from './state.ts';
import { explain } from './words.ts';

interface Command<Reply> {
  readonly body?: unknown;
  readonly timeoutMs?: number;
  /** Whether it is to be sent. */
  sure?: () => Promise<boolean>;
  /** The words of its success. */
  done: (reply: Reply) => string;
  /** What to say before the reason of its failure. */
  failed?: () => string;
}

/** Makes a button send a command, once at a time: while it runs, another press does nothing. */
export function commands<Reply>(
  button: HTMLButtonElement,
  path: string,
  { body, sure = async () => true, done, failed = () => button.textContent, timeoutMs }: Command<Reply>,
): void {
  button.addEventListener(
    'click',
    () =>
      void once(button, async () => {
        if (await sure()) await attempt(failed(), async () => done(await post<Reply>(path, body, timeoutMs)));
      }),
  );
}

/** Of the buttons in here one is always pressed: `choose` gets the value of another one that is. */
export function choice(group: HTMLElement, choose: (value: string) => void): void {
  const buttons = group.querySelectorAll('button');
  for (const button of buttons) {
    button.addEventListener('click', () => {
      for (const other of buttons) other.ariaPressed = String(other === button);
      choose(button.value);
    });
  }
}

/** Says what came of it, unless that is `null`, or behind `failed` why nothing did. */
export async function attempt(failed: string, run: () => Promise<string | null>): Promise<void> {
  try {
    const words = await run();
    if (words !== null) notify(words);
  } catch (error) {
    await learnFrom(error);
    notify(`${failed}: ${explain(error)}`, { bad: true });
  }
}

/** Runs it unless what it started runs still, or the button is not allowed: then it says why. */
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

/** Refused for its key: one that may still look is read only, another one is asked for. */
export async function learnFrom(error: unknown): Promise<void> {
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
export function allow(button: HTMLButtonElement, allowed: boolean, reason = ''): void {
  const why = state.readOnly ? 'This key is read-only' : allowed ? '' : reason;
  button.ariaDisabled = String(why !== '');
  if (button.title !== why) button.title = why;
}
