import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { program } from '../services/operator/program.ts';

const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;

const choices = (values: readonly string[] | undefined): string =>
  values === undefined ? '' : `: ${values.map((value) => `\`${value}\``).join(', ')}`;

function sectionsOf(command: Command, path: string): string[] {
  const below = command.commands.flatMap((each) => sectionsOf(each, `${path} ${each.name()}`));
  // A command that only groups others does nothing by itself.
  if (below.length > 0 && command.options.every((option) => command === program || option.hidden))
    return below;
  const given = [
    ...command.registeredArguments.map((argument) =>
      row(
        argument.required ? `\`<${argument.name()}>\`` : `\`[${argument.name()}]\``,
        argument.description + choices(argument.argChoices),
      ),
    ),
    ...command.options.map((option) =>
      row(
        `\`${option.flags}\``,
        option.description +
          choices(option.argChoices) +
          (option.mandatory ? ' (required)' : '') +
          (option.defaultValue === undefined ? '' : ` (default: \`${String(option.defaultValue)}\`)`),
      ),
    ),
  ];
  return [
    `## ${path}`,
    '',
    `${command.description().replace(/^./, (first) => first.toUpperCase())}.`,
    '',
    ...(given.length === 0 ? [] : ['| Argument | Meaning |', '|---|---|', ...given, '']),
    ...below,
  ];
}

// `vitest run docs/commands-page.test.ts --update` writes the page.
test('docs/commands.md has every command, with its arguments and options', async () => {
  const page = [
    '# Commands',
    '',
    '`npx beleg <command>` in the folder of the project. `npx beleg <command> --help` prints the same. The exit code is 0 where all is well, 1',
    'for a finding or a failure, 2 for wrong settings or options, 5 where nothing is on record under an id; `ask` has codes of its own.',
    '',
    ...sectionsOf(program, 'beleg'),
  ].join('\n');
  await expect(page).toMatchFileSnapshot('commands.md');
});
