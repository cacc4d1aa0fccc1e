import type { StoryEntry } from '../../../audit/story/plot.ts';
import { Facts } from './event-facts.ts';
import { printable } from '../../terminal.ts';
import { plain, type Describe, type Words } from './tones.ts';
import { ASK_WORDS } from './words-ask.ts';
import { ORDER_WORDS } from './words-order.ts';
import { RUN_WORDS } from './words-runs.ts';

const WORDS: ReadonlyMap<string, Describe> = new Map(
  Object.entries({ ...ASK_WORDS, ...ORDER_WORDS, ...RUN_WORDS }),
);

export function wordsOf(entry: StoryEntry): Words {
  const facts = new Facts(entry.data);
  const words = WORDS.get(entry.event);
  if (words === undefined) return plain(printable(entry.event), facts.all);
  if (typeof words === 'function') return words(facts, entry);
  const { title, details, tone } = words;
  return { title: facts.say(title), details: details.map((detail) => facts.say(detail)), tone };
}
