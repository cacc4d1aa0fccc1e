import type { SourceReference } from '../../../events/messages/knowledge.ts';
import { el } from '../dom.ts';
import { fileOf, placeOf } from './source-line.ts';

/** A link to the original in a new tab that cannot access this one; `null` if its address is unknown. */
export function originalLink({ url }: SourceReference, words: string): HTMLElement | null {
  if (url === null || !/^https?:\/\//iu.test(url)) return null;
  return el('a.original', { href: url, target: '_blank', rel: 'noopener noreferrer' }, words);
}

/** The place of a source with its file. */
export function placeWithFile(source: SourceReference): (string | HTMLElement)[] {
  const [place, file] = [placeOf(source), fileOf(source)];
  if (file === '') return [place];
  return [...(place === '' ? [] : [`${place} · `]), originalLink(source, file) ?? file];
}
