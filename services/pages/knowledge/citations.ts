import { el } from '../dom.ts';

/** Matches `[ID]`, to split a text. */
export const CITATION = /(\[[A-Za-z0-9][A-Za-z0-9._-]{0,63}\])/;

/** Turns `[ID]` into a link that shows its source; an id that is not cited stays text. */
export function linkCitations(
  text: string,
  sources: readonly { readonly id: string }[],
): (string | HTMLElement)[] {
  return text.split(CITATION).map((part) => {
    const id = part.slice(1, -1);
    return part.startsWith('[') && sources.some((source) => source.id === id)
      ? sourceLink(id, part, 'citation')
      : part;
  });
}

/** A link that shows this source when it is clicked or focused. */
export function sourceLink(id: string, words: string, className: string): HTMLElement {
  return el('a', { className, href: '#passage', dataset: { source: id } }, words);
}
