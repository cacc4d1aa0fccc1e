import { accountStream } from '../../../events/catalog/trading.ts';
import type { RecordedEvent } from '../../../events/store/store.ts';
import { openEvent } from './open.ts';
import { ORDER_EVENTS, OrderWalk } from './order-walk.ts';
import type { Plot, StorySource } from './story.ts';
import { Timeline } from './timeline.ts';

/** As `orderId` makes them: nothing else is searched for. */
const ORDER_ID = /^o-[0-9a-f]{16}$/;

const ACCOUNTS = accountStream('');
/** Whole categories: the record has an index of those. */
const CATEGORIES = [ACCOUNTS, 'paper-'];

const TYPES = [
  'OrderSubmitted',
  ...ORDER_EVENTS,
  'DiscrepancyFound',
  'PaperOrderAccepted',
  'PaperOrderRejected',
  'PaperOrderTriggered',
  'PaperTradeExecuted',
  'PaperOrderCancelled',
  'PaperOrderExpired',
  'PaperOrderAdjusted',
];

/**
 * An order by its account's events and its paper broker's. The id says nothing of its account, and nobody knows what
 * follows last: the record's order events are read backwards from the end to the submission, and no further.
 */
export async function plotOrder({ store, codec }: StorySource, id: string): Promise<Plot | null> {
  if (!ORDER_ID.test(id)) return null;
  const events: RecordedEvent[] = [];
  const filter = { streamPrefixes: CATEGORIES, types: TYPES };
  for await (const event of store.readAll({ direction: 'backwards', filter })) {
    if (!isOf(event, id)) continue;
    events.push(event);
    if (event.type === 'OrderSubmitted') break;
  }
  if (events.length === 0) return null;
  const order = new OrderWalk();
  const told = new Timeline();
  for (const event of events.reverse()) {
    const isAccounts = event.stream.startsWith(ACCOUNTS);
    const state = isAccounts ? order.take(event.type, (await openEvent(codec, event)).data) : null;
    told.add({ event, state });
  }
  return { kind: 'order', walk: order.walk, parts: [told] };
}

function isOf({ data }: RecordedEvent, id: string): boolean {
  return typeof data === 'object' && data !== null && 'order_id' in data && data.order_id === id;
}
