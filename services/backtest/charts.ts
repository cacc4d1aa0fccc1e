import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { escapeHtml } from '../foundation/escape-html.ts';
import type { EquityPoint } from './account-history.ts';
import { relativeHeights } from './drawdowns.ts';

/** A curve and its name. */
export interface Curve {
  readonly name: string;
  readonly points: readonly EquityPoint[];
}

/** A price or another value on a day. */
interface DatedValue {
  readonly session: string;
  readonly value: number;
}

interface Marker extends DatedValue {
  readonly action: 'buy' | 'sell';
  /** The tooltip. */
  readonly title: string;
}

/** Drawn twice, for wide and narrow windows, so that letters keep their size without a script. */
const SIZES = [
  { kind: 'wide-chart', width: 960, height: 260 },
  { kind: 'narrow-chart', width: 360, height: 220 },
];
const COLOURS = [
  'var(--accent)',
  'var(--other)',
  'var(--third)',
  'var(--fourth)',
  'var(--fifth)',
  'var(--sixth)',
];
/** The number of curves with different colours. */
export const MOST_CURVES = COLOURS.length;

/** A value as text; `digits` are the decimals that tell the values of an axis apart. */
type Format = (value: number, digits?: number) => string;

/** A chart of curves that grow and shrink, on a logarithmic axis if all values are above zero. */
export function renderEquity(
  curves: readonly Curve[],
  { label, format = money }: { label: string; format?: Format },
): string {
  const isPositive = curves.every(({ points }) => points.every(({ value }) => value > 0));
  return figure(`${label}: ${told(curves, format)}`, (width) => ({
    y: { type: isPositive ? 'log' : 'linear', grid: true, label, tickFormat: short, ticks: 6 },
    marks: curves.map(({ points }, at) => line(points, at, width)),
  }));
}

/** A chart of how far each value is below the highest earlier one. */
export function renderDrawdown(curves: readonly Curve[]): string {
  const falls = curves.map(({ name, points }) => ({ name, points: relativeHeights(points) }));
  return figure(`Drawdown: ${told(falls, percent)}`, (width) => ({
    y: { grid: true, label: 'Below the highest value', tickFormat: apart(percent) },
    marks: [
      ...falls.slice(0, 1).map(({ points }) => area(points, width)),
      ...falls.map(({ points }, at) => line(points, at, width)),
    ],
  }));
}

/** A chart with a value for each session, and a line at an important height. */
export function renderValues(
  curves: readonly Curve[],
  { label, format, rule }: { label: string; format: Format; rule: number | null },
): string {
  return figure(`${label}: ${told(curves, format)}`, (width) => ({
    y: { grid: true, label, tickFormat: apart(format) },
    marks: [
      ...(rule === null ? [] : [Plot.ruleY([rule], { stroke: 'currentColor' })]),
      ...curves.map(({ points }, at) => line(points, at, width)),
    ],
  }));
}

/** A chart of a ticker's closes with the fills on them. */
export function renderPrices(
  ticker: string,
  closes: readonly DatedValue[],
  markers: readonly Marker[],
): string {
  return figure(`Prices of ${ticker} with ${markers.length} fills`, (width) => ({
    y: { grid: true, label: ticker, tickFormat: short },
    marks: [
      line(closes, 0, width),
      ...(['buy', 'sell'] as const).map((action) =>
        Plot.dot(
          markers.filter((marker) => marker.action === action),
          {
            x: ({ session }: Marker) => new Date(session),
            y: 'value',
            title: 'title',
            symbol: 'triangle',
            rotate: action === 'buy' ? 0 : 180,
            r: 3,
            fill: action === 'buy' ? 'var(--gain)' : 'var(--loss)',
            ariaLabel: action,
          },
        ),
      ),
    ],
  }));
}

/** With more cells than this, numbers in them cannot be read. */
const READABLE_CELLS = 60;
/** The width of the axis and the margins beside the cells. */
const BESIDE_CELLS = 72;
const WIDTH_OF_NUMBER = 34;

const WIDTH_OF_LABEL = 48;
const HEIGHT_OF_LABEL = 18;

/** The values of a parameter at which the axis has labels: each, or each second or third, … as its room allows. */
function readable(cells: readonly Record<'x' | 'y', number>[], name: 'x' | 'y', room: number): number[] {
  const values = [...new Set(cells.map((cell) => cell[name]))].sort((a, b) => a - b);
  const step = Math.ceil(values.length / room);
  return values.filter((_, at) => at % step === 0);
}

