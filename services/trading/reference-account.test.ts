import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReferenceCase } from '../../actors/reference-cases.suite.ts';
import { TRADING_CASES } from '../../actors/trading/reference.suite.ts';

/** Lies beside the project, not in it: without it these cases are skipped. */
const FILE = join(import.meta.dirname, '../../../shared/market/reference-cases.json');
const present = existsSync(FILE);
const cases: ReferenceCase[] = present
  ? (JSON.parse(readFileSync(FILE, 'utf8')) as { cases: ReferenceCase[] }).cases
  : [];

describe.skipIf(!present)("cases of other projects' tests that concern the account", () => {
  const ours = cases.filter(({ kind }) => kind in TRADING_CASES);

  it('there is one of each kind', () => {
    expect(new Set(ours.map(({ kind }) => kind))).toEqual(new Set(Object.keys(TRADING_CASES)));
  });

  it.each(ours)('$id', (reference) => {
    TRADING_CASES[reference.kind]!(reference);
  });
});
