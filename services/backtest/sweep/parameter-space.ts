import { seeded } from '../../../events/seeded.ts';

/** A value for each parameter. */
export type Combination = Readonly<Record<string, number>>;

/** The values to try for one parameter. */
export interface Axis {
  readonly name: string;
  readonly values: readonly number[];
}

/** The most values of one parameter. More are taken for a typing error. */
const MOST_VALUES = 10_000;

/**
 * Parses `fast=5..20:5` (from, to, step) or `fast=5,10,20`.
 *
 * @throws {RangeError} that names the faulty part and the form to write it in.
 */
export function parseAxis(text: string): Axis {
  const [, name, range] = /^([A-Za-z_]\w*)=(.+)$/.exec(text) ?? [];
  if (name === undefined || range === undefined) throw faulty(text);
  const [, from, to, step] = /^(-?[\d.]+)\.\.(-?[\d.]+):([\d.]+)$/.exec(range) ?? [];
  const values =
    step === undefined
      ? range.split(',').map((value) => (value.trim() === '' ? Number.NaN : Number(value)))
      : steps(Number(from), Number(to), Number(step), text);
  if (!values.every(Number.isFinite)) throw faulty(text);
  return { name, values: [...new Set(values)] };
}

function steps(from: number, to: number, step: number, text: string): number[] {
  const count = Math.floor((to - from) / step + 1e-9) + 1;
  if (!(step > 0) || !(count >= 1)) throw faulty(text);
  if (count > MOST_VALUES)
    throw new RangeError(`${text} has ${count} values; at most ${MOST_VALUES} are possible`);
  // Rounds away the error of repeated addition: 0.1, 0.2, 0.30000000000000004.
  return Array.from({ length: count }, (_, at) => Number((from + at * step).toPrecision(12)));
}

const faulty = (text: string): RangeError =>
  new RangeError(`${text} is no range of a parameter: write fast=5..20:5 (from, to, step) or fast=5,10,20`);

/** All combinations; the last axis varies fastest. */
export function gridOf(axes: readonly Axis[]): Combination[] {
  return axes.reduce<Combination[]>(
    (before, { name, values }) => before.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

/** A random sample of the grid without repetition, in the grid's order; the whole grid if it has no more. */
export function sampleOf(grid: readonly Combination[], count: number, seed: number): Combination[] {
  if (count >= grid.length) return [...grid];
  const random = seeded(seed);
  const left = grid.map((_, at) => at);
  const chosen = Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0]!);
  return chosen.sort((a, b) => a - b).map((at) => grid[at]!);
}

/** Combinations that differ in one parameter by one step. */
export function neighboursOf(
  of: Combination,
  axes: readonly Axis[],
  among: readonly Combination[],
): Combination[] {
  return among.filter((other) => {
    const apart = axes.map(({ name, values }) =>
      Math.abs(values.indexOf(other[name]!) - values.indexOf(of[name]!)),
    );
    return apart.reduce((sum, step) => sum + step, 0) === 1;
  });
}
