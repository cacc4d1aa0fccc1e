import { expect, test } from 'vitest';
import { createAuditLines } from './audit-lines.ts';

test('an AUDIT line is JSON of one line that no terminal obeys', () => {
  const lines: string[] = [];
  const question = 'a\u0085\u009b2J\u007f\u2028\u202eb';
  createAuditLines((line) => lines.push(line))(
    {
      id: 'e-1',
      type: 'QuestionAsked',
      stream: 'ask-r-1',
      data: { question },
      metadata: { at: '2026-01-15T08:00:00.000Z', $correlationId: 'r-1' },
    } as unknown as Parameters<ReturnType<typeof createAuditLines>>[0],
    0n,
  );
  const [line] = lines;
  expect(lines).toHaveLength(1);
  expect(line).toMatch(/^AUDIT [\x20-\x7e]*\n$/);
  expect(JSON.parse(line!.slice('AUDIT '.length))).toMatchObject({ request_id: 'r-1', data: { question } });
});
