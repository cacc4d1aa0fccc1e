import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { walk } from './walk.ts';

const folder = mkdtempSync(join(tmpdir(), 'beleg-walk-'));
afterEach(() => rmSync(folder, { recursive: true }));

test('folders in which a program keeps what nobody edits are passed over, at any depth', () => {
  const files = [
    'pages/Dienstreise.md',
    'logseq/bak/pages/Dienstreise/2026-01-01T10_00_00.000Z.Desktop.md',
    'notes/logseq/bak/old.md',
    'site/node_modules/tool/README.md',
    'logseq/custom.md',
    'bak/kept.md',
  ];
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), 'Das Tagegeld beträgt 28 Euro.');
  }
  expect(walk(folder).found.map(({ path }) => path)).toEqual([
    'bak/kept.md',
    'logseq/custom.md',
    'pages/Dienstreise.md',
  ]);
});
