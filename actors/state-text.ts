import type { StateValue } from 'xstate';

/** A machine's state as text: `asked.retrieving`, or `run.training work.going` for regions that run side by side. */
export function stateText(value: StateValue): string {
  if (typeof value === 'string') return value;
  return Object.entries(value)
    .map(([name, inner]) => [name, inner === undefined ? '' : stateText(inner)])
    .map(([name, inner]) => (inner === '' ? name : inner!.replaceAll(/(^| )(?=\S)/g, `$1${name}.`)))
    .join(' ');
}

/** The state that contains all of these regions; a single region is returned as it is. */
export function stateAround(regions: readonly string[]): string {
  const [first = [], ...others] = regions.map((state) => state.split('.'));
  const end = first.findIndex((name, depth) => others.some((other) => other[depth] !== name));
  return (end === -1 ? first : first.slice(0, end)).join('.');
}
