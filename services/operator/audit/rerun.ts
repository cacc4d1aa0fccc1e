import { readSettings } from '../../config.ts';
import type { OpenRecord } from '../../record.ts';
import { openRecord } from '../../runtime.ts';
import { EXIT } from '../failure.ts';
import { toJson } from '../../json.ts';
import { openPipeline } from '../pipeline.ts';
import { startProgressBar } from '../progress-bar.ts';
import { standardOutput } from '../terminal.ts';
import { differs } from './rerun/compare.ts';
import { readAsks, readAsksOf, type AskSelection, type RecordedAsk } from './rerun/recorded-asks.ts';
import { formatRerun, formatSummary } from './rerun/report.ts';
import { rerunAsks } from './rerun/rerun-asks.ts';
import { Tally } from './rerun/summary.ts';

export interface RerunOptions extends AskSelection {
  readonly limit?: number;
  readonly kb?: string;
  readonly json?: true;
}

/**
 * `beleg audit rerun`: exits with 1 where anything differs, else with 5 where nothing is on record under an id. Nothing of
 * it is recorded.
 */
export async function rerun(requestIds: readonly string[], options: RerunOptions): Promise<void> {
  const settings = readSettings({
    ...process.env,
    ...(options.kb === undefined ? {} : { PV_KB_PATH: options.kb }),
  });
  const terminal = standardOutput();
  const bar = startProgressBar('asking again', { of: 'questions', shown: !process.stdout.isTTY });
  let asked = 0;
  const tally = new Tally();
  const record = await openRecord(settings);
  try {
    // What was reviewed can be reviewed again, whatever is offered to clients now.
    const pipeline = await openPipeline(settings, { reviewMode: true });
    try {
      const asks = first(options.limit ?? Infinity, select(record, requestIds, options));
      for await (const result of rerunAsks(asks, (request) => pipeline.answer(request))) {
        tally.add(result);
        bar.update(++asked, null);
        const different = result.comparison !== null && differs(result.comparison);
        if (options.json) console.log(toJson({ ...result, different }));
        else if (different) console.log(`${formatRerun(result, terminal)}\n`);
      }
    } finally {
      bar.stop();
      await pipeline.close();
    }
  } finally {
    await record.close();
  }
  const { summary } = tally;
  console.log(options.json ? toJson({ summary }) : formatSummary(summary, terminal));
  if (summary.different > 0) process.exitCode = EXIT.failure;
}

async function* select(
  record: OpenRecord,
  requestIds: readonly string[],
  options: RerunOptions,
): AsyncGenerator<RecordedAsk> {
  if (requestIds.length === 0) yield* readAsks(record, options);
  for (const id of requestIds) {
    let found = false;
    for await (const ask of readAsksOf(record, id)) {
      found = true;
      yield ask;
    }
    if (found) continue;
    console.error(`beleg: no question is recorded under ${id}`);
    process.exitCode = EXIT.notFound;
  }
}

async function* first<T>(limit: number, items: AsyncIterable<T>): AsyncGenerator<T> {
  let left = limit;
  if (left <= 0) return;
  for await (const item of items) {
    yield item;
    if (--left <= 0) return;
  }
}
