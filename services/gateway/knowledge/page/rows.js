import { el } from './dom.js';
import { clearFaults } from './faults.js';
import { keyOf, readTable } from './table.js';
import { texts } from './texts.js';

export const MOST_ROWS = 40;

/**
 * Rows of text fields in a list, added and removed by their buttons, or pasted from a spreadsheet. There is always one;
 * rows with nothing in them do not count.
 *
 * @param {Element} box holds the list, the button that adds, and a place for what is said
 * @param {{name: string, label: string, placeholder?: string}[]} columns
 */
export function createRows(box, columns) {
  const list = box.querySelector('ol');
  const add = box.querySelector('.add');
  const said = box.querySelector('[role=status]');

  function append(values = {}) {
    const fields = columns.map((column) =>
      el('div', { dataset: { column: column.name } }, field(column, values[column.name] ?? '')),
    );
    const remove = el('button', { type: 'button', className: 'remove' }, '×');
    const row = el('li', {}, fields, remove);
    remove.addEventListener('click', () => removeRow(row));
    list.append(row);
    number();
    return row;
  }

  function removeRow(row) {
    const next = row.nextElementSibling ?? row.previousElementSibling ?? append();
    row.remove();
    number();
    said.textContent = '';
    next.querySelector('input').focus();
  }

  /** Names what a screen reader calls each field, and what can be done now. */
  function number() {
    const rows = [...list.children];
    rows.forEach((row, i) => {
      for (const { name, label } of columns) {
        row.querySelector(`[name=${name}]`).setAttribute('aria-label', texts.inRow(label, i + 1));
      }
      row.querySelector('.remove').setAttribute('aria-label', texts.removeRow(i + 1));
    });
    add.disabled = rows.length >= MOST_ROWS;
    box.querySelector('.count').textContent = texts.rowCount(rows.length, MOST_ROWS);
  }

  /** Cells from a spreadsheet go where they were pasted: to the right and downwards, as far as there is room. */
  function paste(event) {
    const input = event.target.closest('input');
    const table = readTable(event.clipboardData.getData('text/plain'));
    if (input === null || (table.length < 2 && (table[0]?.length ?? 0) < 2)) return;
    event.preventDefault();
    const first = [...list.children].indexOf(input.closest('li'));
    const from = columns.findIndex(({ name }) => name === input.name);
    const fitting = table.slice(0, MOST_ROWS - first);
    fitting.forEach((cells, i) => {
      const row = list.children[first + i] ?? append();
      columns.slice(from).forEach(({ name }, column) => {
        const cell = cells[column];
        if (cell === undefined) return;
        row.querySelector(`[name=${name}]`).value = name === 'key' ? keyOf(cell) : cell;
      });
    });
    clearFaults(list);
    const left = table.length - fitting.length;
    said.textContent = left === 0 ? texts.pasted(table.length) : texts.pastedSome(fitting.length, left);
  }

  /** As in a spreadsheet Enter goes down a row; behind the last row that has something in it, to a new one. */
  function goDown(event) {
    const input = event.target.closest('input');
    if (event.key !== 'Enter' || event.isComposing || input === null) return;
    event.preventDefault();
    const row = input.closest('li');
    const below = row.nextElementSibling;
    if (below !== null) below.querySelector(`[name=${input.name}]`).focus();
    else if (!add.disabled && Object.keys(valuesOf(row)).length > 0) append().querySelector('input').focus();
  }

  add.addEventListener('click', () => {
    said.textContent = '';
    append().querySelector('input').focus();
  });
  list.addEventListener('paste', paste);
  list.addEventListener('keydown', goDown);
  append();

  return {
    /** Rows that have something in them: each with its values, and its fields by name. */
    read: () =>
      [...list.children]
        .map((row) => ({
          values: valuesOf(row),
          fields: Object.fromEntries([...row.querySelectorAll('input')].map((input) => [input.name, input])),
        }))
        .filter(({ values }) => Object.keys(values).length > 0),
    fill(entries) {
      list.replaceChildren();
      said.textContent = '';
      for (const entry of entries.length === 0 ? [{}] : entries) append(entry);
    },
  };
}

function field({ name, placeholder = '' }, value) {
  const isKey = name === 'key';
  return el('input', {
    name,
    value,
    placeholder,
    autocomplete: 'off',
    autocapitalize: isKey ? 'none' : 'sentences',
    spellcheck: !isKey,
  });
}

function valuesOf(row) {
  return Object.fromEntries(
    [...row.querySelectorAll('input')]
      .map(({ name, value }) => [name, value.trim()])
      .filter(([, value]) => value !== ''),
  );
}
