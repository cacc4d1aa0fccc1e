import type { z } from 'zod';
import type { BenchmarkReply } from '../../../events/messages/models.ts';
import { facts, find } from '../dom.ts';
import { allow, commands, once, send } from './send-command.ts';
import { count, counted, duration, rough, words } from './format.ts';
import { givesUpInterrupted } from './confirmations.ts';
import { state, view, type Model, type Run } from './state.ts';
import { setText, whenChanged } from './table.ts';

/** The time limit for a benchmark, which trains and predicts before it answers. */
const BENCHMARK_MS = 130_000;
const WEIGHTS_MS = 35_000;
const STOP_MS = 20_000;

const UNKNOWN = 'The model service has not answered';
const RUNNING = 'A training is running';

/** Why a button is disabled in a state of the model; empty if it is enabled. */
const FORBIDDEN: Readonly<Record<string, (model: Model) => string>> = {
  train: ({ training_active }) => (training_active ? RUNNING : ''),
  resume: ({ training_active, run }) =>
    training_active ? RUNNING : run?.state === 'interrupted' ? '' : 'No training was interrupted',
  'stop-training': ({ training_active, status }) =>
    !training_active ? 'No training is running' : status === 'stopping' ? 'It is already stopping' : '',
  save: ({ error }) => (error === null ? '' : 'There is no model to save'),
  load: ({ saved }) => (saved === null ? 'No weights have been saved yet' : ''),
  benchmark: ({ training_active }) =>
    training_active ? `${RUNNING}, and would make the measurement wrong` : '',
};

const button = (id: string): HTMLButtonElement => find(`#${id}`, HTMLButtonElement);

/** Shows the configuration and the state of the model, with its commands. */
export function showModel(): void {
  view(['model', 'readOnly'], ({ model }) => {
    for (const [id, why] of Object.entries(FORBIDDEN)) {
      const reason = model === null ? UNKNOWN : why(model);
      allow(button(id), reason === '', reason);
    }
    if (model === null) return;
    const chip = find('#model-state');
    chip.dataset.state = model.status;
    setText(chip, words(model.status));
    writeFacts(factsOf(model));
  });

  commands(button('train'), '/api/models/train', {
    body: { resume: false },
    sure: async () => {
      const run = state.model?.run;
      return run?.state !== 'interrupted' || givesUpInterrupted(run);
    },
    done: () => 'Training started.',
  });
  commands(button('resume'), '/api/models/train', {
    body: { resume: true },
    done: ({ resumed }: { resumed: boolean }) =>
      resumed
        ? 'Training resumed.'
        : 'A new training started, because the settings have changed since the interrupted one.',
  });
  commands(button('stop-training'), '/api/models/train/stop', {
    done: () => 'Training is stopping.',
    timeoutMs: STOP_MS,
  });
  commands(button('save'), '/api/models/save', { done: () => 'Weights saved.', timeoutMs: WEIGHTS_MS });
  commands(button('load'), '/api/models/load', {
    done: () => 'The saved weights are in use.',
    timeoutMs: WEIGHTS_MS,
  });
  const benchmark = button('benchmark');
  benchmark.addEventListener('click', () => void once(benchmark, measure));
}

const writeFacts = whenChanged((entries: [string, string][]) =>
  find('#model-facts').replaceChildren(...facts(entries)),
);

function factsOf(model: Model): [string, string][] {
  const { layers, hidden_channels, num_heads, sequence_length, parameters, weights, saved, run } = model;
  const { epochs, batch_size, learning_rate, dropout, seed } = model;
  return [
    ['Name', model.model_name],
    ['Device', `${model.device}, ${model.precision}${model.mixed_precision ? ', mixed' : ''}`],
    [
      'Network',
      [counted(layers, 'layer'), counted(hidden_channels, 'channel'), counted(num_heads, 'head')].join(', '),
    ],
    ['Window', `${counted(sequence_length, 'session')}, ${counted(model.features.length, 'feature')}`],
    ['Parameters', count(parameters)],
    ['Epochs', `${epochs}, batches of ${batch_size}`],
    ['Rate', `${count(learning_rate)}, dropout ${count(dropout)}, seed ${seed}`],
    ['Weights', weights === null ? 'initial weights' : short(weights)],
    ['Saved', saved === null ? 'none' : saved === weights ? 'the same' : short(saved)],
    ['Data up to', run === null ? '–' : (run.as_of ?? 'the newest day')],
    ['Windows', windowsOf(run)],
  ];
}

/** The beginning of a hash, enough to tell two apart. */
const short = (hash: string): string => hash.slice(0, 12);

function windowsOf(run: Run | null): string {
  if (!run?.train || !run.validation || !run.test) return '–';
  const parts = [run.train, run.validation, run.test].map(({ windows }) => count(windows));
  return `${parts[0]} training, ${parts[1]} validation, ${parts[2]} test`;
}

type Measured = z.output<typeof BenchmarkReply>;

/** A benchmark has too many figures for a notice, so they stay in the panel. */
async function measure(): Promise<void> {
  const result = find('#model-result');
  setText(result, 'Measuring: this takes up to two minutes…');
  const began = Date.now();
  let words = '';
  await send('/api/models/benchmark', 'Benchmark', {
    timeoutMs: BENCHMARK_MS,
    done(measured: Measured) {
      words = benchmarkWords(measured, (Date.now() - began) / 1_000);
      return null;
    },
  });
  setText(result, words);
}

function benchmarkWords(
  { device, memory_allocated_gb: memory, ...figures }: Measured,
  seconds: number,
): string {
  const { inference_time_ms, training_time_ms, inference_throughput, training_throughput } = figures;
  return (
    `Benchmark on ${device}: inference ${rough(inference_time_ms)} ms per batch (${rough(inference_throughput)} windows/s), ` +
    `training ${rough(training_time_ms)} ms per step (${rough(training_throughput)} windows/s), ${rough(memory)} GB; ` +
    `took ${duration(seconds)}.`
  );
}
