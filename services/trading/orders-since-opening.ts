import { ORDER_LIFECYCLE } from '../../actors/trading/order-lifecycle.ts';
import { accountStream } from '../../events/catalog/trading.ts';
import type { RecordReader } from '../../events/store/store.ts';

const OF_ORDER = new Set<string>(ORDER_LIFECYCLE.events);

/**
 * The ids of orders with events since the account's last session was opened, which include all that the session has
 * filled or ended. Rejects with `STORE_UNAVAILABLE`.
 */
export async function ordersSinceOpening(
  store: Pick<RecordReader, 'readStream'>,
  account: string,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const { type, data } of store.readStream(accountStream(account), { direction: 'backwards' })) {
    if (type === 'SessionOpened') break;
    if (OF_ORDER.has(type)) found.add((data as { readonly order_id: string }).order_id);
  }
  return found;
}
