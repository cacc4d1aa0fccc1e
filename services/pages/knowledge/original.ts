import type { SourceReference } from '../../../events/messages/knowledge.ts';
import { el } from '../dom.ts';
import { fileOf, placeOf } from './answer-text.ts';

/** To where the original is, in a tab of its own, which cannot reach into this one; `null` where nobody has said. */
export function originalLink({ url }: SourceReference, words: string): HTMLElement | null {
  if (url === null || !/^https?:\/\//iu.test(url)) return null;
  return el('a.original', { href: url, target: '_blank', rel: 'noopener noreferrer' }, words);
}

/** Where a source is to be found, with the document that it is of. */
export function placeWithFile(source: SourceReference): (string | HTMLElement)[] {
  const [place, file] = [placeOf(source), fileOf(source)];
  if (file === '') return [place];
  return [...(place === '' ? [] : [`${place} · `]), originalLink(source, file) ?? file];
}
