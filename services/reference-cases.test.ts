import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BROKER_CASES } from '../actors/paper-broker/reference.suite.ts';
import type { CaseRunner, ReferenceCase } from '../actors/reference-cases.suite.ts';
import { indicatorCases } from './backtest/reference.suite.ts';
import { TRADING_CASES } from '../actors/trading/reference.suite.ts';
import { MARKET_CASES } from './market/reference.suite.ts';

/** The folder is beside the project, not in it. */
const FOLDER = join(import.meta.dirname, '../../shared/market');
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');
const present = existsSync(join(FOLDER, 'reference-cases.json'));
const reason = present ? '' : ' (skipped: ../shared/market is missing)';
const cases: ReferenceCase[] = present
  ? (JSON.parse(read('reference-cases.json')) as { cases: ReferenceCase[] }).cases
  : [];

const PARTS: readonly Readonly<Record<string, CaseRunner>>[] = [
  TRADING_CASES,
  BROKER_CASES,
  MARKET_CASES,
  indicatorCases(read),
];
const RUNNERS: Readonly<Record<string, CaseRunner>> = Object.assign({}, ...PARTS);

describe.runIf(present)(`the numbers of other projects' own tests${reason}`, () => {
  it('are of kinds that we run, each in one place, and of all kinds that we know', () => {
    const kinds = PARTS.flatMap((part) => Object.keys(part)).sort();
    expect(kinds).toEqual([...new Set(cases.map(({ kind }) => kind))].sort());
  });

  it.each(cases)('$kind: $id', (reference) => {
    RUNNERS[reference.kind]!(reference);
  });
});
