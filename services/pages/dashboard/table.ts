import { el } from '../dom.ts';

/** The text is written only when it changes, so that selection, focus and screen readers keep it. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Writes what it is given where that differs from the last time: a status comes twice a second while a model trains. */
export function whenChanged<Value>(write: (value: Value) => void): (value: Value) => void {
  let written: string | undefined;
  return (value) => {
    const now = JSON.stringify(value);
    if (now !== written) write(value);
    written = now;
  };
}

/**
 * A column's name, the classes of its cells, and what it says of an item: a main line, a second one that only a narrow
 * screen shows, and a class. With `press` the main line is a button. The column `Ticker` names the row.
 */
export type Column<Of> = readonly [
  name: string,
  classes: string,
  read: (of: Of) => readonly [text: string, below?: string, mark?: string],
  press?: (key: string) => void,
];

interface Rows<Item> {
  readonly columns: readonly Column<Item>[];
  keyOf: (item: Item) => string;
  /** What the button at the end of each row does. */
  readonly action: string;
  /** Gives what writes an item to that button. */
  build: (button: HTMLButtonElement, key: string, row: HTMLElement) => (item: Item) => void;
}

/**
 * Fills a table: its head, and one row a key. Rows stay the same elements while their key is shown, so that focus
 * survives an update, and stay where they are while the mouse is over them, so that nobody presses the button of another
 * row: what came or went meanwhile shows afterwards.
 */
export function keyedRows<Item>(
  table: HTMLElement,
  { columns, keyOf, action, build }: Rows<Item>,
): (items: readonly Item[]) => void {
  const heads = columns.map(([name, className]) => el('th', { scope: 'col', className }, name));
  const body = el('tbody');
  table.append(el('thead', el('tr', heads, el('th', { scope: 'col' }, el('span.unseen', action)))), body);
  const rows = new Map<string, { node: HTMLElement; write: (item: Item) => void }>();
  let latest: readonly Item[] = [];
  let pointed = false;

  function add(key: string) {
    const node = el('tr');
    const button = el('button', { type: 'button' }, action);
    const writes = [...columns.map((column) => addCell(node, column, key)), build(button, key, node)];
    node.append(el('td.act', button));
    const row = { node, write: (item: Item) => writes.forEach((write) => write(item)) };
    rows.set(key, row);
    return row;
  }

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
      const { node, write } = rows.get(key) ?? add(key);
      write(item);
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

/** The next cell of a row, and what writes it. */
function addCell<Of>(row: HTMLElement, [name, className, read, press]: Column<Of>, key: string) {
  const main = press === undefined ? el('span') : el('button', { type: 'button', onclick: () => press(key) });
  const second = el('span.second');
  const cell = name === 'Ticker' ? el('th', { scope: 'row' }) : el('td');
  cell.className = className;
  cell.append(main, second);
  row.append(cell);
  return (of: Of) => {
    const [text, below = '', mark = ''] = read(of);
    setText(main, text);
    setText(second, below);
    if (main.className !== mark) main.className = mark;
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
