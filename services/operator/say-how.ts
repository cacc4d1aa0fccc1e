import type { Command } from 'commander';

/** Tasks without a command that people look for, and where they are documented. */
const WITHOUT_COMMAND: Readonly<Record<string, string>> = {
  backup:
    'A backup is a copy of files that belong together: docs/record.md, "Backup: which files belong together"',
  restore: 'Files of a backup are put back by hand: docs/record.md, "Backup: which files belong together"',
};

/** The hint below a command-line error: the usage of the command, or the command that was probably meant. */
export function sayHow(command: Command, error: string): string {
  const [, unknown] = /unknown command '([^']*)'/u.exec(error) ?? [];
  if (unknown === undefined) return `Usage: ${callOf(command)}\n`;
  const there = leavesOf(rootOf(command)).filter((each) => each.name() === unknown);
  const meant = there.map((each) => `There is: ${callOf(each)}`);
  const instead = Object.hasOwn(WITHOUT_COMMAND, unknown) ? [WITHOUT_COMMAND[unknown]!] : [];
  return [...meant, ...instead].map((line) => `${line}\n`).join('');
}

/** The call of a command with its required options. */
const callOf = (command: Command): string =>
  [
    pathOf(command),
    command.usage(),
    ...command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags),
  ].join(' ');

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
