import { el, find } from '../dom.ts';
import { allow, commands } from './command.ts';
import { amount, count, day, directionOf, price, share, signed } from './format.ts';
import { chooseTicker } from './history.ts';
import { isOpen, view, type Status } from './state.ts';
import { cells, keyedRows, setText, type Column } from './table.ts';

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

/** What stands in the columns of the table between the first and the last one. */
const COLUMNS: readonly Column<Held>[] = [
  (position) => [quantityOf(position)],
  ({ average_price }) => [price(average_price)],
  (position) => [lastOf(position)],
  (position) => [amount(position.market_value), `at ${lastOf(position)}`],
  (position) => [share(position.share)],
  (position) => [openedBy(position)],
  (position) => [signed(position.unrealized_pnl), changeOf(position), directionOf(position.unrealized_pnl)],
  (position) => [changeOf(position), '', directionOf(position.unrealized_pnl)],
  ({ realized_pnl }) => [signed(realized_pnl), '', directionOf(realized_pnl)],
];

function build(row: HTMLElement, ticker: string): (position: Held) => void {
  const pick = el('button.quiet.ticker', { type: 'button', onclick: () => chooseTicker(ticker) }, ticker);
  const held = el('span.second');
  row.append(el('th', { scope: 'row' }, pick, held));
  const write = cells(row, COLUMNS);
  const close = el('button', { type: 'button', ariaLabel: `Close ${ticker}` }, 'Close');
  commands(close, `/api/trading/positions/close/${encodeURIComponent(ticker)}`, {
    done: () => `Closing ${ticker} with a market order in the next session.`,
    failed: () => `${ticker} was not closed`,
  });
  row.append(el('td.act', close));

  return (position) => {
    setText(held, `${quantityOf(position)} @ ${price(position.average_price)}`);
    write(position);
    setText(close, position.closing ? 'Closing' : 'Close');
    allow(close, !position.closing, 'There is already an open order to close it');
  };
}

const quantityOf = ({ quantity, side }: Held): string =>
  `${count(quantity)}${side === 'short' ? ' short' : ''}`;

const changeOf = (position: Held): string => `${signed(position.unrealized_pnl_percent)}%`;

/** A price that is not of today says of which day it is. */
function lastOf({ current_price, stale, price_session }: Held): string {
  return stale ? `${price(current_price)} of ${day(price_session)}` : price(current_price);
}

/** The strategy sells what it opened, and no more. */
function openedBy({ quantity, strategy_quantity: own }: Held): string {
  if (own === quantity) return 'strategy';
  return own === 0 ? 'you' : `strategy ${count(own)}, you ${count(quantity - own)}`;
}