/** A colour for each pair of two parameters. */
export function renderCells(
  cells: readonly { readonly x: number; readonly y: number; readonly value: number }[],
  { x, y, format }: { x: string; y: string; format: (value: number) => string },
): string {
  const columns = new Set(cells.map((cell) => cell.x)).size;
  const best = cells.reduce((one, other) => (other.value > one.value ? other : one));
  const words = `${cells.length} pairs of ${x} and ${y}; the best is ${best.x} and ${best.y} with ${format(best.value)}`;
  return figure(words, (width, height) => ({
    x: { type: 'band', label: x, ticks: readable(cells, 'x', width / WIDTH_OF_LABEL) },
    y: { type: 'band', label: y, reverse: true, ticks: readable(cells, 'y', height / HEIGHT_OF_LABEL) },
    color: { scheme: 'RdYlGn', pivot: 0 },
    marks: [
      Plot.cell(cells, {
        x: 'x',
        y: 'y',
        fill: 'value',
        title: ({ x: across, y: up, value }: (typeof cells)[number]) =>
          `${x} ${across}, ${y} ${up}: ${format(value)}`,
      }),
      ...(cells.length > READABLE_CELLS || (width - BESIDE_CELLS) / columns < WIDTH_OF_NUMBER
        ? []
        : [
            Plot.text(cells, {
              x: 'x',
              y: 'y',
              text: ({ value }: (typeof cells)[number]) => format(value),
              // The cells are light and dark in both colour schemes.
              fill: 'black',
              stroke: 'white',
              strokeWidth: 3,
            }),
          ]),
    ],
  }));
}

function figure(words: string, optionsOf: (width: number, height: number) => Plot.PlotOptions): string {
  const { document } = parseHTML('<!doctype html><body></body>');
  const drawn = SIZES.map(({ kind, width, height }) => {
    const svg = Plot.plot({
      document,
      width,
      height,
      marginLeft: 52,
      style: { background: 'none' },
      x: { type: 'utc', label: null, ticks: width / 120 },
      ...optionsOf(width, height),
    });
    svg.classList.add(kind);
    svg.setAttribute('aria-hidden', 'true');
    return svg.outerHTML;
  });
  return `<div class="chart" role="img" aria-label="${escapeHtml(words)}">${drawn.join('')}</div>`;
}

/**
 * `at` is the index of the curve, which gives its colour. The name of the curve cannot stand for its colour, because
 * `red` or `none` would be taken for one.
 */
const line = (points: readonly DatedValue[], at: number, width: number): Plot.Markish =>
  Plot.lineY(thinned(points, width), {
    x: ({ session }: DatedValue) => new Date(session),
    y: 'value',
    stroke: COLOURS[at]!,
    strokeWidth: 1.5,
  });

const area = (points: readonly DatedValue[], width: number): Plot.Markish =>
  Plot.areaY(thinned(points, width), {
    x: ({ session }: DatedValue) => new Date(session),
    y: 'value',
    fill: 'var(--accent)',
    fillOpacity: 0.15,
  });

/** Keeps the lowest and the highest point in each column of the chart, so that no peak is lost. */
function thinned(points: readonly DatedValue[], columns: number): DatedValue[] {
  const size = Math.ceil(points.length / columns);
  if (size <= 2) return [...points];
  const kept = new Set<number>([0, points.length - 1]);
  for (let from = 0; from < points.length; from += size) {
    let [low, high] = [from, from];
    for (let at = from; at < Math.min(from + size, points.length); at++) {
      if (points[at]!.value < points[low]!.value) low = at;
      if (points[at]!.value > points[high]!.value) high = at;
    }
    kept.add(low).add(high);
  }
  return [...kept].sort((a, b) => a - b).map((at) => points[at]!);
}

/** A description of the chart for those who cannot see it. */
function told(curves: readonly Curve[], format: Format): string {
  return curves
    .flatMap(({ name, points }) => {
      const [first, last] = [points[0], points.at(-1)];
      if (first === undefined || last === undefined) return [];
      const values = points.map(({ value }) => value);
      const lowest = values.reduce((a, b) => Math.min(a, b));
      const highest = values.reduce((a, b) => Math.max(a, b));
      return (
        `${name} from ${format(first.value)} on ${first.session} to ${format(last.value)} on ${last.session}, ` +
        `lowest ${format(lowest)}, highest ${format(highest)}`
      );
    })
    .join('; ');
}

/** The number of decimals at which no two values of an axis have the same text. */
const apart =
  (format: Format) =>
  (value: number, _at: number, ticks: readonly number[] = [value]): string => {
    const digits = [0, 1, 2, 3].find(
      (few) => new Set(ticks.map((tick) => format(tick, few))).size === ticks.length,
    );
    return format(value, digits ?? 4);
  };

const money = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });
const short = (value: number): string =>
  value.toLocaleString('en-US', { notation: 'compact', maximumSignificantDigits: 4 });
export const percent: Format = (value, digits = 1) => `${(value * 100).toFixed(digits)} %`;
