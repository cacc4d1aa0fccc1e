import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BROKER_CASES } from '../../actors/paper-broker/reference.suite.ts';
import type { ReferenceCase } from '../../actors/reference-cases.suite.ts';

/** Beside the project, where it is there; nothing of it is copied. */
const FILE = join(import.meta.dirname, '../../../shared/market/reference-cases.json');
const present = existsSync(FILE);
const cases: ReferenceCase[] = present
  ? (JSON.parse(readFileSync(FILE, 'utf8')) as { cases: ReferenceCase[] }).cases
  : [];

describe.skipIf(!present)('reference cases of the broker (needs ../shared/market)', () => {
  test('each kind has cases', () => {
    const kinds = new Set(cases.map(({ kind }) => kind));
    for (const kind of Object.keys(BROKER_CASES)) expect(kinds).toContain(kind);
  });

  test.each(cases.filter(({ kind }) => BROKER_CASES[kind] !== undefined))('$kind: $id', (reference) => {
    BROKER_CASES[reference.kind]!(reference);
  });
});
