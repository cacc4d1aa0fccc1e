import { el } from '../dom.ts';

/** `rows` are elements; a wide table scrolls by itself. */
export function table(head: readonly string[], rows: readonly HTMLElement[]): HTMLElement {
  const names = head.map((name) => el('th', { scope: 'col' }, name));
  return el('div.scroll', { tabIndex: 0 }, el('table', el('thead', el('tr', names)), el('tbody', rows)));
}
