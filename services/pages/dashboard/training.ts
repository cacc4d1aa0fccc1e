import type uPlot from 'uplot';
import { el, find } from '../dom.ts';
import { colour, createChart, paintLine, type Steps } from './chart.ts';
import { count, day, duration, fine, level, tenths } from './format.ts';
import { view, type Model, type Run } from './state.ts';
import { figures, setText, whenChanged, type Figure } from './table.ts';
import { courseWords } from './training-words.ts';

const EPOCHS: Steps<number> = { label: String, name: (epoch) => `Epoch ${epoch}` };
const MODELS: Readonly<Record<keyof NonNullable<Run['scores']>, string>> = {
  network: 'Network',
  ridge: 'Ridge regression',
  mean: 'Mean',
};

/** Shows the newest training run: its progress, a chart of its epochs, and its scores. */
export function showTraining(): void {
  const progress = figures(find('#progress'), PROGRESS);
  const losses = lossChart();
  const skills = skillChart();
  view(['model'], ({ model }) => {
    if (model === null) return;
    const { words, bad } = courseWords(model);
    setText(find('#training-text'), words);
    find('#training-text').dataset.bad = String(bad);
    showProgress(model);
    progress(model);
    const { run = '', epochs = 0, history = [], scores = null, test = null } = model.run ?? {};
    losses({ run, epochs, history });
    skills({ run, epochs, history });
    showScores({ scores, test });
  });
}

function showProgress({ run, training_active }: Model): void {
  const bar = find('#training-bar', HTMLProgressElement);
  if (training_active && !run?.steps) bar.removeAttribute('value');
  else bar.value = run?.steps ? run.step / run.steps : 0;
}

const PROGRESS: readonly Figure<Model>[] = [
  ['epoch', 'Epoch', epochWords],
  ['step', 'Step', ({ run }) => (run?.steps ? `${count(run.step)} / ${count(run.steps)}` : '–')],
  ['loss', 'Loss', ({ run }) => fine(run?.loss)],
  ['best-epoch', 'Best epoch', ({ run }) => count(run?.history.findLast(({ best }) => best)?.epoch)],
  [
    'pace',
    'Steps per second',
    ({ run, training_active }) => tenths(training_active ? run?.steps_per_second : null),
  ],
  [
    'time-left',
    'Time left',
    ({ run, training_active }) => duration(training_active ? run?.seconds_left : null),
  ],
];

/** Before its first step a training reports no epoch. */
function epochWords({ run, training_active }: Model): string {
  if (!run?.steps) return '–';
  return `${count(Math.max(run.epoch, training_active ? 1 : 0))} / ${count(run.epochs)}`;
}

const line = (name: string, dash: number[] = []): uPlot.Series => ({
  stroke: () => colour(name),
  width: 1.5,
  dash,
  points: { size: 4, fill: () => colour(name) },
});
/** A line for each output or part. The second one is dashed, so that the lines are not told apart by colour alone. */
const LINES = [line('accent'), line('warn', [5, 4])];

type Epoch = Run['history'][number];

interface EpochChart {
  readonly label: string;
  /** The names and values of the two lines. */
  readonly names: readonly [string, string];
  valuesOf: (epoch: Epoch) => readonly [number, number];
  range: (min: number, max: number) => [number, number];
  paint: (plot: uPlot, history: readonly Epoch[]) => void;
  /** A remark after the values of an epoch. */
  remark?: (epoch: Epoch) => string;
}

/** A chart of epochs. It is only redrawn for a new epoch, not for each message. */
function epochChart(id: string, { label, names, valuesOf, range, paint, remark = () => '' }: EpochChart) {
  let history: readonly Epoch[] = [];
  const chart = createChart(find(`#${id}-chart`), {
    readout: find(`#${id}-readout`),
    label,
    series: LINES,
    steps: EPOCHS,
    space: 28,
    range,
    formatY: level,
    paint: (plot) => paint(plot, history),
    say(index) {
      const epoch = history[index]!;
      const values = valuesOf(epoch).map((value, i) => `${names[i]} ${fine(value)}`);
      return `${values.join('  ')}${remark(epoch)}`;
    },
  });
  return whenChanged((run: Pick<Run, 'run' | 'epochs' | 'history'>) => {
    history = run.history;
    const values = history.map(valuesOf);
    chart.show(
      Array.from({ length: run.epochs }, (_, i) => i + 1),
      [values.map(([first]) => first), values.map(([, second]) => second)],
    );
  });
}

const lossChart = () =>
  epochChart('loss', {
    label: 'Loss by epoch',
    names: ['Training', 'Validation'],
    valuesOf: ({ train_loss, validation_loss }) => [train_loss, validation_loss],
    range: roomAround,
    paint: paintBest,
    remark: ({ best }) => (best ? '  best so far' : ''),
  });

const skillChart = () =>
  epochChart('skill', {
    label: 'Validation R² by epoch',
    names: ['Return', 'Volatility'],
    valuesOf: ({ validation }) => [validation.return, validation.volatility],
    range: (min, max) => roomAround(Math.min(min, 0), Math.max(max, 0)),
    // Draws the line of a constant prediction.
    paint: (plot) => paintLine(plot, 'y', 0),
  });

function roomAround(min: number, max: number): [number, number] {
  const room = Math.max((max - min) * 0.1, 0.002);
  return [min - room, max + room];
}

/** A line at the epoch whose weights are kept. */
function paintBest(plot: uPlot, history: readonly Epoch[]): void {
  const best = history.findLastIndex((epoch) => epoch.best);
  if (best !== -1) paintLine(plot, 'x', best);
}

const showScores = whenChanged(({ scores, test }: Pick<Run, 'scores' | 'test'>) => {
  find('#scores').hidden = scores === null;
  find('#no-scores').hidden = scores !== null;
  if (scores === null) return;
  find('#scores tbody').replaceChildren(
    ...(Object.keys(MODELS) as (keyof typeof MODELS)[]).map((name) =>
      el(
        'tr',
        el('th', { scope: 'row' }, MODELS[name]),
        el('td.number', fine(scores[name].return)),
        el('td.number', fine(scores[name].volatility)),
      ),
    ),
  );
  const days = test === null ? '' : ` from ${day(test.from)} to ${day(test.to)}`;
  setText(
    find('#scores-text'),
    `On days${days} that were not used for training: 1 is perfect, 0 is no better than a constant. ` +
      'An R² near zero is usual for daily returns. All scores compare with the mean of the training part. If the level has moved since, a model that follows it looks better than it is.',
  );
});
