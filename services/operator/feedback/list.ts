import { pipeline } from 'node:stream/promises';
import { readSettings } from '../../config.ts';
import { openLink } from '../link.ts';
import { standardOutput, type Terminal } from '../terminal.ts';
import { formatInteraction } from './blocks.ts';
import type { FeedbackFilters } from './filters.ts';
import { toJsonArray } from './formats.ts';
import { untilInterrupted } from './interrupt.ts';
import { readFeedback, type Interaction } from './read.ts';

/** `beleg feedback list`. */
export async function listFeedback(options: FeedbackFilters & { json?: true }): Promise<void> {
  await untilInterrupted(async (signal) => {
    const link = await openLink(readSettings(process.env));
    try {
      const interactions = readFeedback(link, options);
      const chunks = options.json
        ? toJsonArray(interactions)
        : toBlocks(interactions, standardOutput(), options);
      await pipeline(chunks, process.stdout, { end: false, signal });
    } finally {
      await link.close();
    }
  });
}

/** As blocks for a person, an empty line between two. What is no answer goes to `remark`. */
export async function* toBlocks(
  interactions: AsyncIterable<Interaction>,
  terminal: Terminal,
  { all }: FeedbackFilters,
  remark: (text: string) => void = console.error,
): AsyncGenerator<string> {
  let told = 0;
  for await (const one of interactions) {
    yield `${told++ === 0 ? '' : '\n'}${formatInteraction(one, terminal)}\n`;
  }
  const others = all === undefined ? '; --all also lists answers without a rating or comment' : '';
  if (told === 0) remark(`beleg: no answers match${others}`);
}
