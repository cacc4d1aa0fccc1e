import { LOST_TEXT } from '../../../events/define.ts';
import { pipeline } from 'node:stream/promises';
import { readSettings } from '../../composition/settings.ts';
import { openLink } from '../link.ts';
import { standardOutput, type Terminal, painter, printable, wrap, type Style } from '../terminal.ts';
import { type FeedbackFilters, readFeedback, type Interaction } from './read-feedback.ts';
import { toJsonArray } from './export-formats.ts';
import { untilInterrupted } from './interrupt.ts';

/** `beleg feedback list`: prints the matching answers with their feedback. */
export async function listFeedback(options: FeedbackFilters & { json?: true }): Promise<void> {
  await untilInterrupted(async (signal) => {
    await using link = await openLink(readSettings(process.env));
    const interactions = readFeedback(link, options);
    const chunks = options.json
      ? toJsonArray(interactions)
      : toBlocks(interactions, standardOutput(), options);
    await pipeline(chunks, process.stdout, { end: false, signal });
  });
}

/** Answers as blocks for people, separated by an empty line. Remarks about the list go to `remark`. */
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

/** The most lines of an answer; `beleg audit show` shows all. */
const ANSWER_LINES = 3;

const RATED = {
  up: ['green', '▲ up'],
  down: ['red', '▼ down'],
  none: ['dim', '· not rated'],
} as const satisfies Record<string, readonly [Style, string]>;

/** One answer and its feedback, as lines for a person. */
export function formatInteraction(one: Interaction, terminal: Terminal): string {
  const width = Math.min(Math.max(terminal.columns, 40), 120);
  const paint = painter(terminal);
  const notThere = one.text_lost === true ? LOST_TEXT : '(not recorded)';
  const gone = one.erased_at === null ? notThere : `(erased ${time(one.erased_at)})`;
  const field = (label: string, text: string | null, lines = Infinity): string => {
    const name = `  ${label}`.padEnd(12);
    const room = width - name.length;
    const body = lined(text ?? gone, room, lines).join(`\n${' '.repeat(name.length)}`);
    return `${paint('dim', name)}${text === null ? paint('dim', body) : body}`;
  };
  const [style, rated] = RATED[one.rating?.rating ?? 'none'];
  const { comments_omitted: omitted = 0 } = one;
  return [
    `${paint('bold', time(one.at))}  ${paint(style, rated)}  ${one.status}  ${paint('dim', printable(one.request_id))}`,
    field('question', one.question),
    field('answer', one.answer, ANSWER_LINES),
    // A missing feedback is `null`, and so is an erased one.
    ...(one.rating === null || one.rating.feedback === null ? [] : [field('feedback', one.rating.feedback)]),
    ...(omitted === 0 ? [] : [field('comments', `${omitted} older comments are not shown`)]),
    ...one.comments.map(({ comment_id, at, comment }) =>
      field('comment', `#${comment_id} ${time(at)}  ${comment ?? gone}`),
    ),
  ].join('\n');
}

/** The time in UTC, to the second. */
function time(at: string): string {
  return `${at.slice(0, 19).replace('T', ' ')}Z`;
}

function lined(text: string, width: number, most: number): string[] {
  // One column is left free for the sign that there is more.
  const lines = wrap(printable(text).replaceAll(/ +/g, ' ').trim(), width - 1);
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), `${lines[most - 1]!}…`];
}
