import type { Fault } from './fault.ts';

/** Why no test could tell the code with this fault from the code without it; undefined where one could. */
export function equivalence({ kind, text }: Fault): string | undefined {
  if (kind === 'await' && /^\s*return await\b/.test(text))
    return 'a promise that is returned is awaited all the same';
  return undefined;
}
