import { expect } from 'vitest';

/** A case that another project's own tests state: inputs, and the numbers that must come out. */
export interface ReferenceCase {
  readonly id: string;
  readonly kind: string;
  // Each kind has a shape of its own, which its runner knows.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly input: any;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly expected: any;
  readonly tolerance: number;
  readonly note: string;
}

/** Runs one case of a kind with our code, and compares the result. */
export type CaseRunner = (reference: ReferenceCase) => void;

/** Within the case's own tolerance, absolute for small numbers and relative for large ones. */
export function expectClose(actual: number, expected: number, { tolerance, id }: ReferenceCase): void {
  const allowed = tolerance * Math.max(1, Math.abs(expected));
  expect(Math.abs(actual - expected), `${id}: ${actual} instead of ${expected}`).toBeLessThanOrEqual(allowed);
}
