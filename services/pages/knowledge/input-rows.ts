import { el, find } from '../dom.ts';
import { clearFaults } from '../faults.ts';
import { keyOf, readTable } from './pasted-table.ts';
import { texts } from './page-language.ts';

interface Column {
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
}

type Values = Readonly<Record<string, string>>;

const MOST_ROWS = 40;

/**
 * Rows of text fields in a list, added and removed by buttons, or pasted from a spreadsheet. There is always at least
 * one; empty rows do not count. They are added to `box`; `addWords` is the label of the button that adds a row.
 */
export function createRows(box: HTMLElement, addWords: string, columns: readonly Column[]) {
  const heads = columns.map(({ label }) => el('span', label));
  const list = el('ol.rows');
  const add = el('button.add', { type: 'button' }, addWords);
  const count = el('span');
  const said = el('span', { role: 'status' });
  box.append(el('div.columns', { ariaHidden: 'true' }, heads), list, el('div.below', add, count, said));

  function append(values: Partial<Values> = {}): HTMLElement {
    const fields = columns.map((column) =>
      el('div', { dataset: { column: column.name } }, field(column, values[column.name] ?? '')),
    );
    const remove = el('button.remove', { type: 'button' }, '×');
    const row = el('li', fields, remove);
    remove.addEventListener('click', () => removeRow(row));
    list.append(row);
    number();
    return row;
  }

  function removeRow(row: HTMLElement): void {
    const next = row.nextElementSibling ?? row.previousElementSibling ?? append();
    row.remove();
    number();
    said.textContent = '';
    inputIn(next).focus();
  }

  /** Sets the names of fields for screen readers, and enables the buttons. */
  function number(): void {
    const rows = [...list.children];
    rows.forEach((row, i) => {
      for (const { name, label } of columns) {
        inputIn(row, name).setAttribute('aria-label', texts.inRow(label, i + 1));
      }
      find('.remove', undefined, row).setAttribute('aria-label', texts.removeRow(i + 1));
    });
    add.disabled = rows.length >= MOST_ROWS;
    count.textContent = texts.rowCount(rows.length, MOST_ROWS);
  }

  /** Cells of a spreadsheet go where they were pasted, to the right and downwards, as far as there are fields. */
  function paste(event: ClipboardEvent): void {
    const input = event.target;
    const table = readTable(event.clipboardData?.getData('text/plain') ?? '');
    if (!(input instanceof HTMLInputElement) || (table.length < 2 && (table[0]?.length ?? 0) < 2)) return;
    event.preventDefault();
    const first = [...list.children].indexOf(input.closest('li')!);
    const from = columns.findIndex(({ name }) => name === input.name);
    const fitting = table.slice(0, MOST_ROWS - first);
    fitting.forEach((cells, i) => {
      const row = list.children[first + i] ?? append();
      columns.slice(from).forEach(({ name }, column) => {
        const cell = cells[column];
        if (cell === undefined) return;
        inputIn(row, name).value = name === 'key' ? keyOf(cell) : cell;
      });
    });
    clearFaults(list);
    const left = table.length - fitting.length;
    said.textContent = left === 0 ? texts.pasted(table.length) : texts.pastedSome(fitting.length, left);
  }

  /** Like in a spreadsheet, Enter goes to the next row; after the last filled row to a new one. */
  function goDown(event: KeyboardEvent): void {
    const input = event.target;
    if (event.key !== 'Enter' || event.isComposing || !(input instanceof HTMLInputElement)) return;
    event.preventDefault();
    const row = input.closest('li')!;
    const below = row.nextElementSibling;
    if (below !== null) inputIn(below, input.name).focus();
    else if (!add.disabled && Object.keys(valuesOf(row)).length > 0) inputIn(append()).focus();
  }

  add.addEventListener('click', () => {
    said.textContent = '';
    inputIn(append()).focus();
  });
  list.addEventListener('paste', paste);
  list.addEventListener('keydown', goDown);
  append();

  return {
    /** The rows that are not empty, with their values and their fields by name. */
    read: () =>
      [...list.children]
        .map((row) => ({
          values: valuesOf(row),
          fields: Object.fromEntries([...row.querySelectorAll('input')].map((input) => [input.name, input])),
        }))
        .filter(({ values }) => Object.keys(values).length > 0),
    fill(entries: readonly Partial<Values>[]): void {
      list.replaceChildren();
      said.textContent = '';
      for (const entry of entries.length === 0 ? [{}] : entries) append(entry);
    },
  };
}

const inputIn = (row: Element, name?: string): HTMLInputElement =>
  find(name === undefined ? 'input' : `[name=${name}]`, HTMLInputElement, row);

function field({ name, placeholder = '' }: Column, value: string): HTMLElement {
  const isKey = name === 'key';
  return el('input', {
    name,
    value,
    placeholder,
    autocapitalize: isKey ? 'none' : 'sentences',
    spellcheck: !isKey,
  });
}

function valuesOf(row: Element): Values {
  return Object.fromEntries(
    [...row.querySelectorAll('input')]
      .map(({ name, value }) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );
}
