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
 * Creates an element from tag and classes (`p.hint`), optional properties, and children. Strings become text nodes, so
 * that no text of the service is parsed as HTML. `null` children are left out.
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

/** The content of a list, each part in an item of its own. */
export const items = (contents: Children): HTMLElement[] => contents.map((content) => el('li', content));

/** Terms with their values, as the content of a `dl`. */
export function facts(entries: readonly (readonly [term: string, value: string])[]): HTMLElement[] {
  return entries.flatMap(([term, value]) => [el('dt', term), el('dd', value)]);
}

/** The first element in `within` that matches; throws if there is none, or it is not of this kind. */
export function find(selector: string, kind?: undefined, within?: ParentNode): HTMLElement;
export function find<T extends Element>(selector: string, kind: new () => T, within?: ParentNode): T;
export function find(selector: string, kind = HTMLElement, within: ParentNode = document): Element {
  const node = within.querySelector(selector);
  if (node instanceof kind) return node;
  throw new TypeError(`The page has no ${kind.name} for ${selector}`);
}
