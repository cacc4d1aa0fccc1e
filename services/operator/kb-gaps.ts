import { stringify } from 'yaml';
import { formatFault } from '../../kb/base/faults.ts';
import { loadKnowledgeBase } from '../../kb/base/load.ts';
import { readSettings, type Settings } from '../composition/settings.ts';
import { toJson } from '../foundation/json.ts';
import { openRecord } from '../composition/runtime.ts';
import { linesToAdd, type Lines } from './gaps/lines-to-add.ts';
import { groupGaps, type Gaps, type Topic } from './gaps/group-topics.ts';
import { readAnswers, type Answered, type AnswerSelection, type Reason } from './gaps/read-answers.ts';
import { standardOutput, painter, printable, type Terminal } from './terminal.ts';
import { grouped } from './number-format.ts';

/** `beleg kb gaps`: questions that the base answered badly or not at all; `--asked`: lines for front matter. */
export async function kbGaps({
  asked,
  json,
  ...selection
}: AnswerSelection & { asked?: true; json?: true }): Promise<void> {
  const settings = readSettings(process.env);
  const answers = await read(settings, selection);
  if (asked === undefined) {
    const gaps = groupGaps(answers);
    console.log(json ? toJson(gaps, 2) : formatGaps(gaps, standardOutput()));
    return;
  }
  const { sources, files } = await loadKnowledgeBase(settings.kbPath);
  for (const fault of files.leftOut) console.error(`beleg: left out: ${printable(formatFault(fault))}`);
  const lines = linesToAdd(answers, sources);
  if (json) console.log(toJson(Object.fromEntries(lines), 2));
  else if (lines.size > 0) console.log(formatLines(lines).trimEnd());
  else console.error('beleg: the feedback on these questions does not say which source was meant');
}

async function read(settings: Settings, selection: AnswerSelection): Promise<Answered[]> {
  await using record = await openRecord(settings);
  return await readAnswers(record, selection);
}

const REASONS: Readonly<Record<Reason, string>> = {
  refused: 'refused',
  rated_down: 'rated down',
  low_relevance: 'answered with low relevance',
};

/** The topics for a person, after a line with the figures. */
export function formatGaps(
  { answers, gaps, reasons, without_text, topics }: Gaps,
  terminal: Terminal,
): string {
  const of = gaps === 0 ? '' : `: ${reasonsOf(reasons)}`;
  const gone =
    without_text === 0
      ? ''
      : `; ${grouped(without_text)} without text, because it was erased or not recorded`;
  const head = `${grouped(gaps)} of ${grouped(answers)} answers show a gap${of}${gone}`;
  return [head, ...topics.map((topic) => formatTopic(topic, terminal))].join('\n\n');
}

function formatTopic({ topic, count, reasons, nearest, examples }: Topic, terminal: Terminal): string {
  const paint = painter(terminal);
  const near = nearest.map((source) => `${source.id} (${source.count})`).join(', ');
  return [
    `${paint('bold', printable(topic ?? '(other topics, one question each)'))}  ${count}: ${reasonsOf(reasons)}`,
    ...examples.map(
      ({ question, request_id }) => `  “${printable(question)}”  ${paint('dim', printable(request_id))}`,
    ),
    ...(near === '' ? [] : [paint('dim', `  nearest: ${near}`)]),
  ].join('\n');
}

function reasonsOf(counts: Readonly<Record<Reason, number>>): string {
  return (Object.entries(REASONS) as [Reason, string][])
    .filter(([reason]) => counts[reason] > 0)
    .map(([reason, words]) => `${grouped(counts[reason])} ${words}`)
    .join(', ');
}

/** The lines in the form of front matter, below the id of their source. */
export function formatLines(lines: ReadonlyMap<string, Lines>): string {
  return [...lines]
    .map(([id, { asked, unanswered }]) => {
      const matter = { asked: asked?.map(printable), unanswered: unanswered?.map(printable) };
      return `# ${id}\n${stringify(matter, { lineWidth: 0 })}`;
    })
    .join('\n');
}
