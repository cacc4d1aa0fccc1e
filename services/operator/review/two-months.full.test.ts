import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadKnowledgeBase } from '../../../kb/base/load.ts';
import { randomOf, slipInRun, type OneRun, type Slip } from '../../../kb/review/right-slips.suite.ts';
import { checkRun } from './run.ts';
import { reportText } from './report-text.ts';

const base = await loadKnowledgeBase(fileURLToPath(new URL('../../../kb/corpus', import.meta.url)));
const SEED = 46_000;
const PEOPLE = 300;
/** The law changes between these months: ceilings, the surcharge for childless people, the insolvency levy. */
const LAST: OneRun = { year: 2021, month: 12 };
const NOW: OneRun = { year: 2022, month: 1 };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beleg-two-months-'));
});
afterEach(() => rm(folder, { recursive: true }));

const people = (run: OneRun): Slip[] =>
  Array.from({ length: PEOPLE }, (_, at) => slipInRun(randomOf(SEED + at), run));

/** Writes a run as payroll programs do: a column for each kind of pay, empty if a person has none. */
async function fileOf(name: string, slips: readonly Slip[]): Promise<string> {
  const columns = [...new Set(slips.flatMap(({ facts }) => facts.map(([key]) => key)))];
  const rows = slips.map(({ facts }) => {
    const row = new Map(facts);
    return columns.map((key) => row.get(key) ?? '').join(';');
  });
  const path = join(folder, name);
  await writeFile(path, [columns.join(';'), ...rows, ''].join('\n'));
  return path;
}

const centsOf = (value: string): number => Number(value.replaceAll(/\D/gu, ''));
const written = (cents: number): string =>
  `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`;

/** Errors between two months: an amount of last month stays, digits are swapped, a percentage is added. */
function planted(slip: Slip, last: Slip, random: () => number): { slip: Slip; key: string } {
  const at = slip.derived[Math.floor(random() * slip.derived.length)]!;
  const [key, value] = slip.facts[at]!;
  const stayed = last.facts.find(([name]) => name === key)?.[1];
  const cents = centsOf(value);
  const isLaw = stayed !== undefined && Math.abs(centsOf(stayed) - cents) > 20;
  const digits = String(cents);
  const swapped = Number(digits.slice(1, 2) + digits.slice(0, 1) + digits.slice(2));
  const isSwap = digits.length > 3 && random() < 0.5 && Math.abs(swapped - cents) > 20;
  const wrong = isLaw ? centsOf(stayed) : isSwap ? swapped : Math.round(cents * 1.01) + 20;
  const facts = slip.facts.map((fact, place) => (place === at ? ([key, written(wrong)] as const) : fact));
  return { slip: { ...slip, facts }, key };
}

test('in a run of 300 slips what went wrong since last month is found, and what the law changed is not warned of', async () => {
  const last = people(LAST);
  const now = people(NOW);
  const random = randomOf(SEED);
  const plants = new Map<number, string>();
  const run = now.map((slip, at) => {
    if (random() >= 0.3) return slip;
    const plant = planted(slip, last[at]!, random);
    plants.set(at, plant.key);
    return plant.slip;
  });
  const before = await fileOf('last.csv', last);
  const report = await checkRun(await fileOf('now.csv', run), { before, byRow: true }, base);
  // The head is the first row.
  const checked = report.slips.toSorted((a, b) => a.row.line - b.row.line);

  const found = checked.filter(({ findings }, at) => plants.has(at) && findings.length > 0);
  expect(plants.size).toBeGreaterThan(60);
  expect(found.length / plants.size).toBeGreaterThanOrEqual(0.97);
  const wrongly = checked.flatMap(({ row, findings }, at) =>
    plants.has(at) ? [] : findings.map(({ key, detail }) => `${row.line} ${key}: ${detail}`),
  );
  expect(wrongly).toEqual([]);
  // Most slips changed, and the change of law that caused it is named.
  expect([...report.changes.values()].filter((changes) => changes.length > 1).length).toBeGreaterThan(60);
  expect(reportText(report).join('\n')).toContain('0,09 Prozent statt 0,12 Prozent');
});
