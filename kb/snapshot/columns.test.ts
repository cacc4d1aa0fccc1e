import { expect, test } from 'vitest';

import { toColumns, valuesOf } from './columns.ts';

test('rows come back by their fields, repeated values as one, and what only some have beside them', () => {
  const work = ['Werk', 'Buch'] as const;
  const rows = Array.from({ length: 9 }, (_, n) => ({
    id: `A-${n}`,
    work: work[n % 2]!,
    year: n === 4 ? 2021 : null,
    text: 'lang',
    ...(n === 7 ? { url: 'https://example.org' } : {}),
  }));
  const columns = toColumns(rows, ['id', 'work', 'year'], ['text']);
  expect(columns.count).toBe(9);
  for (const field of ['id', 'work', 'year'] as const)
    expect(valuesOf(columns, field)).toEqual(rows.map((row) => row[field]));
  expect(columns.columns['work']!.values).toEqual(['Werk', 'Buch']);
  expect([...columns.rest]).toEqual([[7, { url: 'https://example.org' }]]);
});
