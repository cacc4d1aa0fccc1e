import { el } from '../dom.ts';

/** A column's name, and a function for its cells. */
export type Column<Of> = readonly [name: string, read: (of: Of) => HTMLElement | string];

/** A wide table scrolls by itself. */
export function table<Of>(columns: readonly Column<Of>[], rows: readonly Of[]): HTMLElement {
  const head = columns.map(([name]) => el('th', { scope: 'col' }, name));
  const body = rows.map((of) => el('tr', ...columns.map(([, read]) => el('td', read(of)))));
  return el('div.scroll', { tabIndex: 0 }, el('table', el('thead', el('tr', head)), el('tbody', body)));
}
