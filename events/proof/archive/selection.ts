import type { StoredEvent } from '../../store/scan.ts';
import type { ArchiveSelection } from './format.ts';

/** When an event happened, by its own word; empty where it does not say. */
export function timeOf({ metadata }: StoredEvent): string {
  const { at } = JSON.parse(metadata) as { at?: unknown };
  return typeof at === 'string' ? at : '';
}

/** Whether the selection takes an event. */
export function selects({ stream, category, type, from, to }: ArchiveSelection, event: StoredEvent): boolean {
  if (stream !== undefined && event.stream !== stream) return false;
  if (category !== undefined && !event.stream.startsWith(category)) return false;
  if (type !== undefined && !type.includes(event.type)) return false;
  if (from === undefined && to === undefined) return true;
  const at = Date.parse(timeOf(event));
  return (from === undefined || at >= Date.parse(from)) && (to === undefined || at < Date.parse(to));
}

/** True where it takes everything. */
export function selectsAll(selection: ArchiveSelection): boolean {
  return Object.values(selection).every((part) => part === undefined);
}
