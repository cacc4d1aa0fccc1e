import { facts } from '../page/dom.js';
import { allow, commands } from './command.js';
import { count, words } from './format.js';
import { view } from './state.js';
import { setText } from './table.js';

const at = (id) => document.querySelector(`#${id}`);
/** A benchmark trains and infers for a while before it answers. */
const BENCHMARK_MS = 130_000;

const OPTIONS = {
  train: { done: () => 'Training started.' },
  'train/stop': { done: () => 'Training stops.' },
  save: { done: () => 'Model saved.', timeoutMs: 35_000 },
  load: { done: () => 'Model loaded.', timeoutMs: 35_000 },
  benchmark: { done: showBenchmark, timeoutMs: BENCHMARK_MS },
};

/** The model, its training, and what can be done with it. */
export function showModel() {
  const buttons = document.querySelectorAll('#model [data-model]');
  view(['model', 'readOnly'], ({ model }) => {
    for (const button of buttons) allow(button, model !== null, 'The model service has not answered');
    if (model === null) return;
    const chip = at('model-state');
    chip.dataset.state = model.status;
    setText(chip, words(model.status));
    at('model-facts').replaceChildren(
      ...facts([
        ['Name', model.model_name],
        ['Device', `${model.device}, ${model.precision}${model.mixed_precision ? ', mixed' : ''}`],
        [
          'Shape',
          `${model.hidden_channels} channels, ${model.num_heads} heads, ${model.sequence_length} sessions`,
        ],
        [
          'Training',
          `${model.epochs} epochs, batch ${model.batch_size}, rate ${count(model.learning_rate)}, dropout ${count(model.dropout)}`,
        ],
      ]),
    );
    at('training').hidden = !model.training_active;
    setText(at('training-text'), model.status === 'stopping' ? 'Stopping…' : 'Training…');
  });
  for (const button of buttons) {
    const name = button.dataset.model;
    commands(button, `/api/models/${name}`, OPTIONS[name]);
  }
}

/** Too many figures for a notice: it stays in the panel. */
function showBenchmark({ device, memory_allocated_gb: memory, ...figures }) {
  const { inference_time_ms, training_time_ms, inference_throughput, training_throughput } = figures;
  const words =
    `Benchmark on ${device}: inference ${count(inference_time_ms)} ms (${count(inference_throughput)}/s), ` +
    `training ${count(training_time_ms)} ms (${count(training_throughput)}/s), ${count(memory)} GB`;
  setText(at('model-result'), words);
  return '';
}
