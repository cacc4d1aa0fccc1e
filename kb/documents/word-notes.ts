import { defaultTreeAdapter, parse } from 'parse5';

import { attributeOf, elementsBelow, isElement, type HtmlElement, type HtmlParent } from './html-tree.ts';

const NOTE = /^(?<kind>foot|end)note-(?<id>\d+)$/u;

/**
 * The HTML of a Word document as a tree, with each footnote at the end of the section in which it is named. mammoth has all of
 * them below the last heading.
 */
export function withNotesInSections(html: string): HtmlParent {
  const tree = parse(html);
  const all = elementsBelow(tree);
  const body = all.find(({ tagName }) => tagName === 'body')!;
  const byId = new Map(all.map((element) => [attributeOf(element, 'id') ?? '', element]));
  const notes = all.filter((each) => each.tagName === 'li' && NOTE.test(attributeOf(each, 'id') ?? ''));
  for (const [i, note] of notes.entries()) {
    const { kind, id } = NOTE.exec(attributeOf(note, 'id')!)!.groups!;
    const named = byId.get(`${kind}note-ref-${id}`);
    if (named === undefined) continue;
    const list = defaultTreeAdapter.createElement('ol', note.namespaceURI, []);
    note.attrs.push({ name: 'value', value: String(i + 1) });
    defaultTreeAdapter.detachNode(note);
    defaultTreeAdapter.appendChild(list, note);
    const next = headingAfter(named, body);
    if (next === undefined) defaultTreeAdapter.appendChild(body, list);
    else defaultTreeAdapter.insertBefore(body, list, next);
  }
  return tree;
}

/** The heading that begins the section after an element. */
function headingAfter(element: HtmlElement, body: HtmlElement): HtmlElement | undefined {
  let block: HtmlElement = element;
  while (block.parentNode !== body && block.parentNode !== null) block = block.parentNode as HtmlElement;
  return body.childNodes
    .slice(body.childNodes.indexOf(block) + 1)
    .filter(isElement)
    .find(({ tagName }) => /^h[1-6]$/u.test(tagName));
}
