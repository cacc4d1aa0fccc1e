import { el, facts, find } from '../dom.ts';
import { allow, commands } from './send-command.ts';
import { count } from './format.ts';
import { view } from './state.ts';
import { setText } from './table.ts';

const button = find('#update', HTMLButtonElement);
const progress = find('#update-progress');
const bar = find('#update-bar', HTMLProgressElement);
const faults = find('#data-faults');

/** The minute of a UTC time stamp of any precision. */
const minuteOf = (timestamp: string | null): string =>
  timestamp === null ? 'never' : `${timestamp.slice(0, 16).replace('T', ' ')} UTC`;

/** Shows the source and state of the bars, and a running update. */
export function showData(): void {
  view(['pipeline'], ({ pipeline }) => {
    if (pipeline === null) return;
    find('#synthetic').hidden = !pipeline.synthetic;
    find('#data-facts').replaceChildren(
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
    setText(find('summary', undefined, faults), `${failed.length} with faults`);
    const list = find('ul', undefined, faults);
    list.replaceChildren(...failed.map(({ ticker, faults }) => el('li', `${ticker}: ${faults.join('; ')}`)));
  });
  view(['update', 'pipeline', 'readOnly'], ({ update, pipeline }) => {
    const running = update !== null || pipeline?.status === 'updating' || pipeline?.status === 'loading';
    progress.hidden = !running;
    allow(button, !running, 'An update is running');
    if (!running) return;
    if (update?.total) Object.assign(bar, { max: update.total, value: update.done });
    else bar.removeAttribute('value');
    setText(find('#update-text'), update?.total ? `${update.done} of ${update.total} tickers` : 'Updating…');
  });
  commands(button, '/api/data/update', { done: () => 'Update of the market data started.' });
}
