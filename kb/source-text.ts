import { createHash } from 'node:crypto';
import type { Source } from './source.ts';

const known = new WeakMap<Source, string>();

/** SHA-256 of a source's text, in hexadecimal: whether a text is still the one that was quoted. */
export function textHashOf(source: Source): string {
  let hash = known.get(source);
  if (hash === undefined) known.set(source, (hash = createHash('sha256').update(source.text).digest('hex')));
  return hash;
}
