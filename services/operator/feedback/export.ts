import { pipeline } from 'node:stream/promises';
import { Presets, SingleBar } from 'cli-progress';
import { readSettings } from '../../config.ts';
import { count } from '../failure.ts';
import { openLink } from '../link.ts';
import type { FeedbackFilters } from './filters.ts';
import { toCsv, toJson } from './formats.ts';
import { untilInterrupted } from './interrupt.ts';
import { writeNewFile } from './new-file.ts';
import { readFeedback, type Interaction } from './read.ts';

/** `beleg feedback export`. */
export async function exportFeedback(
  options: FeedbackFilters & { format: 'csv' | 'json'; out?: string },
): Promise<void> {
  const { out } = options;
  await untilInterrupted(async (signal) => {
    const link = await openLink(readSettings(process.env));
    // Beside data on the same terminal it would only be in the way.
    const bar = out === undefined && process.stdout.isTTY ? null : startBar();
    let answers = 0;
    async function* counted(): AsyncGenerator<Interaction> {
      for await (const one of readFeedback(link, options)) {
        bar?.update(++answers);
        yield one;
      }
    }
    const chunks = options.format === 'csv' ? toCsv(counted()) : toJson(counted());
    try {
      if (out === undefined) await pipeline(chunks, process.stdout, { end: false, signal });
      else await writeNewFile(out, chunks, signal);
    } finally {
      bar?.stop();
      await link.close();
    }
    if (out !== undefined) console.error(`beleg: ${count(answers, 'answer')} in ${out}`);
  });
}

/** On a terminal alone: the package looks for one. */
function startBar(): SingleBar {
  const bar = new SingleBar({ format: 'reading: {value}', clearOnComplete: true }, Presets.rect);
  bar.start(0, 0);
  return bar;
}
