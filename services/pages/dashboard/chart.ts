// oxlint-disable-next-line import/default, import/no-absolute-path -- where the gateway serves it
import uPlot from '/pages/uplot-1.6.32/uPlot.esm.js';
import { day } from './format.ts';

const FONT = '11px system-ui, sans-serif';
const SHORT_DATE = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const LONG_DATE = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });
/** Half the width of a label, in pixels. */
const HALF_LABEL = 24;
const HALF_LETTER = 4;
/** Axes with more sessions are labelled by month and year. */
const LONG = 300;

const probe = document.body.appendChild(document.createElement('span'));
probe.hidden = true;
// With forced colours, all computed colours would be the same.
probe.style.setProperty('forced-color-adjust', 'none');

/** A colour of the style sheet in the present colour scheme, for a canvas. */
export function colour(name: string): string {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

/** The steps of an x axis: their keys, their labels (of which `count` are shown), and their names in words. */
export interface Steps<Key> {
  label: (key: Key, count: number) => string;
  name: (key: Key) => string;
}

export const SESSIONS: Steps<string> = {
  label: (date, count) => (count > LONG ? LONG_DATE : SHORT_DATE).format(new Date(`${date}T00:00:00Z`)),
  name: day,
};

interface Options<Key> {
  readonly readout: HTMLElement;
  readonly label: string;
  /** The series for uPlot, without the first one, which is the x axis. */
  readonly series: uPlot.Series[];
  readonly steps: Steps<Key>;
  /** Pixels between two labels of the x axis. */
  readonly space?: number;
  /** The range of the y axis. */
  range: (min: number, max: number) => [number, number];
  formatY: (value: number) => string;
  /** Draws on top of the chart. */
  paint: (plot: uPlot) => void;
  /** The description of a step. */
  say: (index: number) => string;
}

/**
 * A chart over sessions or other `steps`. Steps are evenly spaced on the x axis, so that weekends leave no gaps. The
 * chart fills its host, follows the colour scheme, and shows the value under the pointer, or under the cursor that the
 * arrow keys move, in `readout`.
 */
export function createChart<Key>(
  host: HTMLElement,
  { readout, label, series, range, formatY, paint, say, steps, space = 64 }: Options<Key>,
) {
  let keys: readonly Key[] = [];
  /** The index of the newest step with values. */
  let newest = -1;
  let chosen: number | null = null;

  const plot: uPlot = new uPlot(
    {
      width: Math.max(1, host.clientWidth),
      height: Math.max(1, host.clientHeight),
      padding: [6, 0, 0, 8],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
      scales: {
        x: { time: false, range: (_, min, max) => [(min ?? 0) - 0.6, (max ?? 0) + 0.6] },
        y: { range: (_, min, max) => (min === null || max === null ? [0, 1] : range(min, max)) },
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
        {
          ...axis(),
          side: 1,
          size: 62,
          gap: 6,
          values: (_, splits) => splits.map((value) => formatY(value)),
        },
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

  /** The label of a step; none if it would be cut off. */
  function labelOf(plot: uPlot, index: number): string {
    const key = keys[index];
    const words = key === undefined ? '' : steps.label(key, keys.length);
    return plot.valToPos(index, 'x') < Math.min(HALF_LABEL, words.length * HALF_LETTER) ? '' : words;
  }

  function tell(index: number | null | undefined): void {
    chosen = index === null || index === undefined ? null : Math.min(index, newest);
    const at = chosen ?? newest;
    const key = keys[at];
    const words = key === undefined ? '\u00a0' : `${steps.name(key)}  ${say(at)}`;
    if (readout.textContent === words) return;
    readout.textContent = words;
    host.ariaValueNow = key === undefined ? null : String(at);
    host.ariaValueText = key === undefined ? null : words;
  }

  function moveTo(index: number): void {
    const left = plot.valToPos(index, 'x');
    plot.setCursor({ left, top: 1 });
  }

  host.ariaLabel = label;
  host.addEventListener('keydown', (event) => {
    const at = chosen ?? newest + 1;
    const to: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      PageUp: at - 20,
      PageDown: at + 20,
      Home: 0,
      End: newest,
    };
    const wanted = to[event.key];
    if (wanted === undefined || newest < 0) return;
    event.preventDefault();
    moveTo(Math.min(newest, Math.max(0, wanted)));
  });
  host.addEventListener('blur', () => plot.setCursor({ left: -10, top: -10 }));
  new ResizeObserver(() => {
    plot.setSize({ width: host.clientWidth, height: host.clientHeight });
  }).observe(host);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => plot.redraw());

  return {
    setLabel(words: string): void {
      host.ariaLabel = words;
    },
    /**
     * Shows values. `columns` has one array for each series; it is shorter than `keys` if later values do not exist
     * yet.
     */
    show(newKeys: readonly Key[], columns: readonly [readonly number[], ...(readonly number[])[]]): void {
      keys = newKeys;
      newest = columns[0].length - 1;
      host.dataset.filled = String(newest >= 0);
      // Without values there is nothing to slide over.
      host.role = newest >= 0 ? 'slider' : 'img';
      host.tabIndex = newest >= 0 ? 0 : -1;
      host.ariaValueMin = newest >= 0 ? '0' : null;
      host.ariaValueMax = newest >= 0 ? String(newest) : null;
      const room = keys.map((_, i) => i);
      plot.setData([room, ...columns.map((column) => room.map((i) => column[i] ?? null))]);
      tell(plot.cursor.idx);
    },
  };
}

/** Draws a dotted line across the chart at a value of an axis; `dash` is in pixels. */
export function paintLine(
  plot: uPlot,
  axis: 'x' | 'y',
  value: number,
  { tone = colour('soft'), dash = [2, 4] } = {},
): void {
  const { ctx, bbox } = plot;
  const at = Math.round(plot.valToPos(value, axis, true)) + 0.5;
  const { left, top } = axis === 'y' ? { left: bbox.left, top: at } : { left: at, top: bbox.top };
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.strokeStyle = tone;
  ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
  ctx.beginPath();
  ctx.moveTo(left, top);
  if (axis === 'y') ctx.lineTo(left + bbox.width, top);
  else ctx.lineTo(left, top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

function axis(): uPlot.Axis {
  return {
    stroke: () => colour('soft'),
    font: FONT,
    grid: { stroke: () => colour('grid'), width: 1 },
    ticks: { show: false },
  };
}
