import { pipeline } from 'node:stream/promises';
import { readSettings } from '../../composition/settings.ts';
import { count } from '../number-format.ts';
import { openLink } from '../link.ts';
import { startProgressBar } from '../progress-bar.ts';
import { type FeedbackFilters, readFeedback, type Interaction } from './read-feedback.ts';
import { toCsv, toJsonArray, type Separator } from './export-formats.ts';
import { untilInterrupted } from './interrupt.ts';
import { writeNewFile } from '../new-file.ts';

/**
 * `beleg feedback export`: writes the matching answers with their feedback as CSV or JSON, into a new file or to
 * standard output.
 */
export async function exportFeedback(
  options: FeedbackFilters & { format: 'csv' | 'json'; separator: Separator; out?: string },
): Promise<void> {
  const { out } = options;
  await untilInterrupted(async (signal) => {
    await using link = await openLink(readSettings(process.env));
    // On the terminal that shows the data a progress bar would be in the way.
    const shown = out !== undefined || !process.stdout.isTTY;
    using bar = startProgressBar('reading', { of: 'answers', shown });
    let answers = 0;
    async function* counted(): AsyncGenerator<Interaction> {
      for await (const one of readFeedback(link, options)) {
        bar.update(++answers, null);
        yield one;
      }
    }
    const chunks = options.format === 'csv' ? toCsv(counted(), options.separator) : toJsonArray(counted());
    if (out === undefined) await pipeline(chunks, process.stdout, { end: false, signal });
    else await writeNewFile(out, chunks, signal);
    bar.stop();
    if (out !== undefined) console.error(`beleg: ${count(answers, 'answer')} in ${out}`);
  });
}
