import type { Story, StoryEntry } from '../../../audit/story/story.ts';
import { printable } from '../../terminal.ts';

/** Who or what an event goes back to, in words. */
export function causeOf(entry: StoryEntry, { id, kind }: Pick<Story, 'id' | 'kind'>): string {
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

/** Enough of a call's id to find it again. */
function call(id: string): string {
  return id.length <= 12 ? printable(id) : `${printable(id.slice(0, 8))}…`;
}

/** The asks of a story, by the calls that they came with, in their order. */
export function numberAsks({ entries }: Pick<Story, 'entries'>): ReadonlyMap<string, number> {
  const calls = entries.filter(({ event }) => event === 'QuestionAsked').map((entry) => entry.causation_id);
  return new Map([...new Set(calls)].map((id, i) => [id, i + 1]));
}
