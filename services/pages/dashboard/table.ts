import { el } from '../dom.ts';

/** Writes the text only if it has changed. So a selection in it stays, and screen readers do not repeat the text. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Calls `write` only with a new value, because the status comes twice a second while a model trains. */
export function whenChanged<Value>(write: (value: Value) => void): (value: Value) => void {
  let written: string | undefined;
  return (value) => {
    const now = JSON.stringify(value);
    if (now !== written) write(value);
    written = now;
  };
}

/**
 * A column: its name, the classes of its cells, and a function for an item's cell: a main line, a second one for narrow
 * screens only, and a class. With `press` the main line is a button. The column `Ticker` names the row.
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
  /** The action of the button at the end of each row. */
  readonly action: string;
  /** Returns a function that writes an item to that button. */
  build: (button: HTMLButtonElement, key: string, row: HTMLElement) => (item: Item) => void;
}

/**
 * Fills a table: its header, and one row for each key. A row stays the same element while its key is shown, so that
 * focus survives an update. Rows do not move while the mouse is over them, so that nobody presses the button of another
 * row; changes show afterwards.
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

  function fill(items: readonly Item[]): void {
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

  /**
   * Draws the rows. If the button with the focus goes away, its list gets the focus and not the button of another row,
   * because Enter may be pressed twice.
   */
  function draw(items: readonly Item[]): void {
    const focused = body.contains(document.activeElement) ? document.activeElement : null;
    fill(items);
    if (focused?.checkVisibility() === false) table.closest<HTMLElement>('[tabindex]')?.focus();
  }

  // Rows stay in place while the mouse is above the table, so that a click hits the intended row. A finger is not above
  // the table before it touches it.
  body.addEventListener('pointerenter', ({ pointerType }) => (pointed = pointerType === 'mouse'));
  body.addEventListener('pointerleave', () => {
    pointed = false;
    draw(latest);
  });
  return draw;
}

/** Adds the next cell of a row; returns the function that writes it. */
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

/** A figure: its id and name, a function for its value, and one for the class of its element. */
export type Figure<Of> = readonly [
  id: string,
  name: string,
  read: (of: Of) => string,
  mark?: (of: Of) => string,
];

/** Fills a list with figures, each under its name; returns the function that writes them. */
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
