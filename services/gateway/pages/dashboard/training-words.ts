import { count } from './format.ts';
import type { Model, Run } from './state.ts';

/** Faults of a training in words; what is known beside them follows. */
const FAULTS: Readonly<Record<string, string>> = {
  TOO_LITTLE_DATA: 'there is too little market data for a window in each part',
  DATA_CHANGED: 'the market data is not what it was begun with',
  CHECKPOINT_DAMAGED: 'its checkpoint is damaged',
  LOSS_NOT_FINITE: 'its loss is no number any more; a lower learning rate may help',
  OUT_OF_MEMORY: 'there was not enough memory',
  DISK_FAILED: 'its files could not be written',
  PROCESS_EXITED: 'its process ended by itself',
  INTERNAL: 'the trainer has a fault',
};

/** How the newest run stands, in a sentence, and whether that is bad news. Figures that change are not in it. */
export function courseWords({ status, error, run }: Model): { words: string; bad: boolean } {
  if (status === 'error')
    return { words: `There is no model to use: ${sentence(error ?? 'no reason is known')}`, bad: true };
  if (run === null) return { words: 'Nothing has been trained yet.', bad: false };
  const where = run.steps > 0 ? ` at step ${count(run.step)} of ${count(run.steps)}` : '';
  switch (run.state) {
    case 'preparing':
      return { words: 'Preparing: its data is collected and its process starts…', bad: false };
    case 'training':
      return { words: `Training on ${deviceOf(run)}…`, bad: false };
    case 'stopping':
      return { words: 'Stopping…', bad: false };
    case 'trained':
      return { words: `Trained: ${count(run.steps)} steps on ${deviceOf(run)}.`, bad: false };
    case 'interrupted':
      return {
        words: `${interruption(run.reason)}${where}. Resume goes on from its last checkpoint.`,
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
    shutdown: 'Interrupted by the stop of its service',
    crashed: 'Interrupted by the loss of its process',
  };
  return `${known[word] ?? `Interrupted: ${word}`}${detail === '' ? '' : ` (${detail})`}`;
}

/** `WORD: what is known`. */
function parts(reason: string | null): { word: string; detail: string } {
  const [word = '', ...rest] = (reason ?? 'no reason is known').split(': ');
  return { word, detail: rest.join(': ') };
}

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** What it computes on, and why it is not what was asked for. */
const deviceOf = ({ device, fallback }: Run): string =>
  fallback === null ? device : `${device} (${fallback})`;
