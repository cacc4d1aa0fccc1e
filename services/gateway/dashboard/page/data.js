import { el, facts } from '../page/dom.js';
import { allow, commands } from './command.js';
import { count } from './format.js';
import { view } from './state.js';
import { setText } from './table.js';

const at = (id) => document.querySelector(`#${id}`);
const button = at('update');
const progress = at('update-progress');
const bar = at('update-bar');
const faults = at('data-faults');

/** A time stamp of UTC, however precise; as far as the minute. */
const minuteOf = (timestamp) =>
  timestamp === null ? 'never' : `${timestamp.slice(0, 16).replace('T', ' ')} UTC`;

/** Where the bars come from and how they stand, and the update that runs. */
export function showData() {
  view(['pipeline'], ({ pipeline }) => {
    if (pipeline === null) return;
    at('synthetic').hidden = !pipeline.synthetic;
    at('data-facts').replaceChildren(
      ...facts([
        ['Status', pipeline.status],
        ['Source', pipeline.synthetic ? `${pipeline.source} (synthetic)` : pipeline.source],
        ['Tickers', count(pipeline.tickers_loaded)],
        ['Bars', count(pipeline.bars)],
        ['From', pipeline.first ?? '–'],
        ['To', pipeline.last ?? '–'],
        ['Updated', minuteOf(pipeline.updated_at)],
      ]),
    );
  });
  view(['pipeline', 'update'], ({ pipeline, update }) => {
    const failed = [...(pipeline?.failed ?? []), ...(update?.failed ?? [])];
    faults.hidden = failed.length === 0;
    setText(faults.querySelector('summary'), `${failed.length} with faults`);
    faults
      .querySelector('ul')
      .replaceChildren(
        ...failed.map(({ ticker, faults }) => el('li', {}, `${ticker}: ${faults.join('; ')}`)),
      );
  });
  view(['update', 'pipeline', 'readOnly'], ({ update, pipeline }) => {
    const running = update !== null || pipeline?.status === 'updating' || pipeline?.status === 'loading';
    progress.hidden = !running;
    allow(button, !running, 'An update is running');
    if (!running) return;
    if (update?.total) Object.assign(bar, { max: update.total, value: update.done });
    else bar.removeAttribute('value');
    setText(at('update-text'), update?.total ? `${update.done} of ${update.total} tickers` : 'Updating…');
  });
  commands(button, '/api/data/update', { done: () => 'Update of the market data started.' });
}
