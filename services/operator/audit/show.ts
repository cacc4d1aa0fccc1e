import { isBelegError } from '../../../events/errors.ts';
import { readSettings } from '../../config.ts';
import { openRecord } from '../../runtime.ts';
import { tellStory, type Story, type StorySource } from '../../audit/story/story.ts';
import { EXIT } from '../failure.ts';
import { toJson } from '../../json.ts';
import { standardOutput } from '../terminal.ts';
import { formatStory } from './show/story-text.ts';

/** `beleg audit show`: one request, order, run of training, update or reindex, event by event. */
export async function show(id: string, { json }: { json?: true }): Promise<void> {
  const record = await openRecord(readSettings(process.env));
  try {
    const story = await find(record, id);
    if (story === null) {
      console.error(HINT);
      process.exitCode = EXIT.notFound;
      return;
    }
    console.log(json ? toJson(story, 2) : formatStory(story, standardOutput()));
  } finally {
    await record.close();
  }
}

async function find(record: StorySource, id: string): Promise<Story | null> {
  try {
    return await tellStory(record, id);
  } catch (error) {
    if (isBelegError(error, 'UNKNOWN_REQUEST_ID')) return null;
    throw error;
  }
}

const HINT = `beleg: nothing is recorded under this id. It can be
  a request id       X-Request-ID of a question or of a reindex
  an order id        o- and 16 hexadecimal digits: GET /api/trading/orders
  a run of training  GET /api/models/status
  a market update    as POST /api/data/update answers`;
