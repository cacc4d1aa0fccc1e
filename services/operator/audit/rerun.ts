import { Presets, SingleBar } from 'cli-progress';
import { readSettings } from '../../config.ts';
import type { OpenRecord } from '../../record.ts';
import { openRecord } from '../../runtime.ts';
import { EXIT } from '../failure.ts';
import { openPipeline } from '../pipeline.ts';
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

/** `beleg audit rerun`: exits with 1 where anything differs. Nothing of it is recorded. */
export async function rerun(requestIds: readonly string[], options: RerunOptions): Promise<void> {
  const settings = readSettings({
    ...process.env,
    ...(options.kb === undefined ? {} : { PV_KB_PATH: options.kb }),
  });
  const { stdout } = process;
  const terminal = { columns: stdout.columns ?? 80, colour: stdout.isTTY && stdout.hasColors() };
  const showsBar = !stdout.isTTY;
  const bar = new SingleBar({ format: 'asking again: {value}', clearOnComplete: true }, Presets.rect);
  const tally = new Tally();
  const record = await openRecord(settings);
  try {
    // What was reviewed can be reviewed again, whatever is offered to clients now.
    const pipeline = await openPipeline(settings, { reviewMode: true });
    try {
      const asks = first(options.limit ?? Infinity, select(record, requestIds, options));
      if (showsBar) bar.start(0, 0);
      for await (const result of rerunAsks(asks, (request) => pipeline.answer(request))) {
        tally.add(result);
        if (showsBar) bar.increment();
        const different = result.comparison !== null && differs(result.comparison);
        if (options.json) console.log(JSON.stringify({ ...result, different }));
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
  console.log(options.json ? JSON.stringify({ summary }) : formatSummary(summary, terminal));
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
    if (!found) console.error(`beleg: no ask is on record under ${id}`);
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
