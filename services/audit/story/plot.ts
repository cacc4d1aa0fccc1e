import type { z } from 'zod';
import type { Codec } from '../../../events/define.ts';
import type { Story as StorySchema } from '../../../events/messages/audit.ts';
import type { RecordReader } from '../../../events/store/store.ts';
import type { Timeline } from './timeline.ts';
import type { Walk } from './machine-walk.ts';

export type Story = z.output<typeof StorySchema>;

export type StoryEntry = Story['entries'][number];

/** The source of stories. The codec decrypts free text if its keys are at hand. */
export interface StorySource {
  readonly store: RecordReader;
  readonly codec: Pick<Codec, 'decode'>;
}

/** The material of a story: events from several streams, and the path through its machine. */
export interface Plot {
  readonly kind: Story['kind'];
  readonly walk: Walk;
  readonly parts: readonly Timeline[];
}
