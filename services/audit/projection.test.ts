import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { DomainEvent } from '../../events/define.ts';
import type { Rows } from '../../events/projections/projection.ts';
import { auditProjection } from './projection.ts';

test('no event makes the projection look through a whole table', () => {
  const db = new DatabaseSync(':memory:');
  db.exec(auditProjection.tables);
  const plans: string[] = [];
  const explain = (sql: string): void => {
    for (const { detail } of db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
      plans.push(`${String(detail)}: ${sql}`);
  };
  const rows: Rows = {
    run: explain,
    get: (sql) => {
      explain(sql);
      return { erased_at: null };
    },
    all: () => [],
  };
  for (const type of auditProjection.types!) {
    const data = {
      request_id: 'r-1',
      rating: 'up',
      feedback: '',
      comment: '',
      citations: [],
      conflict_ids: [],
    };
    const event = { id: type, type, stream: '', data, metadata: { at: '' } };
    auditProjection.apply(rows, event as unknown as DomainEvent<string, unknown>, {
      revision: 0n,
      position: '' as never,
    });
  }
  db.close();
  expect(plans.length).toBeGreaterThan(8);
  expect(plans.filter((plan) => plan.startsWith('SCAN'))).toEqual([]);
});
