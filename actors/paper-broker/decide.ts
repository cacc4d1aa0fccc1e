import { optionalPriceText, quantityText } from '../../events/decimal.ts';
import type { Amendment, BrokerOrder } from '../trading/broker.ts';
import { draftOf, type Book, type BookOrder, type PaperDraft } from './book.ts';
import { amended } from './amended.ts';
import type { PaperRules } from './rules.ts';
import { meetSession } from './session.ts';
import { groupOf, hasLimit, hasStop, leftOf } from '../trading/state.ts';
import type { BookCommand } from './commands.ts';

/**
 * The events that follow from a command; none if the command changes nothing. A long session gives its events in parts:
 * repeat the command until it gives none. This never throws, because a broker refuses an order by a report.
 *
 * @example
 * const book = emptyBook();
 * for (const draft of decide({ type: 'session', session, funds }, book, rules)) evolve(book, draft);
 */
export function decide(command: BookCommand, book: Book, rules: PaperRules): readonly PaperDraft[] {
  switch (command.type) {
    case 'submit':
      return submit(command.order, book, rules);
    case 'cancel': {
      const { order_id } = command;
      // An unknown order may still be on its way: its id counts as done from now on, so that it has no effect.
      if (book.done.has(order_id)) return [];
      return [{ type: 'PaperOrderCancelled', data: { order_id, reason: 'requested' } }];
    }
    case 'amend':
      return amend(command, book);
    case 'session':
      return firstPart(meetSession(command, draftOf(book), rules));
  }
}

/** The most events of one append. Even the longest of them stay far below the store's limit of 1 MiB. */
const PART = 500;

/**
 * The drafts up to the end of an order: the drafts of one order are recorded together, because a crash may come before
 * the rest.
 */
function firstPart(drafts: readonly PaperDraft[]): readonly PaperDraft[] {
  let end = Math.min(PART, drafts.length);
  while (end < drafts.length && isOfSameOrder(drafts[end - 1]!, drafts[end]!)) end += 1;
  return drafts.slice(0, end);
}

const isOfSameOrder = ({ data: one }: PaperDraft, { data: other }: PaperDraft): boolean =>
  'order_id' in other &&
  // The reduction of linked orders is recorded in the same append as the fill that causes it.
  (('reason' in other && other.reason === 'linked') ||
    ('order_id' in one && one.order_id === other.order_id));

function amend(
  { order_id, amendment, quantity, price, stop_price }: Amendment,
  book: Book,
): readonly PaperDraft[] {
  const order = book.open.get(order_id);
  if (order === undefined || amendment <= (order.amendment ?? 0)) return [];
  if (quantity <= order.filled) {
    return [{ type: 'PaperOrderCancelled', data: { order_id, reason: 'amended' } }];
  }
  return [amended({ ...order, quantity, price, stop_price }, 'requested', amendment)];
}

function submit(order: BrokerOrder, book: Book, rules: PaperRules): readonly PaperDraft[] {
  const { order_id } = order;
  if (book.open.has(order_id) || book.done.has(order_id)) return [];
  const reason = fault(order, rules);
  if (reason !== null) return [{ type: 'PaperOrderRejected', data: { order_id, reason } }];
  const { linked_to, trail } = order;
  const linked = linked_to === undefined ? null : linkedTo(linked_to, book);
  if (linked?.length === 0 && book.done.has(linked_to!))
    return [{ type: 'PaperOrderRejected', data: { order_id, reason: 'LINKED_ORDER_DONE' } }];
  const data = {
    order_id,
    ticker: order.ticker,
    action: order.action,
    type: order.type,
    quantity: quantityText(order.quantity),
    price: optionalPriceText(order.price),
    stop_price: optionalPriceText(order.stop_price),
    time_in_force: order.time_in_force,
    reduce_only: order.reduce_only,
    ...(linked_to !== undefined && { linked_to }),
    ...(trail !== undefined && { trail }),
  };
  const accepted: PaperDraft = { type: 'PaperOrderAccepted', data };
  // The order was decided on before the fill of a linked order was known.
  const [left] = (linked ?? []).map(leftOf);
  if (left === undefined || left >= order.quantity) return [accepted];
  return [accepted, amended({ ...order, quantity: left }, 'linked')];
}

const linkedTo = (group: string, { open }: Book): BookOrder[] =>
  [...open.values()].filter((order) => groupOf(order) === group);

/** Why an order cannot be worked, as a code. */
function fault({ type, quantity, price, stop_price }: BrokerOrder, { lot }: PaperRules): string | null {
  if (quantity <= 0n || quantity % lot !== 0n) return 'QUANTITY_STEP';
  if (hasLimit(type) && (price === null || price <= 0n)) return 'PRICE_REQUIRED';
  if (hasStop(type) && (stop_price === null || stop_price <= 0n)) return 'STOP_PRICE_REQUIRED';
  return null;
}
