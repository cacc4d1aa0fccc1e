import { find } from '../dom.ts';
import { count } from './format.ts';

/** Asks before all positions are closed. */
export const closesAll = (held: string): Promise<boolean> =>
  confirmed({ title: 'Close all positions?', text: held, yes: 'Close all' });

/** Asks before trading is stopped and all positions are closed. */
export const stopsAndClosesAll = (held: string): Promise<boolean> =>
  confirmed({
    title: 'Stop trading and close all positions?',
    text: `Trading stops and orders that would open positions are cancelled. ${held}`,
    yes: 'Stop and close all',
  });

/** Asks before the log is cleared. */
export const clearsLog = (): Promise<boolean> =>
  confirmed({
    title: 'Clear the log?',
    text: 'It is cleared for everyone who uses this dashboard. The recorded events are kept.',
    yes: 'Clear',
  });

/**
 * Asks before a new training is started although an interrupted one could be resumed, because only the newest run can
 * be resumed.
 */
export const givesUpInterrupted = (run: {
  readonly step: number;
  readonly steps: number;
}): Promise<boolean> =>
  confirmed({
    title: 'Start a new training?',
    text: `The interrupted training (step ${count(run.step)} of ${count(run.steps)}) can then no longer be resumed.`,
    yes: 'Start a new one',
  });

const dialog = find('#confirm', HTMLDialogElement);

/** Asks before something that cannot be undone; resolves with whether it was confirmed. */
function confirmed(words: Readonly<Record<'title' | 'text' | 'yes', string>>): Promise<boolean> {
  for (const part of ['title', 'text', 'yes'] as const) find(`#confirm-${part}`).textContent = words[part];
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}
