import type { Story } from '../../../audit/story/plot.ts';
import { count, duration } from '../../number-format.ts';
import { painter, printable, wrap, type Terminal } from '../../terminal.ts';
import { formatMachine } from './machine-text.ts';
import { formatTimeline } from './timeline-text.ts';
import { wordsOf } from './words.ts';

const KINDS = {
  ask: 'Ask',
  order: 'Order',
  training: 'Training',
  'market-update': 'Market update',
  reindex: 'Reindex',
} as const;

/** A story for people: its events and the machine with the path it took. No line is wider than the terminal. */
export function formatStory(story: Story, terminal: Terminal): string {
  const width = Math.min(Math.max(terminal.columns, 40), 120);
  const paint = painter(terminal);
  const { entries, machine, omitted } = story;
  const tookMs = Date.parse(entries.at(-1)?.at ?? '') - Date.parse(entries[0]?.at ?? '');
  const about = [
    outcomeOf(story),
    count(entries.length + omitted, 'event'),
    `over ${duration(Math.max(0, tookMs))}`,
  ];
  return [
    ...wrap(`${KINDS[story.kind]} ${printable(story.id)}`, width).map((line) => paint('bold', line)),
    ...wrap(about.join(' · '), width),
    ...wrap(`streams: ${story.streams.map(printable).join(', ')}`, width).map((line) => paint('dim', line)),
    '',
    ...formatTimeline(story, width, paint),
    '',
    paint('bold', `The machine “${machine.name}”`),
    ...formatMachine(machine, width, paint),
  ]
    .map((line) => line.trimEnd())
    .join('\n');
}

/** The last event that moved the machine, in words. */
function outcomeOf({ entries, machine }: Story): string {
  const last = entries.findLast(({ state }) => state !== null);
  return last === undefined ? machine.initial : wordsOf(last).title;
}
