import type { z } from 'zod';
import type { OrderRequest } from '../../events/messages/trading.ts';
import { TICKERS } from './market.ts';

type OrderBody = z.input<typeof OrderRequest>;

/** What a client does, one after the other. Orders carry ids of the client's own, so that it can say again what got no answer. */
export type Step =
  | { readonly kind: 'start' | 'stop' | 'close-all' }
  | { readonly kind: 'order'; readonly body: OrderBody & { client_order_id: string } }
  /** Of an order further up, by its step. */
  | { readonly kind: 'cancel'; readonly step: number }
  | { readonly kind: 'close'; readonly ticker: string };

/** The same client for the same seed. */
export function scriptOf(random: () => number, count: number): Step[] {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const steps: Step[] = [{ kind: 'start' }];
  while (steps.length < count) {
    const dice = random();
    const earlier = steps.flatMap(({ kind }, step) => (kind === 'order' ? [step] : []));
    if (dice < 0.12 && earlier.length > 0) steps.push({ kind: 'cancel', step: pick(earlier.slice(-5)) });
    else if (dice < 0.16) steps.push({ kind: 'close', ticker: pick(TICKERS) });
    else if (dice < 0.18) steps.push({ kind: 'stop' }, { kind: 'start' });
    else if (dice < 0.19) steps.push({ kind: 'close-all' });
    else steps.push({ kind: 'order', body: orderOf(random, pick, steps.length) });
  }
  return steps;
}

function orderOf(random: () => number, pick: <T>(items: readonly T[]) => T, step: number) {
  const type = pick(['market', 'market', 'limit', 'stop', 'stop_limit'] as const);
  const price = Math.round(2_000 + random() * 14_000) / 100;
  return {
    ticker: pick(TICKERS),
    action: pick(['buy', 'buy', 'sell'] as const),
    // Some more than a bar's volume offers: those are filled in parts.
    quantity: Math.ceil(random() ** 3 * 900),
    type,
    ...(type === 'market' ? {} : { price }),
    ...(type === 'stop_limit' ? { stop_price: price } : {}),
    time_in_force: pick(['day', 'day', 'gtc', 'ioc', 'fok'] as const),
    client_order_id: `step-${step}`,
  };
}
