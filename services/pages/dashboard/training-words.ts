import { count } from './format.ts';
import type { Model, Run } from './state.ts';

/** The faults of a training in words, before their details. */
const FAULTS: Readonly<Record<string, string>> = {
  TOO_LITTLE_DATA: 'there is too little market data for a window in each part',
  DATA_CHANGED: 'the market data has changed since it started',
  SETTINGS_CHANGED: 'its checkpoint was made with other settings',
  CHECKPOINT_DAMAGED: 'its checkpoint is damaged',
  LOSS_NOT_FINITE: 'its loss is not a finite number; a lower learning rate may help',
  OUT_OF_MEMORY: 'there was not enough memory',
  DISK_FAILED: 'its files could not be written',
  PROCESS_EXITED: 'its process stopped unexpectedly',
  INTERNAL: 'an internal error in training',
};

/** The state of the newest run in a sentence, without figures that change, and whether it is bad news. */
export function courseWords({ status, error, run }: Model): { words: string; bad: boolean } {
  if (status === 'error')
    return { words: `No model can be used: ${sentence(error ?? 'the reason is not known')}`, bad: true };
  if (run === null) return { words: 'Nothing has been trained yet.', bad: false };
  const where = run.steps > 0 ? ` at step ${count(run.step)} of ${count(run.steps)}` : '';
  switch (run.state) {
    case 'preparing':
      return { words: 'Preparing: collecting data and starting the process…', bad: false };
    case 'training':
      return { words: `Training on ${deviceOf(run)}…`, bad: false };
    case 'stopping':
      return { words: 'Stopping…', bad: false };
    case 'trained':
      return { words: `Trained: ${count(run.steps)} steps on ${deviceOf(run)}.`, bad: false };
    case 'interrupted':
      return {
        words: `${interruption(run.reason)}${where}. Resume continues from its last checkpoint.`,
        bad: parts(run.reason).word === 'crashed',
      };
    case 'failed': {
      const { word, detail } = parts(run.reason);
      const why = FAULTS[word] ?? word;
      return { words: `Failed${where}: ${sentence(detail === '' ? why : `${why}: ${detail}`)}`, bad: true };
    }
  }
}

function interruption(reason: string | null): string {
  const { word, detail } = parts(reason);
  const known: Readonly<Record<string, string>> = {
    stopped: 'Stopped',
    shutdown: 'Interrupted because its service stopped',
    crashed: 'Interrupted because its process stopped unexpectedly',
  };
  return `${known[word] ?? `Interrupted: ${word}`}${detail === '' ? '' : ` (${detail})`}`;
}

/** Splits `WORD: detail`. */
function parts(reason: string | null): { word: string; detail: string } {
  const [word = '', ...rest] = (reason ?? 'the reason is not known').split(': ');
  return { word, detail: rest.join(': ') };
}

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** The device, and why it is not the requested one. */
const deviceOf = ({ device, fallback }: Run): string =>
  fallback === null ? device : `${device} (${fallback})`;
