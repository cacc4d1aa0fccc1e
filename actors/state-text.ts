import type { StateValue } from 'xstate';

/** `asked.retrieving`; regions side by side: `run.training work.going`. */
export function stateText(value: StateValue): string {
  if (typeof value === 'string') return value;
  return Object.entries(value)
    .map(([name, inner]) => [name, inner === undefined ? '' : stateText(inner)])
    .map(([name, inner]) => (inner === '' ? name : inner!.replaceAll(/(^| )(?=\S)/g, `$1${name}.`)))
    .join(' ');
}

/** The state that regions side by side are all in; of a single state, itself. */
export function stateAround(regions: readonly string[]): string {
  const [first = [], ...others] = regions.map((state) => state.split('.'));
  const end = first.findIndex((name, depth) => others.some((other) => other[depth] !== name));
  return (end === -1 ? first : first.slice(0, end)).join('.');
}
