import { expect, it } from 'vitest';
import { hashOfCode } from './code-hash.ts';

it('gives the code one hash', async () => {
  const hash = await hashOfCode();
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await hashOfCode()).toBe(hash);
});
