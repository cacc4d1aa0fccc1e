import { el } from '../dom.ts';

/** `[ID]` as a link to its source; what is no cited source stays text. */
export function linkCitations(text: string, ids: ReadonlySet<string>): (string | HTMLElement)[] {
  return text.split(/(\[[A-Za-z0-9][A-Za-z0-9._-]{0,63}\])/).map((part) => {
    const id = part.slice(1, -1);
    if (!part.startsWith('[') || !ids.has(id)) return part;
    return el('a', { className: 'citation', href: `#source-${id}` }, part);
  });
}
