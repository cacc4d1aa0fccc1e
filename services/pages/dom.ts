type Child = Node | string | null;
type Children = readonly (Child | readonly Child[])[];

type ElementOf<Selector extends string> = Selector extends `${infer Tag}.${string}`
  ? ElementOf<Tag>
  : Selector extends keyof HTMLElementTagNameMap
    ? HTMLElementTagNameMap[Selector]
    : never;

type Properties<Node> = Partial<Omit<Node, 'dataset' | 'attributes'>> & {
  readonly dataset?: Readonly<Record<string, string>>;
  readonly attributes?: Readonly<Record<string, string>>;
};

/**
 * An element by its tag and classes (`p.hint`), with properties, where there are any, and children; strings become text
 * nodes, so nothing that the service says is ever read as HTML. `null` children are left out.
 */
export function el<Selector extends string>(
  selector: Selector,
  properties: Properties<ElementOf<Selector>>,
  ...children: Children
): ElementOf<Selector>;
export function el<Selector extends string>(selector: Selector, ...children: Children): ElementOf<Selector>;
export function el(
  selector: string,
  ...parts: [Properties<HTMLElement>, ...Children] | Children
): HTMLElement {
  const [tag, ...classes] = selector.split('.');
  const node = document.createElement(tag!);
  node.classList.add(...classes);
  const [first = null, ...others] = parts;
  const { dataset, attributes = {}, ...rest } = isChild(first) ? {} : first;
  Object.assign(Object.assign(node, rest).dataset, dataset);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  const children = [isChild(first) ? first : null, ...(others as Children)];
  node.append(...children.flat().filter((child) => child !== null));
  return node;
}

const isChild = (part: Properties<HTMLElement> | Children[number]): part is Children[number] =>
  typeof part !== 'object' || part === null || Array.isArray(part) || part instanceof Node;

/** The inside of a list: each of these in an item of its own. */
export const items = (contents: Children): HTMLElement[] => contents.map((content) => el('li', content));

/** Terms and their values, as the inside of a `dl`. */
export function facts(entries: readonly (readonly [term: string, value: string])[]): HTMLElement[] {
  return entries.flatMap(([term, value]) => [el('dt', term), el('dd', value)]);
}

/** The element of the page that this selector finds first in `within`; throws where there is none of this kind. */
export function find(selector: string, kind?: undefined, within?: ParentNode): HTMLElement;
export function find<T extends Element>(selector: string, kind: new () => T, within?: ParentNode): T;
export function find(selector: string, kind = HTMLElement, within: ParentNode = document): Element {
  const node = within.querySelector(selector);
  if (node instanceof kind) return node;
  throw new TypeError(`The page has no ${kind.name} for ${selector}`);
}
