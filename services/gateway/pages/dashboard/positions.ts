import { el, find } from '../dom.ts';
import { allow, commands } from './command.ts';
import { amount, count, day, directionOf, price, share, signed } from './format.ts';
import { chooseTicker } from './history.ts';
import { isOpen, view, type Status } from './state.ts';
import { cell, keyedRows, setText } from './table.ts';

const body = find('#positions-table tbody');

type Held = Status['positions'][string] & {
  readonly ticker: string;
  readonly closing: boolean;
  /** Of the account's value. */
  readonly share: number;
};

/** What is held, the largest first by name, each with a button that closes it. */
export function showPositions(): void {
  const draw = keyedRows<Held>(body, { keyOf: ({ ticker }) => ticker, build });
  view(['status', 'orders', 'readOnly'], ({ status, orders }) => {
    if (status === null) return;
    const closing = new Set<string>();
    for (const order of orders.values())
      if (order.origin === 'close' && isOpen(order)) closing.add(order.ticker);
    const positions = Object.entries(status.positions)
      .map(([ticker, position]) => ({
        ...position,
        ticker,
        closing: closing.has(ticker),
        share: position.market_value / status.total_value,
      }))
      .sort((a, b) => (a.ticker < b.ticker ? -1 : 1));
    draw(positions);
    setText(find('#positions-count'), String(positions.length));
    find('#no-positions').hidden = positions.length > 0;
  });
}

function build(row: HTMLElement, ticker: string): (position: Held) => void {
  const pick = el('button.quiet.ticker', { type: 'button', onclick: () => chooseTicker(ticker) }, ticker);
  const held = el('span.second');
  const first = el('th', { attributes: { scope: 'row' } }, pick, held);
  row.append(first);
  const quantity = cell(row);
  const average = cell(row);
  const last = cell(row);
  const value = cell(row);
  const part = cell(row);
  const by = cell(row);
  const unrealized = cell(row);
  const ratio = cell(row);
  const realized = cell(row);
  const close = el('button', { type: 'button', attributes: { 'aria-label': `Close ${ticker}` } }, 'Close');
  commands(close, `/api/trading/positions/close/${encodeURIComponent(ticker)}`, {
    done: () => `Closing ${ticker} with a market order in the next session.`,
    failed: () => `${ticker} was not closed`,
  });
  row.append(el('td.act', close));

  return (position) => {
    const quantityWords = `${count(position.quantity)}${position.side === 'short' ? ' short' : ''}`;
    setText(held, `${quantityWords} @ ${price(position.average_price)}`);
    quantity(quantityWords);
    average(price(position.average_price));
    last(lastOf(position));
    value(amount(position.market_value), `at ${lastOf(position)}`);
    part(share(position.share));
    by(openedBy(position));
    const direction = directionOf(position.unrealized_pnl);
    const change = `${signed(position.unrealized_pnl_percent)}%`;
    unrealized(signed(position.unrealized_pnl), change, direction);
    ratio(change, '', direction);
    realized(signed(position.realized_pnl), '', directionOf(position.realized_pnl));
    setText(close, position.closing ? 'Closing' : 'Close');
    allow(close, !position.closing, 'There is already an open order to close it');
  };
}

/** A price that is not of today says of which day it is. */
function lastOf({ current_price, stale, price_session }: Held): string {
  return stale ? `${price(current_price)} of ${day(price_session)}` : price(current_price);
}

/** The strategy sells what it opened, and no more. */
function openedBy({ quantity, strategy_quantity: own }: Held): string {
  if (own === quantity) return 'strategy';
  return own === 0 ? 'you' : `strategy ${count(own)}, you ${count(quantity - own)}`;
}
