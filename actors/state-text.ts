import type { StateValue } from 'xstate';

/** `asked.retrieving`; regions side by side: `run.training work.going`. */
export function stateText(value: StateValue): string {
  if (typeof value === 'string') return value;
  return Object.entries(value)
    .map(([name, inner]) => [name, inner === undefined ? '' : stateText(inner)])
    .map(([name, inner]) => (inner === '' ? name : inner!.replaceAll(/(^| )(?=\S)/g, `$1${name}.`)))
    .join(' ');
}
