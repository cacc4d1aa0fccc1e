import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadKnowledgeBase } from '../../../kb/base/load.ts';
import {
  NO_CLOCK,
  randomOf,
  slipInRun,
  type OneRun,
  type Slip,
} from '../../../kb/review/right-slips.suite.ts';
import { checkRun } from './run.ts';
import { reportText } from './report-text.ts';

const base = await loadKnowledgeBase(fileURLToPath(new URL('../../../kb/corpus', import.meta.url)));
const SEED = 46_000;
const PEOPLE = 300;
/** Months between which the law changes, and words of what changes. */
const PAIRS: readonly (readonly [last: OneRun, now: OneRun, law: string])[] = [
  // Ceilings, the surcharge for childless people, the insolvency levy.
  [{ year: 2021, month: 12 }, { year: 2022, month: 1 }, '0,09 Prozent statt 0,12 Prozent'],
  [{ year: 2022, month: 6 }, { year: 2022, month: 7 }, '10,45 Euro statt 9,82 Euro'],
  // The minimum wage, mini-jobs, the transition zone.
  [{ year: 2022, month: 9 }, { year: 2022, month: 10 }, '0,7009 statt 0,7509'],
];

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

/** Kinds of slips on which all rests on the pay, so that pay that is wrong can be told. */
const RESTS_ON_PAY = new Set(['ordinary', 'hourly', 'student', 'apprentice', 'taxed']);

/**
 * Errors between two months: an amount of last month stays although the law has changed, digits are swapped, the comma is in another place,
 * a percentage or a thousand euros are added; in what is worked out, and in the pay that it rests on.
 */
function planted(slip: Slip, last: Slip, random: () => number): { slip: Slip; key: string } {
  const ofPay = slip.facts.findIndex(
    ([key, value]) =>
      key === (slip.kind === 'taxed' ? 'steuerbrutto' : 'sv_brutto') && centsOf(value) < 400_000,
  );
  const isOfPay =
    ofPay > -1 &&
    RESTS_ON_PAY.has(slip.kind) &&
    !slip.facts.some(([key]) => key === 'einmalzahlung') &&
    random() < 0.2;
  const at = isOfPay ? ofPay : slip.derived[Math.floor(random() * slip.derived.length)]!;
  const [key, value] = slip.facts[at]!;
  const stayed = last.facts.find(([name]) => name === key)?.[1];
  const cents = centsOf(value);
  const isLaw = !isOfPay && stayed !== undefined && Math.abs(centsOf(stayed) - cents) > 20;
  const digits = String(cents);
  const swapped = Number(digits.slice(1, 2) + digits.slice(0, 1) + digits.slice(2));
  const way = random();
  const isSwap = digits.length > 3 && way < 0.4 && Math.abs(swapped - cents) > 20;
  const other =
    way < 0.6 && cents > 0 ? cents * 10 : isOfPay ? cents + 100_000 : Math.round(cents * 1.01) + 20;
  const wrong = isLaw ? centsOf(stayed) : isSwap ? swapped : other;
  const facts = slip.facts.map((fact, place) => (place === at ? ([key, written(wrong)] as const) : fact));
  return { slip: { ...slip, facts }, key };
}

test.each(PAIRS)(
  'in a run of 300 slips what went wrong between %o and %o is found on its row and in its column, and what the law changed is not warned of',
  NO_CLOCK,
  async (lastRun, nowRun, law) => {
    const last = people(lastRun);
    const now = people(nowRun);
    const random = randomOf(SEED + nowRun.month);
    const plants = new Map<number, string>();
    const run = now.map((slip, at) => {
      if (random() >= 0.4) return slip;
      const plant = planted(slip, last[at]!, random);
      plants.set(at, plant.key);
      return plant.slip;
    });
    const before = await fileOf('last.csv', last);
    const report = await checkRun(await fileOf('now.csv', run), { before, byRow: true }, base);
    // The head is the first row.
    const checked = report.slips.toSorted((a, b) => a.row.line - b.row.line);

    const missed = checked.flatMap(({ row, findings }, at) => {
      const key = plants.get(at);
      const keys = findings.map((finding) => finding.key);
      return key === undefined || (keys.length === 1 && keys[0] === key)
        ? []
        : [`${row.line} ${now[at]!.kind}, ${key}: ${keys.join(', ')}`];
    });
    expect(plants.size).toBeGreaterThan(90);
    expect(missed.slice(Math.floor(plants.size * 0.03))).toEqual([]);
    const wrongly = checked.flatMap(({ row, findings }, at) =>
      plants.has(at) ? [] : findings.map(({ key, detail }) => `${row.line} ${key}: ${detail}`),
    );
    expect(wrongly).toEqual([]);
    expect(reportText(report).join('\n')).toContain(law);
  },
);
