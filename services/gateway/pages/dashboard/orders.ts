import { el, find } from '../dom.ts';
import { allow, choice, commands } from './command.ts';
import { amount, count, price, words } from './format.ts';
import { isOpen, state, view, type Order } from './state.ts';
import { cells, keyedRows, setText, type Column } from './table.ts';

/** Rows of a page; fewer where each takes two lines. */
const PAGE = matchMedia('(max-width: 48rem)').matches ? 10 : 25;
/** Where the service's word is long. */
const STATUS: Readonly<Partial<Record<Order['status'], string>>> = {
  partially_filled: 'part filled',
  pending_cancel: 'cancelling',
};
const BY: Readonly<Record<Order['origin'], string>> = { client: 'you', strategy: 'strategy', close: 'close' };

const body = find('#orders-table tbody');
const newer = find('#newer');
const older = find('#older');

let shown = 'all';
/** The order at the top of an earlier page, which stays there while new ones come in; `null`: the newest. */
let top: string | null = null;

/** Orders, newest first, a page at a time: however many there are, only these are drawn. */
export function showOrders(): void {
  const draw = keyedRows<Order>(body, { keyOf: ({ order_id }) => order_id, build });
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

/** What the filter lets through, newest first, and where the page begins. */
function look(): { listed: Order[]; from: number } {
  const all = [...state.orders.values()].reverse();
  const listed = shown === 'open' ? all.filter(isOpen) : all;
  const from = top === null ? 0 : listed.findIndex(({ order_id }) => order_id === top);
  return { listed, from: Math.max(0, from) };
}

/** What stands in the columns of the table before the last one. */
const COLUMNS: readonly Column<Order>[] = [
  (order) => [dayOf(order)],
  (order) => [
    order.ticker,
    `${order.action} ${quantityOf(order)} ${words(order.type)} ${pricesOf(order)} · ${dayOf(order)}`,
  ],
  ({ action }) => [action, '', action === 'buy' ? 'gain' : 'loss'],
  ({ type, time_in_force }) => [`${words(type)} · ${time_in_force}`],
  (order) => [quantityOf(order)],
  (order) => [pricesOf(order) || '–'],
  ({ average_price }) => [price(average_price)],
  ({ fees }) => [fees === 0 ? '–' : amount(fees)],
  ({ origin }) => [BY[origin]],
  ({ status, reject_reason, average_price }) => [
    STATUS[status] ?? status,
    reject_reason ?? (average_price === null ? '' : `at ${price(average_price)}`),
    `state ${status}`,
  ],
];

function build(row: HTMLElement, orderId: string): (order: Order) => void {
  const write = cells(row, COLUMNS, 1);
  const cancel = el('button', { type: 'button' }, 'Cancel');
  row.append(el('td.act', cancel));
  let name = '';
  commands(cancel, `/api/trading/cancel/${encodeURIComponent(orderId)}`, {
    done: () => `Cancelling ${name}. It may still be filled before that.`,
    failed: () => `${name} was not cancelled`,
  });

  return (order) => {
    name = `${order.action} ${count(order.quantity)} ${order.ticker}`;
    write(order);
    row.dataset.reason = String(order.reject_reason !== null);
    row.title = order.reject_reason ?? '';
    const open = isOpen(order);
    cancel.hidden = !open;
    cancel.ariaLabel = `Cancel ${name}`;
    allow(cancel, open && order.status !== 'pending_cancel', 'It is being cancelled');
  };
}

const dayOf = ({ timestamp }: Order): string => timestamp.slice(0, 10);

/** `40 / 120` where some of it is filled. */
function quantityOf({ quantity, filled_quantity: filled }: Order): string {
  return filled > 0 && filled < quantity ? `${count(filled)} / ${count(quantity)}` : count(quantity);
}

function pricesOf({ type, price: limit, stop_price }: Order): string {
  if (type === 'market') return '';
  return type === 'stop_limit' ? `${price(stop_price)} / ${price(limit)}` : price(limit);
}
