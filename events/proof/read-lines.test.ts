import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.suite.ts';
import { readLines } from './read-lines.ts';

async function linesIn(content: string): Promise<[string, boolean][]> {
  const folder = temporaryFolder();
  const path = join(folder, 'lines');
  writeFileSync(path, content);
  const lines = await Array.fromAsync(readLines(path));
  return lines.map(({ text, isEnded }) => [text, isEnded]);
}

test('a file without an end, an empty one, empty lines, and characters across chunks', async () => {
  expect(await linesIn('')).toEqual([]);
  expect(await linesIn('\n\na')).toEqual([
    ['', true],
    ['', true],
    ['a', false],
  ]);
  const long = `x${'ä'.repeat(200_000)}`;
  expect(await linesIn(`${long}\n${long}`)).toEqual([
    [long, true],
    [long, false],
  ]);
});

test('a line that is longer than any of ours is not taken into memory, and those after it are read', async () => {
  const endless = 'x'.repeat(5 * 1024 * 1024);
  expect(await linesIn(`a\n${endless}\nb\n${endless}`)).toEqual([
    ['a', true],
    ['', true],
    ['b', true],
    ['', false],
  ]);
});
