import { el } from '../page/dom.js';
import { directionOf, percent, price } from './format.js';
import { chooseTicker } from './history.js';
import { view } from './state.js';
import { setText } from './table.js';

/** A list that is longer can be searched. */
const SHORT_LIST = 20;

const list = document.querySelector('#tickers');
const find = document.querySelector('#find');

/** The tickers with their last prices: one choice, moved with the arrow keys. */
export function showMarket() {
  let rows = new Map();

  view(['tickers'], ({ tickers }) => {
    const names = tickers?.all ?? [];
    if (names.length === rows.size && names.every((name) => rows.has(name))) return;
    rows = new Map(names.map((name) => [name, row(name, name === tickers.index)]));
    list.replaceChildren(...[...rows.values()].map(({ node }) => node));
    find.hidden = names.length <= SHORT_LIST;
    document
      .querySelector('#known-tickers')
      .replaceChildren(...(tickers?.initial ?? []).map((value) => el('option', { value })));
  });

  view(['tickers', 'ticker', 'prices'], ({ ticker, prices }) => {
    for (const [name, { radio, last, change }] of rows) {
      if (radio.checked !== (name === ticker)) radio.checked = name === ticker;
      const known = prices.get(name);
      const moved = changeOf(known);
      setText(last, price(known?.close));
      setText(change, percent(moved));
      change.className = `change ${directionOf(moved ?? 0)}`;
    }
  });

  find.addEventListener('input', () => {
    const wanted = find.value.trim().toUpperCase();
    for (const [name, { node }] of rows) node.hidden = !name.includes(wanted);
  });
}

/** As a fraction; `null` while the close before is not known. */
function changeOf(known) {
  return typeof known?.previous === 'number' ? known.close / known.previous - 1 : null;
}

function row(name, isIndex) {
  const radio = el('input', {
    type: 'radio',
    name: 'watched',
    value: name,
    onchange: () => chooseTicker(name),
  });
  const last = el('span', { className: 'last' }, '–');
  const change = el('span', { className: 'change' }, '–');
  const words = el('span', { className: 'name' }, name, isIndex ? el('small', {}, 'index') : '');
  return { node: el('label', {}, radio, words, last, change), radio, last, change };
}
