import type { Story } from '../../../audit/story/story.ts';
import type { Terminal } from '../../answer-text.ts';
import { count } from '../../failure.ts';
import { Facts } from './facts.ts';
import { clean, duration, painter, wrap } from './layout.ts';
import { formatMachine } from './machine-text.ts';
import { formatTimeline } from './timeline-text.ts';

const KINDS = {
  ask: 'Ask',
  order: 'Order',
  training: 'Training',
  'market-update': 'Market update',
  reindex: 'Reindex',
} as const;

/** A story for people: what it is, event by event, and the machine with the way it took. No line is wider than the terminal. */
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
    ...wrap(`${KINDS[story.kind]} ${clean(story.id)}`, width).map((line) => paint('bold', line)),
    ...wrap(about.join(' · '), width),
    ...wrap(`streams: ${story.streams.map(clean).join(', ')}`, width).map((line) => paint('dim', line)),
    '',
    ...formatTimeline(story, width, paint),
    '',
    paint('bold', `The machine “${machine.name}”`),
    ...formatMachine(machine, width, paint),
  ]
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Where it stands; of an answer, which one: a refusal ends an ask as any other answer does. */
function outcomeOf({ entries, machine: { path, initial } }: Story): string {
  const state = path.at(-1) ?? initial;
  const answer = entries.findLast(({ event }) => event === 'AnswerGiven');
  return state === 'answered' && answer !== undefined ? new Facts(answer.data).text('status') : state;
}
