/**
 * An element with properties and children; strings become text nodes, so nothing that the service says is ever read as
 * HTML. `null` children are left out.
 */
export function el(tag, properties = {}, ...children) {
  const { dataset, attributes, ...rest } = properties;
  const node = Object.assign(document.createElement(tag), rest);
  Object.assign(node.dataset, dataset);
  for (const [name, value] of Object.entries(attributes ?? {})) node.setAttribute(name, value);
  node.append(...children.flat().filter((child) => child !== null));
  return node;
}

/** Terms and their values, as the inside of a `dl`. */
export function facts(entries) {
  return entries.flatMap(([term, value]) => [el('dt', {}, term), el('dd', {}, value)]);
}
