import { settingsOn } from '../settings-with-options.ts';
import type { OpenRecord } from '../../foundation/record.ts';
import { openRecord } from '../../composition/runtime.ts';
import { EXIT } from '../exit-codes.ts';
import { toJson } from '../../foundation/json.ts';
import { openPipeline } from '../ask-pipeline.ts';
import { startProgressBar } from '../progress-bar.ts';
import { standardOutput, cut, painter, printable, type Paint, type Terminal } from '../terminal.ts';
import { readAsks, readAsksOf, type AskSelection, type RecordedAsk } from './rerun/recorded-asks.ts';
import { rerunAsks, summarize, type Rerun, type RerunSummary } from './rerun/rerun-asks.ts';
import { count } from '../number-format.ts';

interface RerunOptions extends AskSelection {
  readonly limit?: number;
  readonly kb?: string;
  readonly json?: true;
}

/**
 * `beleg audit rerun`: asks recorded questions again, and records nothing. Exits with 1 if an answer differs, else with
 * 5 if an id has nothing on record.
 */
export async function rerun(requestIds: readonly string[], options: RerunOptions): Promise<void> {
  const settings = settingsOn(options.kb);
  const terminal = standardOutput();
  const reruns: Rerun[] = [];
  await using record = await openRecord(settings);
  // Review mode is on, so that recorded reviews can be repeated even if clients cannot send them now.
  await using pipeline = await openPipeline(settings, { reviewMode: true });
  using bar = startProgressBar('asking again', { of: 'questions', shown: !process.stdout.isTTY });
  const asks = first(options.limit ?? Infinity, select(record, requestIds, options));
  for await (const result of rerunAsks(asks, (request) => pipeline.answer(request))) {
    bar.update(reruns.push(result), null);
    if (options.json) console.log(toJson(result));
    else if (result.different) console.log(`${formatRerun(result, terminal)}\n`);
  }
  bar.stop();
  const summary = summarize(reruns);
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

/** The differences of one ask; empty if there are none. */
export function formatRerun(
  { request_id, at, question, before, after, comparison, different }: Rerun,
  to: Terminal,
): string {
  if (after === null || comparison === null || !different) return '';
  const paint = painter(to);
  const statuses =
    before.status === after.status
      ? after.status
      : `${before.status} → ${paint('yellow', after.status)}${after.code === null ? '' : ` (${after.code})`}`;
  const citations = [
    ...comparison.removed.map((id) => paint('red', `-[${id}]`)),
    ...comparison.added.map((id) => paint('green', `+[${id}]`)),
  ];
  return [
    `${paint('bold', request_id)} ${paint('dim', at)} ${statuses}`,
    `  ${cut(oneLine(question ?? ''), to.columns - 2)}`,
    ...(citations.length === 0 ? [] : [`  ${citations.join(' ')}`]),
    ...(comparison.text ? textDifference(before.answer ?? '', after.answer ?? '', to, paint) : []),
  ].join('\n');
}

export function formatSummary(summary: RerunSummary, to: Terminal): string {
  const paint = painter(to);
  const { asked, same, different, skipped, statuses, citations_changed, text_changed, latency_ms } = summary;
  const rows: [string, string][] = [
    ['the same', `${same}`],
    ['different', `${different}`],
    ['  different citations', `${citations_changed}`],
    ['  different text', `${text_changed}`],
    ...statuses.map(({ before, after, asks }): [string, string] => [
      before === after ? before : `${before} → ${after}`,
      `${asks}`,
    ]),
    ['median latency', `${latency_ms.before ?? '-'} → ${latency_ms.after ?? '-'} ms`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    paint('bold', `${count(asked, 'question')} asked again`),
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    ...(skipped === 0
      ? []
      : [`  ${count(skipped, 'ask')} skipped, because the text was redacted, erased or cannot be decrypted`]),
  ].join('\n');
}

/** The number of equal characters that are shown before the first difference. */
const LEAD = 20;

/** Shows both texts from shortly before their first difference. */
function textDifference(before: string, after: string, { columns }: Terminal, paint: Paint): string[] {
  const [old, present] = [oneLine(before), oneLine(after)];
  let parting = 0;
  while (parting < old.length && old[parting] === present[parting]) parting++;
  const from = Math.max(0, parting - LEAD);
  const show = (text: string) => cut(from === 0 ? text : `…${text.slice(from)}`, columns - 4);
  return [paint('red', `  - ${show(old)}`), paint('green', `  + ${show(present)}`)];
}

function oneLine(text: string): string {
  return printable(text).replaceAll(/ {2,}/gu, ' ');
}
