import { find } from '../dom.ts';
import { allow, commands, notLive } from './send-command.ts';
import { amount, count, day, directionOf, price, share, signed } from './format.ts';
import { chooseTicker } from './history.ts';
import { isOpen, view, type Status } from './state.ts';
import { keyedRows, setText, type Column } from './table.ts';

type Held = Status['positions'][string] & {
  readonly ticker: string;
  readonly closing: boolean;
  /** The share of the account's value that the position has. */
  readonly share: number;
};

/** Shows the positions, the largest first, each with a button that closes it. */
export function showPositions(): void {
  const draw = keyedRows(find('#positions-table'), { columns: COLUMNS, keyOf, action: 'Close', build });
  view(['status', 'orders', 'readOnly', 'connection'], ({ status, orders }) => {
    if (status === null) return;
    const closes = orders.values().filter((order) => order.origin === 'close' && isOpen(order));
    const closing = new Set(closes.map(({ ticker }) => ticker));
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

const keyOf = ({ ticker }: Held): string => ticker;

const COLUMNS: readonly Column<Held>[] = [
  ['Ticker', '', (held) => [held.ticker, heldWords(held), 'quiet ticker'], chooseTicker],
  ['Quantity', 'number wide', (held) => [quantityOf(held)]],
  ['Average', 'number wide', ({ average_price }) => [price(average_price)]],
  ['Last', 'number wide', (held) => [lastOf(held)]],
  ['Value', 'number', (held) => [amount(held.market_value), `at ${lastOf(held)}`]],
  ['Share', 'number wide extra', (held) => [share(held.share)]],
  ['By', 'wide extra', (held) => [openedBy(held)]],
  ['Unrealised', 'number', (held) => gain(held.unrealized_pnl, signed(held.unrealized_pnl), changeOf(held))],
  ['%', 'number wide', (held) => gain(held.unrealized_pnl, changeOf(held))],
  ['Realised', 'number wide extra', ({ realized_pnl }) => gain(realized_pnl, signed(realized_pnl))],
];

const gain = (value: number, words: string, below = '') => [words, below, directionOf(value)] as const;

function build(close: HTMLButtonElement, ticker: string): (position: Held) => void {
  close.ariaLabel = `Close ${ticker}`;
  commands(close, `/api/trading/positions/close/${encodeURIComponent(ticker)}`, {
    done: () => `Closing ${ticker} with a market order in the next session.`,
    failed: () => `${ticker} was not closed`,
  });

  return ({ closing }) => {
    setText(close, closing ? 'Closing' : 'Close');
    const refusal = notLive() || (closing ? 'There is already an open order to close it' : '');
    allow(close, refusal === '', refusal);
  };
}

const quantityOf = ({ quantity, side }: Held): string =>
  `${count(quantity)}${side === 'short' ? ' short' : ''}`;

const heldWords = (held: Held): string => `${quantityOf(held)} @ ${price(held.average_price)}`;

const changeOf = (position: Held): string => `${signed(position.unrealized_pnl_percent)}%`;

/** A price from an earlier day is shown with that day. */
function lastOf({ current_price, stale, price_session }: Held): string {
  return stale ? `${price(current_price)} of ${day(price_session)}` : price(current_price);
}

/** Who opened the position. The strategy sells only what it has opened. */
function openedBy({ quantity, strategy_quantity: own }: Held): string {
  if (own === quantity) return 'strategy';
  return own === 0 ? 'you' : `strategy ${count(own)}, you ${count(quantity - own)}`;
}
