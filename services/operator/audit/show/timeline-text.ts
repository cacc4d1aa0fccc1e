import type { Story, StoryEntry } from '../../../audit/story/plot.ts';
import { duration, grouped } from '../../number-format.ts';
import { widthOf, wrap, type Paint, printable } from '../../terminal.ts';
import type { Words } from './tones.ts';
import { wordsOf } from './words.ts';

/** The column at which the words of an event begin, after its mark and time. */
const INDENT = 16;
const MARKS = { plain: ['●', 'cyan'], good: ['●', 'green'], bad: ['●', 'yellow'] } as const;

/**
 * Formats events one by one: time, words, the state of the machine after the event, and the time since the previous
 * event and since the start. The date is shown where a day begins; all times are UTC. `○` marks an event that does not
 * change the machine.
 */
export function formatTimeline(story: Story, width: number, paint: Paint): string[] {
  const { entries } = story;
  const asks = numberAsks(story);
  const start = Date.parse(entries[0]?.at ?? '');
  const lines: string[] = [];
  let day = '';
  let cause = '';
  entries.forEach((entry, i) => {
    // A shortened story has its gap in the middle: the first half is from the start and the second from the end.
    if (story.omitted > 0 && i === Math.floor(entries.length / 2)) {
      lines.push(paint('yellow', `⋮ ${grouped(story.omitted)} entries in between are not shown`));
    }
    if (!entry.at.startsWith(day) || day === '') {
      day = entry.at.slice(0, 10);
      lines.push(paint('bold', `${day} UTC`));
    }
    const words = wordsOf(entry);
    const ask = asks.size > 1 ? asks.get(entry.causation_id) : undefined;
    const since = Math.max(0, Date.parse(entry.at) - start);
    lines.push(...heading(entry, words, { ask, since, width }, paint));

    const by = causeOf(entry, story);
    // Each step of a run has a call of its own, so the request that started the run is shown.
    const who = isRun(story) ? entry.correlation_id : by;
    const indent = width < 60 ? 4 : INDENT;
    const rail = paint('dim', i === entries.length - 1 ? ' ' : '│') + ' '.repeat(indent - 1);
    const details = words.details.filter((detail) => detail !== '');
    if (isStray(entry, story)) details.push('it is not allowed in the state at that time');
    for (const line of details.flatMap((detail) => wrap(detail, width - indent))) lines.push(rail + line);
    if (who !== cause)
      for (const line of wrap(`by ${by}`, width - indent)) lines.push(rail + paint('dim', line));
    cause = who;
  });
  return lines;
}

const isRun = ({ kind }: Story): boolean => kind === 'training' || kind === 'market-update';

/** Whether the machine handles events of this type, but had no transition for this one. */
function isStray({ event, state }: StoryEntry, { machine }: Story): boolean {
  return state === null && machine.transitions.some((way) => way.event === event);
}

function heading(
  entry: StoryEntry,
  { title, tone }: Words,
  { ask, since, width }: { ask: number | undefined; since: number; width: number },
  paint: Paint,
): string[] {
  const [mark, colour] = MARKS[tone];
  const time = entry.at.slice(11, 23).replace('Z', '').padEnd(12);
  const state = entry.state === null ? '' : ` → ${entry.state}`;
  const text = `${ask === undefined ? '' : `[${ask}] `}${title}`;
  const clock = `${`+${duration(entry.after_ms)}`.padStart(11)} ${duration(since).padStart(11)}`;
  const left = `${paint(colour, entry.state === null ? '○' : mark)} ${time}  `;
  const painted = `${paint('bold', text)}${paint('cyan', state)}`;
  const used = INDENT + widthOf(text + state);
  if (used + clock.length <= width) {
    return [`${left}${painted}${' '.repeat(width - used - clock.length)}${paint('dim', clock)}`];
  }
  const [first = '', ...rest] = wrap(`${text}${state}`, width - INDENT);
  const rail = paint('dim', '│');
  const indent = ' '.repeat(INDENT - 1);
  return [
    left + paint('bold', first),
    ...rest.map((line) => rail + indent + paint('bold', line)),
    `${rail}${paint('dim', clock.padStart(width - 1))}`,
  ];
}

/** What caused an event, in words. */
function causeOf(entry: StoryEntry, { id, kind }: Pick<Story, 'id' | 'kind'>): string {
  const { correlation_id, causation_id, stream } = entry;
  const [head = '', tail = ''] = causation_id.split('/');
  if (head === 'strategy') return `the strategy, after session ${printable(tail)}`;
  if (head === 'report') return `the broker's report ${printable(tail)}`;
  if (stream.startsWith('paper-broker-')) return `the paper broker: ${printable(head)}`;
  if (entry.event === 'ErasureRequested' || entry.event === 'TextErased')
    return `erasure ${call(causation_id)}`;
  const request = correlation_id === id && kind !== 'order' ? '' : ` of request ${printable(correlation_id)}`;
  return `call ${call(causation_id)}${request}`;
}

/** The beginning of a call's id, which is enough to search for it. */
function call(id: string): string {
  return id.length <= 12 ? printable(id) : `${printable(id.slice(0, 8))}…`;
}

/** Numbers the asks of a story by their calls, in order. */
function numberAsks({ entries }: Pick<Story, 'entries'>): ReadonlyMap<string, number> {
  const calls = entries.filter(({ event }) => event === 'QuestionAsked').map((entry) => entry.causation_id);
  return new Map([...new Set(calls)].map((id, i) => [id, i + 1]));
}
