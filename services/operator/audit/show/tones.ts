import type { StoryEntry } from '../../../audit/story/plot.ts';
import type { Facts } from './event-facts.ts';

/** An event in words. */
export interface Words {
  readonly title: string;
  /** Empty details are left out. */
  readonly details: readonly string[];
  readonly tone: 'plain' | 'good' | 'bad';
}

/** Templates (see `Facts.say`), or a function if the words depend on the event. */
export type Describe = Words | ((facts: Facts, entry: StoryEntry) => Words);

export const plain = (title: string, ...details: string[]): Words => ({ title, details, tone: 'plain' });
export const good = (title: string, ...details: string[]): Words => ({ title, details, tone: 'good' });
export const bad = (title: string, ...details: string[]): Words => ({ title, details, tone: 'bad' });
