type Child = Node | string | null;

type Properties<Tag extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Tag], 'dataset' | 'attributes'>
> & {
  readonly dataset?: Readonly<Record<string, string>>;
  readonly attributes?: Readonly<Record<string, string>>;
};

/**
 * An element with properties and children; strings become text nodes, so nothing that the service says is ever read as
 * HTML. `null` children are left out.
 */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties<Tag> = {},
  ...children: (Child | readonly Child[])[]
): HTMLElementTagNameMap[Tag] {
  const { dataset, attributes, ...rest } = properties;
  const node = Object.assign(document.createElement(tag), rest);
  Object.assign(node.dataset, dataset);
  for (const [name, value] of Object.entries(attributes ?? {})) node.setAttribute(name, value);
  node.append(...children.flat().filter((child) => child !== null));
  return node;
}

/** Terms and their values, as the inside of a `dl`. */
export function facts(entries: readonly (readonly [term: string, value: string])[]): HTMLElement[] {
  return entries.flatMap(([term, value]) => [el('dt', {}, term), el('dd', {}, value)]);
}

/** The element of the page that this selector finds first in `within`; throws where there is none of this kind. */
export function find(selector: string, kind?: undefined, within?: ParentNode): HTMLElement;
export function find<T extends Element>(selector: string, kind: new () => T, within?: ParentNode): T;
export function find(selector: string, kind = HTMLElement, within: ParentNode = document): Element {
  const node = within.querySelector(selector);
  if (node instanceof kind) return node;
  throw new TypeError(`The page has no ${kind.name} for ${selector}`);
}
