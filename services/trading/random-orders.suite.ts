import { hash } from 'node:crypto';
import type { SessionData } from '../../events/messages/market.ts';
import { dayOf, type FakeMarketOptions } from './market.suite.ts';

/** A number from 0 to below 1 that depends on the words only. */
const chance = (...words: readonly unknown[]): number =>
  Number.parseInt(hash('sha256', words.join('/'), 'hex').slice(0, 8), 16) / 2 ** 32;

const cents = (price: number): number => Math.max(0.01, Math.round(price * 100) / 100);

/**
 * A market of gaps, thin days, missing bars, splits and dividends, with a further column, a series and (of each third seed) a
 * universe, drawn by a seed.
 */
export function wildMarket(
  seed: number,
  days: number,
  warmUp: number,
): Omit<FakeMarketOptions, 'days'> & Required<Pick<FakeMarketOptions, 'bar'>> {
  const splits: Record<number, Record<string, string>> = {};
  const dividends: Record<number, Record<string, number>> = {};
  const bars = new Map<string, SessionData['bars'][string] | null>();
  for (const ticker of ['AAA', 'BBB']) {
    let close = 20 + Math.round(chance(seed, ticker) * 100);
    for (let n = 0; n < days; n += 1) {
      const draw = (what: string): number => chance(seed, ticker, n, what);
      if (n > warmUp && draw('split') < 0.04) {
        const [news, olds] = [
          [2, 1],
          [3, 2],
          [1, 3],
        ][Math.floor(draw('ratio') * 3)]!;
        (splits[n] ??= {})[ticker] = `${news}/${olds}`;
        close = cents((close * olds!) / news!);
      }
      if (n > warmUp && draw('dividend') < 0.06) (dividends[n] ??= {})[ticker] = cents(close * 0.01);
      if (n > warmUp && draw('missing') < 0.06) {
        bars.set(`${ticker}/${n}`, null);
        continue;
      }
      const gap = draw('gaps') < 0.25 ? 0.2 : 0.01;
      const open = cents(close * (1 + gap * (draw('gap') - 0.5)));
      const end = cents(open * (1 + 0.06 * (draw('end') - 0.5)));
      const high = cents(Math.max(open, end) * (1 + 0.03 * draw('high')));
      const low = cents(Math.min(open, end) * (1 - 0.03 * draw('low')));
      const thin = draw('thin');
      const volume = thin < 0.05 ? 0 : thin < 0.3 ? Math.ceil(draw('volume') * 400) : 1_000_000;
      const columns = draw('mood') < 0.5 ? { columns: { mood: Math.round(draw('value') * 100) } } : {};
      bars.set(`${ticker}/${n}`, { open, high, low, close: end, volume, ...columns });
      close = end;
    }
  }
  const universe = (n: number): string[] | null =>
    seed % 3 > 0
      ? null
      : ['AAA', 'BBB'].filter((ticker) => chance(seed, ticker, Math.floor(n / 15), 'universe') < 0.8);
  // A value of each week, known from its second day on.
  const series = (n: number) => {
    const week = Math.floor((n - 1) / 7);
    return n < 1
      ? {}
      : { rate: { date: dayOf(week * 7), value: Math.round(chance(seed, 'rate', week) * 100) } };
  };
  return {
    warmUp,
    splits,
    dividends,
    universe,
    series,
    bar: (ticker, n) => bars.get(`${ticker}/${n}`) ?? null,
  };
}

/**
 * A strategy that draws orders of each kind, by its parameter `seed` and what it is shown: so it wants the same wherever the
 * account is the same, and something else as soon as it is not.
 */
export const RANDOM_ORDERS = `
const pick = (random, list) => list[Math.floor(random() * list.length)];
const cents = (price) => Math.max(0.01, Math.round(price * 100) / 100);
function randomOf(text) {
  let seed = 7;
  for (let at = 0; at < text.length; at += 1) seed = Math.imul(seed ^ text.charCodeAt(at), 16777619);
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
export default {
  history: 4,
  parameters: { seed: { default: 1, min: 0, max: 100000 } },
  onSession({ date, bars, past, series, universe, account, parameters, state }) {
    // Ids are of the account, all else must be the same.
    const seen = JSON.stringify([account, past.closes('AAA'), past.of('AAA').columns, past.series('rate'), series, universe, state], (key, value) => (key.endsWith('_id') || key === 'linked_to' || key === 'exit_of' ? undefined : value));
    const random = randomOf(parameters.seed + '/' + date + '/' + seen);
    const answer = { orders: [], targets: [], cancel: [], amend: [], state: { days: (state?.days ?? 0) + 1 }, plot: { cash: account.cash } };
    for (const order of account.orders) {
      const chosen = random();
      if (chosen < 0.12) answer.cancel.push(order.order_id);
      else if (chosen < 0.25) answer.amend.push({ order_id: order.order_id, ...(random() < 0.5 ? { quantity: 1 + Math.floor(random() * 60) } : order.price === null ? {} : { price: cents(order.price * (0.97 + 0.06 * random())) }) });
    }
    for (const ticker of Object.keys(bars)) {
      const { close } = bars[ticker];
      const near = () => cents(close * (0.95 + 0.1 * random()));
      const trail = () => (random() < 0.5 ? { percent: 1 + Math.round(random() * 6) } : { amount: cents(close * 0.04) });
      if (random() < 0.2) {
        const protection = random();
        answer.targets.push({ ticker, weight: Math.round(random() * 40) / 100, reason: 'drawn', ...(protection < 0.4 ? { stop: cents(close * 0.95) } : protection < 0.7 ? { trailing_stop: trail() } : protection < 0.85 ? { tolerance: 0.2 } : {}) });
        continue;
      }
      if (random() < 0.45) continue;
      const type = pick(random, ['market', 'limit', 'stop', 'stop_limit']);
      const quantity = 1 + Math.floor(random() * 60);
      const order = { ticker, type, quantity, action: random() < 0.6 ? 'buy' : 'sell', time_in_force: pick(random, ['day', 'gtc', 'gtc', 'ioc', 'fok']) };
      if (type === 'stop' && random() < 0.5) order.trail = trail();
      else if (type !== 'market') order.price = near();
      if (type === 'stop_limit') order.stop_price = near();
      if (random() < 0.35) order.reduce_only = true;
      else if (random() < 0.4) order.bracket = order.action === 'buy' ? { take_profit: cents(close * 1.05), ...(random() < 0.5 ? { stop_loss: cents(close * 0.93) } : { trail: trail() }) } : { stop_loss: cents(close * 1.06) };
      const open = account.orders.filter((other) => other.ticker === ticker && other.filled === 0);
      if (open.length > 0 && random() < 0.5) {
        const other = pick(random, open);
        order.linked_to = other.order_id;
        order.quantity = other.quantity;
      }
      answer.orders.push(order);
      if (random() < 0.3) {
        answer.orders.at(-1).name = 'first';
        const price = cents(close * (order.action === 'buy' ? 1.03 : 0.97));
        answer.orders.push({ ticker, action: order.action, type: 'stop', price, quantity: order.quantity, time_in_force: 'gtc', linked_to: 'first', ...(order.reduce_only && { reduce_only: true }) });
        break;
      }
    }
    return answer;
  },
};`;
