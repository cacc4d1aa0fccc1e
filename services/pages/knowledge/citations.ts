import { el } from '../dom.ts';

/** Matches `[ID]`, to split a text. */
export const CITATION = /(\[[A-Za-z0-9][A-Za-z0-9._-]{0,63}\])/;

/**
 * Turns `[ID]` into a link that shows its source: `[2]` for the second of the sources, with the id as its title, because ids
 * of documents are long. An id that is not cited stays text.
 */
export function linkCitations(
  text: string,
  sources: readonly { readonly id: string }[],
): (string | HTMLElement)[] {
  return text.split(CITATION).map((part) => {
    const id = part.slice(1, -1);
    const place = part.startsWith('[') ? sources.findIndex((source) => source.id === id) : -1;
    if (place === -1) return part;
    const link = sourceLink(id, `[${place + 1}]`, 'citation');
    link.title = id;
    return link;
  });
}

/** A link that shows this source when it is clicked or focused. */
export function sourceLink(id: string, words: string, className: string): HTMLElement {
  return el('a', { className, href: '#passage', dataset: { source: id } }, words);
}
