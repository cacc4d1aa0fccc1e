import { settingsOn } from '../settings-with-options.ts';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Ask, type AskResponse } from '../../../events/messages/knowledge.ts';
import type { Source } from '../../../kb/source.ts';
import { openRecord } from '../../composition/runtime.ts';
import { readSettings } from '../../composition/settings.ts';
import { toJson } from '../../foundation/json.ts';
import { openPipeline } from '../ask-pipeline.ts';
import { messageOf, UsageError } from '../report-failure.ts';
import { EXIT } from '../exit-codes.ts';
import { readAnswers } from '../gaps/read-answers.ts';
import { writeNewFile } from '../new-file.ts';
import { count } from '../number-format.ts';
import { startProgressBar } from '../progress-bar.ts';
import { painter, printable, standardOutput, type Terminal } from '../terminal.ts';
import { checkAnswer, type Outcome } from './check-answer.ts';
import { readExpectations, type Expectation } from './expectation.ts';
import { beginFromFeedback } from './from-feedback.ts';

interface Options {
  readonly kb?: string;
  readonly fromFeedback?: true;
  readonly out?: string;
  readonly json?: true;
}

/** Rejects a file that cannot be read, because a script must be able to tell a wrong path from a failed expectation. */
function unreadable(error: unknown): never {
  throw new UsageError(messageOf(error));
}

/** `beleg kb test FILE`: shows which questions are answered as expected, and which no longer are. */
export async function kbTest(
  file: string | undefined,
  { kb, fromFeedback, out, json }: Options,
): Promise<void> {
  if (fromFeedback) {
    if (file !== undefined) throw new UsageError('either a file or --from-feedback');
    await begin(out);
    return;
  }
  if (file === undefined) throw new UsageError('name a file of questions, or give --from-feedback');
  if (out !== undefined) throw new UsageError('--out goes with --from-feedback');
  const expectations = readExpectations(await readFile(file).catch(unreadable), file);
  if (expectations.length === 0) throw new UsageError(`${file} has no questions`);
  const settings = settingsOn(kb);
  await using pipeline = await openPipeline(settings, { reviewMode: false });
  using bar = startProgressBar('asking', { of: 'questions' });
  const outcomes = await testBase(expectations, pipeline, bar.update);
  bar.stop();
  console.log(json ? toJson(summaryOf(outcomes), 2) : formatOutcomes(outcomes, standardOutput()));
  if (outcomes.some(({ result }) => result === 'fell')) process.exitCode = EXIT.failure;
}

interface Base {
  readonly sources: readonly Pick<Source, 'id' | 'path'>[];
  readonly answer: (request: ReturnType<typeof Ask.request.parse>) => Promise<AskResponse>;
}

/** Asks the questions one after the other. */
export async function testBase(
  expectations: readonly Expectation[],
  { sources, answer }: Base,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const expectation of expectations) {
    const request_id = randomUUID();
    const request = Ask.request.safeParse({ request_id, question: expectation.question });
    if (!request.success)
      throw new UsageError(
        `not a question: ${expectation.question.slice(0, 80)} (${expectation.question.length} characters)`,
      );
    outcomes.push(checkAnswer(expectation, await answer(request.data), sources));
    onProgress(outcomes.length, expectations.length);
  }
  return outcomes;
}

const numberOf = (outcomes: readonly Outcome[], result: Outcome['result']): number =>
  outcomes.filter((outcome) => outcome.result === result).length;

function summaryOf(outcomes: readonly Outcome[]) {
  return {
    questions: outcomes.length,
    held: numberOf(outcomes, 'held'),
    fell: numberOf(outcomes, 'fell'),
    open: numberOf(outcomes, 'open'),
    results: outcomes,
  };
}

/** The results for a person: what failed and why, what has no expectation, then the figures. */
export function formatOutcomes(outcomes: readonly Outcome[], terminal: Terminal): string {
  const paint = painter(terminal);
  const fell = outcomes.filter(({ result }) => result === 'fell');
  const open = outcomes.filter(({ result }) => result === 'open');
  const { held } = summaryOf(outcomes);
  return [
    ...fell.flatMap(({ question, why }) => [
      `${paint('red', '✗')} ${printable(question)}`,
      ...why.map((reason) => paint('dim', `    ${printable(reason)}`)),
    ]),
    ...open.map(
      ({ question, status, citations }) =>
        `${paint('yellow', '?')} ${printable(question)}\n${paint('dim', `    nothing is expected yet; now: ${status === 'refused' ? 'refused' : citations.join(', ')}`)}`,
    ),
    `${held} of ${count(outcomes.length, 'question')} hold, ${fell.length} fell${open.length === 0 ? '' : `, ${open.length} without an expectation`}`,
  ].join('\n');
}

/** `beleg kb test --from-feedback`: writes a draft. */
async function begin(out: string | undefined): Promise<void> {
  await using record = await openRecord(readSettings(process.env));
  const { csv, expected, open, leftOut } = beginFromFeedback(await readAnswers(record, {}));
  if (out === undefined) process.stdout.write(csv);
  else await writeNewFile(out, csv);
  const gone = leftOut === 0 ? '' : `; ${leftOut} left out, with personal data or without text`;
  console.error(
    `beleg: ${count(expected, 'question')} with what is expected, ${open} for you to fill in${gone}`,
  );
}
