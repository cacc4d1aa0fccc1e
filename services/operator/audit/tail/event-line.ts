import { SEALED_TEXT } from '../../../../events/define.ts';
import type { Json } from '../../../../events/json.ts';
import { cut, painter, printable, widthOf, type Terminal } from '../../terminal.ts';
import type { ShownEvent } from '../shown-event.ts';

/** One event as one line: when, where, what, and as much of its data as fits. `columns` may be infinite. */
export function formatEvent(event: ShownEvent, terminal: Terminal): string {
  const time = new Date(event.at).toISOString().replace('T', ' ');
  const place = printable(`${event.stream}#${event.revision}`);
  const type = printable(event.type);
  const paint = painter(terminal);
  const used = widthOf(time) + widthOf(place) + widthOf(type) + 6;
  const data = cut(printable(formatData(event.data)), terminal.columns - used);
  return `${paint('dim', time)}  ${paint('cyan', place)}  ${paint('bold', type)}  ${data}`.trimEnd();
}

function formatData(data: Json): string {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return formatValue(data);
  return Object.entries(data)
    .map(([name, value]) => `${name}=${formatValue(value)}`)
    .join(' ');
}

/** Text in quotes where it would not be seen where it ends; `-` for what is not there, or not there any more. */
function formatValue(value: Json): string {
  if (value === null) return '-';
  if (typeof value === 'string') {
    return value === SEALED_TEXT || /^[^\s"=]+$/u.test(value) ? value : JSON.stringify(value);
  }
  if (typeof value === 'object' && '$sealed' in value) return SEALED_TEXT;
  // What it holds is for `--json`: one line is short.
  if (Array.isArray(value) && typeof value[0] === 'object') return `[${value.length}]`;
  return JSON.stringify(value);
}
