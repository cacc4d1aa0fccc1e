import type { AccountData } from './commands.ts';

type Body = Pick<
  AccountData<'OrderSubmitted'>,
  'ticker' | 'action' | 'type' | 'quantity' | 'price' | 'stop_price' | 'time_in_force' | 'client_timestamp'
>;

/** What makes two bodies of one `client_order_id` the same: everything that the client says of the order. */
export function fingerprintOf(body: Body): string {
  return [
    body.ticker,
    body.action,
    body.type,
    body.quantity,
    body.price ?? '',
    body.stop_price ?? '',
    body.time_in_force,
    body.client_timestamp ?? '',
  ].join(' ');
}
