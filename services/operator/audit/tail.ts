import { type Codec, SEALED_TEXT } from '../../../events/define.ts';
import type { Selection } from '../../../events/store/selection.ts';
import { readSettings } from '../../composition/settings.ts';
import type { OpenRecord } from '../../foundation/record.ts';
import { openRecord } from '../../composition/runtime.ts';
import { messageOf } from '../report-failure.ts';
import { onFirstSignal } from '../first-signal.ts';
import { toJsonLine } from '../../foundation/json.ts';
import { writeTo, type Write } from '../output.ts';
import { standardOutput, type Terminal, cut, painter, printable, widthOf } from '../terminal.ts';
import { openData, SEALING, toShown, type ShownEvent } from './shown-event.ts';
import { follow, type FollowOptions } from './tail/follow-record.ts';
import type { Json } from '../../../events/json.ts';

export interface TailOptions extends Selection {
  readonly text?: true;
  readonly json?: true;
  readonly follow: boolean;
}

/** `beleg audit tail`: prints the newest events, or those from a time on, and then new ones until Ctrl-C. */
export async function tail(options: TailOptions): Promise<void> {
  await using record = await openRecord(readSettings(process.env));
  const { stdout } = process;
  const stop = new AbortController();
  const ignore = onFirstSignal(['SIGINT', 'SIGTERM'], () => stop.abort());
  // If the end of the selection is in the past, nothing more can come.
  const follows = options.follow && (options.to === undefined || Date.parse(options.to) > Date.now());
  try {
    await tailRecord(
      record,
      { ...options, follow: follows },
      {
        write: writeTo(stdout),
        terminal: () => (stdout.isTTY ? standardOutput() : { columns: Infinity, colour: false }),
        signal: stop.signal,
        onAway: (error) =>
          console.error(`beleg: ${messageOf(error)}; waiting until the record can be read again`),
        onBack: () => console.error('beleg: the record can be read again'),
      },
    );
  } finally {
    ignore();
  }
}

export interface TailOutput extends Omit<FollowOptions, 'follow'> {
  readonly write: Write;
  readonly terminal: () => Terminal;
}

export async function tailRecord(
  record: Pick<OpenRecord, 'store' | 'codec' | 'since'>,
  options: TailOptions,
  { write, terminal, ...following }: TailOutput,
): Promise<void> {
  const codec: Pick<Codec, 'decode'> = options.text ? record.codec : SEALING;
  for await (const event of follow(record, options, { ...following, follow: options.follow })) {
    const shown = toShown(event, options.json && !options.text ? event.data : await openData(event, codec));
    await write(options.json ? toJsonLine(shown) : `${formatEvent(shown, terminal())}\n`);
  }
}

/** An event on one line: time, stream, type, and as much of its data as fits. `columns` may be infinite. */
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

/** Formats a value. A text is quoted if its end would not be visible. A missing or erased value is `-`. */
function formatValue(value: Json): string {
  if (value === null) return '-';
  if (typeof value === 'string') {
    return value === SEALED_TEXT || /^[^\s"=]+$/u.test(value) ? value : JSON.stringify(value);
  }
  if (typeof value === 'object' && '$sealed' in value) return SEALED_TEXT;
  // A list of objects is only shown with `--json`, so that the line stays short.
  if (Array.isArray(value) && typeof value[0] === 'object') return `[${value.length}]`;
  return JSON.stringify(value);
}
