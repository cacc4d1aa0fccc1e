import { canonicalJson, type Json } from '../../events/json.ts';
import type { AccountData } from './commands.ts';

/** What a client says of an order. */
export type Body = Pick<
  AccountData<'OrderSubmitted'>,
  | 'ticker'
  | 'action'
  | 'type'
  | 'quantity'
  | 'price'
  | 'stop_price'
  | 'time_in_force'
  | 'client_timestamp'
  | 'reduce_only'
  | 'linked_to'
  | 'trail'
  | 'bracket'
>;

/** Two bodies with the same `client_order_id` are the same if the client said the same of the order. */
export function fingerprintOf(body: Body): string {
  const { reduce_only, linked_to, trail, bracket } = body;
  const more = { ...(reduce_only && { reduce_only }), linked_to, trail, bracket };
  const said = canonicalJson(JSON.parse(JSON.stringify(more)) as Json);
  return [
    body.ticker,
    body.action,
    body.type,
    body.quantity,
    // The first stop of a trailing order is derived from the last price, so it is not said by the client.
    trail === undefined ? (body.price ?? '') : '',
    trail === undefined ? (body.stop_price ?? '') : '',
    body.time_in_force,
    body.client_timestamp ?? '',
    ...(said === '{}' ? [] : [said]),
  ].join(' ');
}
