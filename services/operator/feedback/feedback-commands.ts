import { InvalidArgumentError, Option, type Command } from 'commander';
import { commandsOf, loaded, parseMoment } from '../command-line.ts';

function words(value: string): string {
  const trimmed = value.trim();
  if (trimmed === '' || trimmed.length > 200) throw new InvalidArgumentError('must be 1 to 200 characters');
  return trimmed;
}

function narrow(command: Command): Command {
  return command
    .addOption(
      new Option('--rating <rating>', 'only answers with this rating').choices(['up', 'down', 'none']),
    )
    .addOption(
      new Option('--status <status>', 'only answers with this status').choices([
        'answered',
        'refused',
        'uncertain',
      ]),
    )
    .option('--from <time>', 'answered from this time on; a date begins at midnight in UTC', parseMoment)
    .option('--to <time>', 'answered before this time', parseMoment)
    .option('--text <words>', 'only where question, answer, feedback or a comment contain this', words);
}

/** Commands, options and help texts of `beleg feedback …`. */
export function addFeedbackCommands(feedback: Command): void {
  const command = commandsOf(feedback);
  narrow(command('list', 'list questions, answers, ratings and comments, newest first'))
    .option('--all', 'include answers without rating or comment')
    .option('--json', 'print them in full, as JSON')
    .action(loaded(async () => (await import('./list-feedback.ts')).listFeedback));
  narrow(command('export', 'write questions, answers, ratings and comments to a file or to standard output'))
    .addOption(new Option('--format <format>', 'format of the file').choices(['csv', 'json']).default('csv'))
    .addOption(
      new Option('--separator <separator>', 'what stands between the cells of CSV; Excel in German reads `;`')
        .choices([',', ';'])
        .default(','),
    )
    .option('--out <file>', 'file to write; it must not exist yet; default: standard output')
    .option('--all', 'include answers without rating or comment')
    .addHelpText(
      'after',
      `
CSV is RFC 4180 in UTF-8 with a byte order mark, one row per answer. A cell that begins with
= + - @, a tab or a line break gets an apostrophe in front, so that a spreadsheet does not run it as a formula.`,
    )
    .action(loaded(async () => (await import('./export-feedback.ts')).exportFeedback));
}
