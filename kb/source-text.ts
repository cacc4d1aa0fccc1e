import { createHash } from 'node:crypto';
import type { Source } from './source.ts';

const known = new WeakMap<Source, string>();

/** The SHA-256 of a source's text, in hexadecimal, to check whether a quoted text is unchanged. */
export function textHashOf(source: Source): string {
  let hash = known.get(source);
  if (hash === undefined) known.set(source, (hash = createHash('sha256').update(source.text).digest('hex')));
  return hash;
}
