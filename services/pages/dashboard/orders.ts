import { find } from '../dom.ts';
import { allow, choice, commands } from './send-command.ts';
import { amount, count, price, words } from './format.ts';
import { isOpen, state, view, type Order } from './state.ts';
import { keyedRows, setText, type Column } from './table.ts';

/** The rows of a page; fewer on narrow screens, where each row takes two lines. */
const PAGE = matchMedia('(max-width: 48rem)').matches ? 10 : 25;
/** Shorter words for long statuses. */
const STATUS: Readonly<Partial<Record<Order['status'], string>>> = {
  partially_filled: 'part filled',
  pending_cancel: 'cancelling',
};
const BY: Readonly<Record<Order['origin'], string>> = { client: 'you', strategy: 'strategy', close: 'close' };

const newer = find('#newer');
const older = find('#older');

let shown = 'all';
/** The first order of an earlier page, which new orders do not move; `null` for the newest page. */
let top: string | null = null;

/** Shows orders, newest first, page by page; only one page is drawn. */
export function showOrders(): void {
  const draw = keyedRows(find('#orders-table'), { columns: COLUMNS, keyOf, action: 'Cancel', build });
  const redraw = () => {
    const { listed, from } = look();
    const page = listed.slice(from, from + PAGE);
    draw(page);
    setText(find('#orders-count'), count(listed.length));
    setText(find('#order-page'), page.length === 0 ? '0' : `${from + 1}–${from + page.length}`);
    find('#no-orders').hidden = page.length > 0;
    setText(find('#no-orders'), shown === 'open' ? 'No open orders.' : 'No orders.');
    newer.ariaDisabled = String(from === 0);
    older.ariaDisabled = String(from + PAGE >= listed.length);
  };
  const turn = (by: number) => {
    const { listed, from } = look();
    const first = listed[Math.max(0, from + by)];
    if (first === undefined) return;
    top = first === listed[0] ? null : first.order_id;
    redraw();
  };

  view(['orders', 'readOnly'], redraw);
  newer.addEventListener('click', () => turn(-PAGE));
  older.addEventListener('click', () => turn(PAGE));
  choice(find('#order-filter'), (orders) => {
    shown = orders;
    top = null;
    redraw();
  });
}

/** The orders that pass the filter, newest first, and where the page begins. */
function look(): { listed: Order[]; from: number } {
  const all = [...state.orders.values()].reverse();
  const listed = shown === 'open' ? all.filter(isOpen) : all;
  const from = top === null ? 0 : listed.findIndex(({ order_id }) => order_id === top);
  return { listed, from: Math.max(0, from) };
}

const keyOf = ({ order_id }: Order): string => order_id;

const COLUMNS: readonly Column<Order>[] = [
  ['Time', 'wide', (order) => [dayOf(order)]],
  ['Ticker', '', (order) => [order.ticker, orderWords(order)]],
  ['Side', 'wide', ({ action }) => [action, '', action === 'buy' ? 'gain' : 'loss']],
  ['Type', 'wide', ({ type, time_in_force }) => [`${words(type)} · ${time_in_force}`]],
  ['Quantity', 'number wide', (order) => [quantityOf(order)]],
  ['Price', 'number wide', (order) => [pricesOf(order) || '–']],
  ['Average', 'number wide extra', ({ average_price }) => [price(average_price)]],
  ['Fees', 'number wide extra', ({ fees }) => [fees === 0 ? '–' : amount(fees)]],
  ['By', 'wide extra', ({ origin }) => [BY[origin]]],
  [
    'Status',
    'status',
    (order) => [STATUS[order.status] ?? order.status, endWords(order), `state ${order.status}`],
  ],
];

function build(cancel: HTMLButtonElement, orderId: string, row: HTMLElement): (order: Order) => void {
  let name = '';
  commands(cancel, `/api/trading/cancel/${encodeURIComponent(orderId)}`, {
    done: () => `Cancelling ${name}. It may still be filled before that.`,
    failed: () => `${name} was not cancelled`,
  });

  return (order) => {
    name = `${order.action} ${count(order.quantity)} ${order.ticker}`;
    row.dataset.reason = String(order.reject_reason !== null);
    row.title = order.reject_reason ?? '';
    const open = isOpen(order);
    cancel.hidden = !open;
    cancel.ariaLabel = `Cancel ${name}`;
    allow(cancel, open && order.status !== 'pending_cancel', 'It is being cancelled');
  };
}

const orderWords = (order: Order): string =>
  `${order.action} ${quantityOf(order)} ${words(order.type)} ${pricesOf(order)} · ${dayOf(order)}`;

const endWords = ({ reject_reason, average_price }: Order): string =>
  reject_reason ?? (average_price === null ? '' : `at ${price(average_price)}`);

const dayOf = ({ timestamp }: Order): string => timestamp.slice(0, 10);

/** `40 / 120` for a partly filled order. */
function quantityOf({ quantity, filled_quantity: filled }: Order): string {
  return filled > 0 && filled < quantity ? `${count(filled)} / ${count(quantity)}` : count(quantity);
}

function pricesOf({ type, price: limit, stop_price }: Order): string {
  if (type === 'market') return '';
  return type === 'stop_limit' ? `${price(stop_price)} / ${price(limit)}` : price(limit);
}
