import { el } from '../dom.ts';

/** Written only when it changes: what is selected, focused or read aloud stays as it is. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * A table body with one row a key. Rows stay the same elements while their key is shown, so that focus survives an
 * update, and stay where they are while the mouse is over them, so that nobody presses the button of another row: what
 * came or went meanwhile shows afterwards. `build(row, key)` gives the function that writes an item into its row; its
 * cells have the classes of their columns' heads.
 */
export function keyedRows<Item>(
  body: HTMLElement,
  {
    keyOf,
    build,
  }: { keyOf: (item: Item) => string; build: (row: HTMLElement, key: string) => (item: Item) => void },
): (items: readonly Item[]) => void {
  const heads = body.closest('table')!.tHead!.rows[0]!.cells;
  const rows = new Map<string, { node: HTMLElement; write: (item: Item) => void }>();
  let latest: readonly Item[] = [];
  let pointed = false;

  function draw(items: readonly Item[]): void {
    latest = items;
    if (pointed) {
      for (const item of items) rows.get(keyOf(item))?.write(item);
      return;
    }
    const keys = new Set(items.map(keyOf));
    for (const [key, { node }] of rows) {
      if (keys.has(key)) continue;
      node.remove();
      rows.delete(key);
    }
    let place = body.firstElementChild;
    for (const item of items) {
      const key = keyOf(item);
      let row = rows.get(key);
      if (row === undefined) {
        const node = el('tr');
        row = { node, write: build(node, key) };
        for (const cell of node.cells) cell.classList.add(...heads[cell.cellIndex]!.classList);
        rows.set(key, row);
      }
      const { node } = row;
      row.write(item);
      if (node === place) place = place.nextElementSibling;
      else body.insertBefore(node, place);
    }
  }

  // A finger is never over a row that it does not press.
  body.addEventListener('pointerenter', ({ pointerType }) => (pointed = pointerType === 'mouse'));
  body.addEventListener('pointerleave', () => {
    pointed = false;
    draw(latest);
  });
  return draw;
}

/** What a column says of an item: a main line, a second one that only a narrow screen shows, and a class. */
export type Column<Of> = (of: Of) => readonly [text: string, below?: string, mark?: string];

/** The next cells of a row, one a column, and what writes them; that of `head` names the row. */
export function cells<Of>(row: HTMLElement, columns: readonly Column<Of>[], head?: number): (of: Of) => void {
  const written = columns.map((read, i) => {
    const main = el('span');
    const second = el('span.second');
    row.append(i === head ? el('th', { scope: 'row' }, main, second) : el('td', main, second));
    return (of: Of) => {
      const [text, below = '', mark = ''] = read(of);
      setText(main, text);
      setText(second, below);
      if (main.className !== mark) main.className = mark;
    };
  });
  return (of) => {
    for (const write of written) write(of);
  };
}

/** Its id and name, how it is read, and the class for what it says. */
export type Figure<Of> = readonly [
  id: string,
  name: string,
  read: (of: Of) => string,
  mark?: (of: Of) => string,
];

/** Fills a list with figures, each under its name, and gives what writes them. */
export function figures<Of>(list: HTMLElement, rows: readonly Figure<Of>[]): (of: Of) => void {
  const written = rows.map(([id, name, read, mark = () => '']) => {
    const node = el('dd', { id }, '–');
    list.append(el('div', el('dt', name), node));
    return (of: Of) => {
      setText(node, read(of));
      node.className = mark(of);
    };
  });
  return (of) => {
    for (const write of written) write(of);
  };
}
