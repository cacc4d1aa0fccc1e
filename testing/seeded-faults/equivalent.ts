import type { Fault } from './fault.ts';

/** Why no test can distinguish the code with this fault from the code without it; undefined if a test can. */
export function equivalence({ kind, text }: Fault): string | undefined {
  if (kind === 'await' && /^\s*return await\b/.test(text))
    return 'a promise that is returned is awaited all the same';
  return undefined;
}
