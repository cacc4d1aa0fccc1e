import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { walk } from './walk.ts';

const folder = mkdtempSync(join(tmpdir(), 'beleg-walk-'));
afterEach(() => rmSync(folder, { recursive: true }));

test('copies that programs make of a conflict between two places are left out by name', () => {
  const copies = [
    'Urlaub (Anna conflicted copy 2024-01-02).docx',
    'Urlaub (conflicted copy 2024-01-02 101112).md',
    'Urlaub (In Konflikt stehende Kopie von Anna 2024-01-02).md',
    'Urlaub (SFConflict anna@example.com 2024-01-02-10-11-12).md',
    'Urlaub.sync-conflict-20240102-101112-ABCDEF7.md',
    'Urlaub_conflict-20240102-101112.txt',
  ];
  const kept = ['Urlaub.md', 'Konflikte lösen (conflict management).md'];
  mkdirSync(folder, { recursive: true });
  for (const file of [...copies, ...kept]) writeFileSync(join(folder, file), 'Text.');
  const { found, unread } = walk(folder);
  expect(found.map(({ path }) => path)).toEqual(kept.toSorted());
  expect(unread.map(({ file }) => file)).toEqual(copies.toSorted());
});

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
