import { isBelegError } from '../../../events/errors.ts';
import { readSettings } from '../../composition/settings.ts';
import { openRecord } from '../../composition/runtime.ts';
import { tellStory } from '../../audit/story/story.ts';
import { EXIT } from '../exit-codes.ts';
import { toJson } from '../../foundation/json.ts';
import { standardOutput } from '../terminal.ts';
import { formatStory } from './show/story-text.ts';

/** `beleg audit show`: the events of one request, order, training run, update or reindex. */
export async function show(id: string, { json }: { json?: true }): Promise<void> {
  await using record = await openRecord(readSettings(process.env));
  try {
    const story = await tellStory(record, id);
    console.log(json ? toJson(story, 2) : formatStory(story, standardOutput()));
  } catch (error) {
    if (!isBelegError(error, 'UNKNOWN_REQUEST_ID')) throw error;
    console.error(HINT);
    process.exitCode = EXIT.notFound;
  }
}

const HINT = `beleg: nothing is recorded under this id. It can be
  a request id       X-Request-ID of a question or of a reindex
  an order id        o- and 16 hexadecimal digits: GET /api/trading/orders
  a run of training  GET /api/models/status
  a market update    as POST /api/data/update answers`;
