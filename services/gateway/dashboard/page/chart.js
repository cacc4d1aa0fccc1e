import uPlot from './uplot-1.6.32/uPlot.esm.js';
import { day } from './format.js';

const FONT = '11px system-ui, sans-serif';
const SHORT_DATE = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const LONG_DATE = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });
/** Pixels. */
const HALF_LABEL = 24;
const HALF_LETTER = 4;
/** More sessions than this are labelled by month and year. */
const LONG = 300;

const probe = document.body.appendChild(document.createElement('span'));
probe.hidden = true;

/** A colour of the style sheet as a canvas takes it, in the scheme of the moment. */
export function colour(name) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

/** What an x axis is of: the label of a step, `count` of which are shown, and its name in words. */
const SESSIONS = {
  label: (date, count) => (count > LONG ? LONG_DATE : SHORT_DATE).format(new Date(`${date}T00:00:00Z`)),
  name: day,
};

/**
 * A chart over sessions, or what else `steps` says: one step of the x axis each, so that weekends leave no gaps. It fills
 * its host, follows the colour scheme, and says the value under the pointer, or under the cursor that the arrow keys move,
 * in `readout`.
 *
 * - `series`: of uPlot, without the first. `range(min, max)`: of the y axis.
 * - `paint(plot)`: draws on top. `say(index)`: the words of a step.
 */
export function createChart(
  host,
  { readout, label, series, range, formatY, paint, say, steps = SESSIONS, space = 64 },
) {
  let keys = [];
  /** Of the newest one that there are values of. */
  let newest = -1;
  let chosen = null;

  const plot = new uPlot(
    {
      width: Math.max(1, host.clientWidth),
      height: Math.max(1, host.clientHeight),
      padding: [6, 0, 0, 8],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
      scales: {
        x: { time: false, range: (_, min, max) => [(min ?? 0) - 0.6, (max ?? 0) + 0.6] },
        y: { range: (_, min, max) => (min === null ? [0, 1] : range(min, max)) },
      },
      axes: [
        {
          ...axis(),
          size: 22,
          gap: 4,
          space,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000],
          values: (plot, splits) => splits.map((index) => labelOf(plot, index)),
        },
        { ...axis(), side: 1, size: 62, gap: 6, values: (_, splits) => splits.map(formatY) },
      ],
      series: [{}, ...series],
      hooks: {
        draw: [(plot) => newest >= 0 && paint(plot)],
        setCursor: [({ cursor }) => tell(cursor.idx)],
      },
    },
    [[], ...series.map(() => [])],
    host,
  );

  /** None where it would be cut off. */
  function labelOf({ valToPos }, index) {
    const key = keys[index];
    const words = key === undefined ? '' : steps.label(key, keys.length);
    return valToPos(index, 'x') < Math.min(HALF_LABEL, words.length * HALF_LETTER) ? '' : words;
  }

  function tell(index) {
    chosen = index === null || index === undefined ? null : Math.min(index, newest);
    const at = chosen ?? newest;
    const words = keys[at] === undefined ? '\u00a0' : `${steps.name(keys[at])}  ${say(at)}`;
    if (readout.textContent === words) return;
    readout.textContent = words;
    host.ariaValueNow = String(at);
    host.ariaValueText = words;
  }

  function moveTo(index) {
    const left = plot.valToPos(index, 'x');
    plot.setCursor({ left, top: 1 });
  }

  host.tabIndex = 0;
  host.role = 'slider';
  host.ariaLabel = label;
  host.ariaValueMin = '0';
  host.addEventListener('keydown', (event) => {
    const at = chosen ?? newest + 1;
    const to = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      PageUp: at - 20,
      PageDown: at + 20,
      Home: 0,
      End: newest,
    };
    if (!(event.key in to) || newest < 0) return;
    event.preventDefault();
    moveTo(Math.min(newest, Math.max(0, to[event.key])));
  });
  host.addEventListener('blur', () => plot.setCursor({ left: -10, top: -10 }));
  new ResizeObserver(() => {
    plot.setSize({ width: host.clientWidth, height: host.clientHeight });
  }).observe(host);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => plot.redraw());

  return {
    plot,
    setLabel(words) {
      host.ariaLabel = words;
    },
    /** `columns`: one array of values for each series; shorter than `newKeys` where the rest is still to come. */
    show(newKeys, columns) {
      keys = newKeys;
      newest = columns[0].length - 1;
      host.dataset.filled = String(newest >= 0);
      host.ariaValueMax = String(Math.max(0, newest));
      const room = keys.map((_, i) => i);
      plot.setData([room, ...columns.map((column) => room.map((i) => column[i] ?? null))]);
      tell(plot.cursor.idx);
    },
  };
}

function axis() {
  return {
    stroke: () => colour('soft'),
    font: FONT,
    grid: { stroke: () => colour('grid'), width: 1 },
    ticks: { show: false },
  };
}
