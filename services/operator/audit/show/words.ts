import type { StoryEntry } from '../../../audit/story/story.ts';
import { Facts } from './facts.ts';
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
  return WORDS.get(entry.event)?.(facts, entry) ?? plain(printable(entry.event), facts.all);
}
