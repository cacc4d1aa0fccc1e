import { canonicalJson, type Json } from '../../events/json.ts';
import type { AccountData } from './commands.ts';

/** The terms of an order as its client sends them. */
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

/** A text that is equal for two orders if the client sent the same terms. */
export function fingerprintOf(body: Body): string {
  const { reduce_only, linked_to, trail, bracket } = body;
  const more = { ...(reduce_only && { reduce_only }), linked_to, trail, bracket };
  const said = canonicalJson(JSON.parse(JSON.stringify(more)) as Json);
  return [
    body.ticker,
    body.action,
    body.type,
    body.quantity,
    // The first stop of a trailing order is derived from the last price and not sent by the client.
    trail === undefined ? (body.price ?? '') : '',
    trail === undefined ? (body.stop_price ?? '') : '',
    body.time_in_force,
    body.client_timestamp ?? '',
    ...(said === '{}' ? [] : [said]),
  ].join(' ');
}
