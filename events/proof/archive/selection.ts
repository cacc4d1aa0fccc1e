import type { StoredEvent } from '../../store/scan.ts';
import type { ArchiveSelection } from './format.ts';

/** When an event happened, by its own word; empty where it does not say. */
export function timeOf({ metadata }: StoredEvent): string {
  const { at } = JSON.parse(metadata) as { at?: unknown };
  return typeof at === 'string' ? at : '';
}

/** True where it takes everything. */
export function selectsAll(selection: ArchiveSelection): boolean {
  return Object.values(selection).every((part) => part === undefined);
}
