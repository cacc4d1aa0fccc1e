import { defaultTreeAdapter, type DefaultTreeAdapterTypes } from 'parse5';

export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode;

export const isElement = (node: HtmlNode | HtmlParent): node is HtmlElement => 'tagName' in node;

export const isText = (node: HtmlNode): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === '#text';

export const attributeOf = (element: HtmlElement, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value;

/** The words of an element's classes and id: `mw-editSection` gives `mw`, `edit`, `section` and the whole name. */
export function namesOf(element: HtmlElement, withId = true): readonly string[] {
  const id = withId ? (attributeOf(element, 'id') ?? '') : '';
  const written = `${attributeOf(element, 'class') ?? ''} ${id}`.trim();
  if (written === '') return [];
  const whole = written.toLowerCase().split(/\s+/u);
  const words = written
    .replaceAll(/(?<small>[a-z])(?<capital>[A-Z])/gu, '$<small> $<capital>')
    .toLowerCase()
    .split(/[^a-z0-9]+/u);
  return [...whole, ...words].filter((name) => name !== '');
}

/** All elements below a node, each after its parent. */
export function elementsBelow(root: HtmlParent): HtmlElement[] {
  const found: HtmlElement[] = [];
  const open: HtmlNode[] = [...root.childNodes].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isElement(node)) continue;
    found.push(node);
    for (let i = node.childNodes.length - 1; i >= 0; i--) open.push(node.childNodes[i]!);
  }
  return found;
}

/** All text below a node, unchanged. */
export function textBelow(root: HtmlParent): string {
  const texts: string[] = [];
  const open: HtmlNode[] = [...root.childNodes].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isText(node)) texts.push(node.value);
    else if (isElement(node))
      for (let i = node.childNodes.length - 1; i >= 0; i--) open.push(node.childNodes[i]!);
  }
  return texts.join('');
}

/** The depth down to which elements keep their meaning, so that recursion cannot overflow the stack. */
const DEEPEST = 200;

/**
 * Limits the depth of a tree: elements that are nested deeper than in any document of a person become text of the last
 * level.
 */
export function flatten(root: HtmlParent): void {
  let level: HtmlParent[] = [root];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++)
    level = level.flatMap((parent) => parent.childNodes.filter(isElement));
  for (const parent of level) {
    const text = textBelow(parent);
    parent.childNodes = [];
    defaultTreeAdapter.insertText(parent, text);
  }
}
