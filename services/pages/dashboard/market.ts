import { el, find } from '../dom.ts';
import { directionOf, percent, price } from './format.ts';
import { chooseTicker } from './history.ts';
import { view, type Price } from './state.ts';
import { setText } from './table.ts';

/** The most tickers of a list that has no search field. */
const SHORT_LIST = 20;

const list = find('#tickers');
const search = find('#find', HTMLInputElement);

/** The tickers with their last prices: a list with one choice, moved by the arrow keys. */
export function showMarket(): void {
  let rows = new Map<string, ReturnType<typeof row>>();

  view(['tickers'], ({ tickers }) => {
    const names = tickers?.all ?? [];
    if (names.length === rows.size && names.every((name) => rows.has(name))) return;
    rows = new Map(names.map((name) => [name, row(name, name === tickers?.index)]));
    list.replaceChildren(...[...rows.values()].map(({ node }) => node));
    search.hidden = names.length <= SHORT_LIST;
    find('#known-tickers').replaceChildren(
      ...(tickers?.initial ?? []).map((value) => el('option', { value })),
    );
  });

  view(['tickers', 'ticker', 'prices'], ({ ticker, prices }) => {
    for (const [name, shown] of rows) shown.write(name === ticker, prices.get(name));
  });
  search.addEventListener('input', () => {
    const wanted = search.value.trim().toUpperCase();
    for (const [name, { node }] of rows) node.hidden = !name.includes(wanted);
  });
}

/** The change as a fraction; `null` while the previous close is not known. */
function changeOf(known: Price | undefined): number | null {
  return !known || known.previous === null ? null : known.close / known.previous - 1;
}

function row(name: string, isIndex: boolean) {
  const radio = el('input', {
    type: 'radio',
    name: 'watched',
    value: name,
    onchange: () => chooseTicker(name),
  });
  const last = el('span.last', '–');
  const change = el('span.change', '–');
  const words = el('span.name', name, isIndex ? el('small', 'index') : '');
  return {
    node: el('label', radio, words, last, change),
    write(chosen: boolean, known: Price | undefined): void {
      if (radio.checked !== chosen) radio.checked = chosen;
      const moved = changeOf(known);
      setText(last, price(known?.close));
      setText(change, percent(moved));
      change.className = `change ${directionOf(moved ?? 0)}`;
    },
  };
}
