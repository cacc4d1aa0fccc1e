import type { EquityPoint } from './run-backtest.ts';

const WIDTH = 960;
const HEIGHT = 240;
const LINES = 5;
const DATES = 5;

/**
 * A line over sessions as SVG inside HTML: the line takes whatever room there is, the figures beside it keep their size.
 * No script. What goes in has no markup: figures and dates.
 */
export function renderChart(
  points: readonly EquityPoint[],
  { name, label }: { name: string; label: (value: number) => string },
): string {
  if (points.length < 2) return '<p>Too few sessions for a chart.</p>';
  const values = points.map(({ value }) => value);
  const [low, high] = values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [
    Infinity,
    -Infinity,
  ] as const);
  const levels = levelsOf(low, high);
  const [bottom, top] = [levels[0]!, levels.at(-1)!];
  const x = (at: number): number => (at / (points.length - 1)) * WIDTH;
  const y = (value: number): number => HEIGHT - ((value - bottom) / (top - bottom)) * HEIGHT;
  const line = thinned(values).map((at) => `${x(at).toFixed(1)},${y(values[at]!).toFixed(1)}`);
  const dates = Array.from({ length: DATES }, (_, i) => Math.round((i / (DATES - 1)) * (points.length - 1)));
  const grid = [
    ...levels.map((value) => `M0 ${y(value).toFixed(1)}H${WIDTH}`),
    ...dates.map((at) => `M${x(at).toFixed(1)} 0V${HEIGHT}`),
  ];
  const [first, last] = [points[0]!, points.at(-1)!];
  const words =
    `${name}, from ${label(first.value)} on ${first.session} to ${label(last.value)} on ${last.session}; ` +
    `lowest ${label(low)}, highest ${label(high)}`;
  return `<figure class="chart"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" preserveAspectRatio="none" aria-label="${words}">
<path class="grid" d="${grid.join('')}"/><polyline points="${line.join(' ')}"/></svg>
<div class="levels" aria-hidden="true">${levels
    .toReversed()
    .map((value) => `<span>${label(value)}</span>`)
    .join('')}</div>
<div class="dates" aria-hidden="true">${dates.map((at) => `<span>${points[at]!.session}</span>`).join('')}</div></figure>`;
}

/** Round numbers, evenly apart, that hold all values between them; ascending. */
export function levelsOf(low: number, high: number): number[] {
  const span = high - low || Math.abs(high) * 0.02 || 1;
  const rough = span / (LINES - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough)! * power;
  const from = Math.floor(low / step);
  const to = Math.max(from + 1, Math.ceil(high / step));
  return Array.from({ length: to - from + 1 }, (_, i) => (from + i) * step);
}

/** Indices of what is drawn: of each of the chart's columns the lowest and the highest, so that no peak is lost. */
function thinned(values: readonly number[]): number[] {
  const size = Math.ceil(values.length / WIDTH);
  const kept: number[] = [];
  for (let from = 0; from < values.length; from += size) {
    const to = Math.min(from + size, values.length);
    let low = from;
    let high = from;
    for (let at = from; at < to; at++) {
      if (values[at]! < values[low]!) low = at;
      if (values[at]! > values[high]!) high = at;
    }
    kept.push(...new Set([Math.min(low, high), Math.max(low, high)]));
  }
  if (kept.at(-1) !== values.length - 1) kept.push(values.length - 1);
  return kept;
}
