import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { program } from './program.ts';
import { sayHow } from './say-how.ts';

const unknown = (name: string): string => sayHow(program, `error: unknown command '${name}'\n`);

test.each([
  ['verify', 'There is: beleg audit verify [options]\n'],
  ['erase', 'There is: beleg audit erase [options] <request_ids...> --reason <text>\n'],
  ['rebuild', 'There is: beleg audit projections rebuild [options] <name>\n'],
])('who looks for %s is told which command it is', (name, expected) => {
  expect(unknown(name)).toContain(expected);
});

test.each(['backup', 'restore'])('who looks for %s is told where it is written how', async (name) => {
  const [, page = '', heading] = /(docs\/\S+\.md), "([^"]+)"/u.exec(unknown(name)) ?? [];
  const text = await readFile(new URL(`../../${page}`, import.meta.url), 'utf8');
  expect(text).toContain(`\n## ${heading}\n`);
});

test('of what nothing is like, nothing is said', () => {
  expect(unknown('nichts')).toBe('');
});

test('below an error of a command it is said how it is called', () => {
  const audit = program.commands.find((each) => each.name() === 'audit') as Command;
  const erase = audit.commands.find((each) => each.name() === 'erase') as Command;
  expect(sayHow(erase, "error: required option '--reason <text>' not specified\n")).toBe(
    'Usage: beleg audit erase [options] <request_ids...> --reason <text>\n',
  );
});
