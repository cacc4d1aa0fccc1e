import type { z } from 'zod';
import type { Codec } from '../../../events/define.ts';
import type { Story as StorySchema } from '../../../events/messages/audit.ts';
import type { RecordReader } from '../../../events/store/store.ts';
import { BelegError } from '../../../events/errors.ts';

export type Story = z.output<typeof StorySchema>;

/** Where stories are read from. Free text is opened by the codec, where its keys are at hand. */
export interface StorySource {
  readonly store: RecordReader;
  readonly codec: Pick<Codec, 'decode'>;
}

/**
 * All that is on record about one request, order, run of training, update of market data or reindex, in the order it
 * happened, with its machine and the way it took.
 *
 * @throws {BelegError} `UNKNOWN_REQUEST_ID` where nothing is on record under this id.
 */
export async function tellStory(_source: StorySource, _id: string): Promise<Story> {
  throw new BelegError('UNKNOWN_REQUEST_ID');
}
