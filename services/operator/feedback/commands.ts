import { InvalidArgumentError, Option, type Command } from 'commander';
import type { exportFeedback } from './export.ts';
import type { listFeedback } from './list.ts';

function moment(value: string): string {
  if (Number.isNaN(Date.parse(value))) throw new InvalidArgumentError('must be a date or a time');
  return new Date(value).toISOString();
}

function narrow(command: Command): Command {
  return command
    .addOption(new Option('--rating <rating>', 'only answers rated so').choices(['up', 'down', 'none']))
    .addOption(
      new Option('--status <status>', 'only such answers').choices(['answered', 'refused', 'uncertain']),
    )
    .option('--from <time>', 'answered from this time on', moment)
    .option('--to <time>', 'answered before this time', moment)
    .option('--text <words>', 'with these words in question, answer, feedback or comment');
}

/** `beleg feedback …`. */
export function addFeedbackCommands(feedback: Command): void {
  narrow(feedback.command('list'))
    .description('questions, answers, ratings and comments, newest first')
    .option('--all', 'also answers that nobody rated or commented')
    .option('--json', 'print them as JSON')
    .action(async (...given: Parameters<typeof listFeedback>) =>
      (await import('./list.ts')).listFeedback(...given),
    );
  narrow(feedback.command('export'))
    .description('write them to a file, or to standard output')
    .addOption(new Option('--format <format>').choices(['csv', 'json']).default('csv'))
    .option('--out <file>', 'default: standard output')
    .option('--all', 'also answers that nobody rated or commented')
    .action(async (...given: Parameters<typeof exportFeedback>) =>
      (await import('./export.ts')).exportFeedback(...given),
    );
}
