import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseMoment } from '../option-values.ts';
import type { exportFeedback } from './export.ts';
import type { listFeedback } from './list.ts';

function words(value: string): string {
  const trimmed = value.trim();
  if (trimmed === '' || trimmed.length > 200) throw new InvalidArgumentError('must be 1 to 200 characters');
  return trimmed;
}

function narrow(command: Command): Command {
  return command
    .addOption(new Option('--rating <rating>', 'only answers rated so').choices(['up', 'down', 'none']))
    .addOption(
      new Option('--status <status>', 'only such answers').choices(['answered', 'refused', 'uncertain']),
    )
    .option('--from <time>', 'answered from this time on', parseMoment)
    .option('--to <time>', 'answered before this time', parseMoment)
    .option('--text <words>', 'with this in the question, the answer, the feedback or a comment', words);
}

/** `beleg feedback …`. */
export function addFeedbackCommands(feedback: Command): void {
  narrow(feedback.command('list'))
    .description('questions, answers, ratings and comments, newest first')
    .option('--all', 'also answers that nobody rated or commented')
    .option('--json', 'print them as JSON, whole')
    .action(async (...given: Parameters<typeof listFeedback>) =>
      (await import('./list.ts')).listFeedback(...given),
    );
  narrow(feedback.command('export'))
    .description('write them to a file, or to standard output')
    .addOption(new Option('--format <format>').choices(['csv', 'json']).default('csv'))
    .option('--out <file>', 'a file that does not exist yet; default: standard output')
    .option('--all', 'also answers that nobody rated or commented')
    .addHelpText(
      'after',
      `
CSV is RFC 4180 in UTF-8 with a byte order mark, separated by commas, one row an answer. A cell that begins with
= + - @, a tab or a line break gets an apostrophe before it, so that no spreadsheet runs what people wrote.`,
    )
    .action(async (...given: Parameters<typeof exportFeedback>) =>
      (await import('./export.ts')).exportFeedback(...given),
    );
}
