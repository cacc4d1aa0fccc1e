import { z } from 'zod';
import { OrderAction, OrderType, TimeInForce } from '../../events/catalog/trading.ts';
import { isJson, type Json } from '../../events/json.ts';
import { Ticker } from '../../events/messages/ticker.ts';
import type { Answer } from './port.ts';

const LONGEST_REASON = 200;
const Reason = z.string().max(LONGEST_REASON).nullish();
/** The largest amount that is accepted. Larger ones are mistakes. */
const LARGEST = 1e12;
const Amount = z.number().min(-LARGEST).max(LARGEST);
const PositiveAmount = Amount.positive();

/** Exactly one of amount and percent is given. */
const Trail = z
  .strictObject({
    amount: PositiveAmount.optional(),
    percent: z.number().min(0.000001).max(99.999999).optional(),
  })
  .refine(
    ({ amount, percent }) => (amount === undefined) !== (percent === undefined),
    'must have either an amount or a percent',
  );

/** Exactly one of weight, quantity and value is given. */
const Target = z
  .strictObject({
    ticker: Ticker,
    time_in_force: TimeInForce.extract(['day', 'gtc']).default('gtc'),
    reason: Reason,
    stop: PositiveAmount.optional(),
    trailing_stop: Trail.optional(),
    tolerance: z.number().min(0).max(0.5).optional(),
    weight: Amount.optional(),
    quantity: Amount.optional(),
    value: Amount.optional(),
  })
  .refine(
    ({ weight, quantity, value }) =>
      Number(weight !== undefined) + Number(quantity !== undefined) + Number(value !== undefined) === 1,
    'must have a ticker and one of weight, quantity or value, which must be a number',
  );

const Order = z.strictObject({
  /** The name by which other orders of the same answer are linked to it. */
  name: z.string().min(1).max(40).optional(),
  ticker: Ticker,
  action: OrderAction,
  quantity: PositiveAmount,
  type: OrderType.default('market'),
  price: PositiveAmount.nullish(),
  stop_price: PositiveAmount.nullish(),
  time_in_force: TimeInForce.default('day'),
  reduce_only: z.boolean().default(false),
  linked_to: z.string().max(100).optional(),
  trail: Trail.optional(),
  bracket: z
    .strictObject({
      take_profit: PositiveAmount.nullish(),
      stop_loss: PositiveAmount.nullish(),
      trail: Trail.nullish(),
    })
    .optional(),
  reason: Reason,
});

const Amendment = z.strictObject({
  order_id: z.string(),
  quantity: PositiveAmount.nullish(),
  price: PositiveAmount.nullish(),
  stop_price: PositiveAmount.nullish(),
});

/** A second target of a ticker would silently replace the first one. */
function checkTickers(targets: readonly z.output<typeof Target>[], context: z.core.$RefinementCtx): void {
  const seen = new Set<string>();
  for (const [at, { ticker }] of targets.entries()) {
    if (seen.has(ticker))
      context.addIssue({ code: 'custom', path: [at, 'ticker'], message: `${ticker} has a target already` });
    seen.add(ticker);
  }
}

/** Checks that each name is used once, and is defined before another order is linked to it. */
function checkNames(orders: readonly z.output<typeof Order>[], context: z.core.$RefinementCtx): void {
  const names = new Map<string, number>();
  for (const [at, { name }] of orders.entries()) {
    if (name === undefined) continue;
    if (names.has(name)) {
      context.addIssue({ code: 'custom', path: [at, 'name'], message: `there are two orders named ${name}` });
    }
    names.set(name, at);
  }
  for (const [at, { linked_to }] of orders.entries()) {
    const first = linked_to === undefined ? undefined : names.get(linked_to);
    if (first !== undefined && first >= at) {
      const message = `${linked_to} must come before the order that is linked to it`;
      context.addIssue({ code: 'custom', path: [at, 'linked_to'], message });
    }
  }
}

/** The most characters that the JSON of a strategy's `state` may have. */
const STATE_LIMIT = 64 * 1024;
const isSmall = (state: unknown): boolean => JSON.stringify(state).length <= STATE_LIMIT;

/** A strategy's answer to a session; every member is optional. */
export const StrategyAnswer = z.strictObject({
  targets: z.array(Target).max(5_000).superRefine(checkTickers).default([]),
  orders: z.array(Order).max(1_000).superRefine(checkNames).default([]),
  /** The ids of open orders to cancel. */
  cancel: z.array(z.string()).max(1_000).default([]),
  /** Changes of open orders. */
  amend: z.array(Amendment).max(1_000).default([]),
  plot: z.record(z.string().max(60), z.number()).default({}),
  state: z
    .custom<z.core.util.JSONType>((state) => isJson(state), 'must be JSON')
    .refine(isSmall, 'must be at most 64 KiB of JSON')
    .optional(),
});
export type StrategyAnswer = z.output<typeof StrategyAnswer>;

const NOTHING = StrategyAnswer.parse({});

/**
 * A fast way to read an answer that has only weights and a state, as most have, from a strategy whose types were
 * checked. The result is what the schema gives, in a twentieth of the time. `null` for any other answer and for a
 * faulty one: the schema then reads it and names the fault.
 */
export function plainAnswer(answer: Answer | undefined): StrategyAnswer | null {
  if (answer === undefined) return NOTHING;
  const { targets = [], state, orders, cancel, amend, plot } = answer;
  if ((orders ?? cancel ?? amend ?? plot) !== undefined) return null;
  const weights: StrategyAnswer['targets'] = [];
  const seen = new Set<string>();
  for (const target of targets) {
    if (!isWeight(target) || seen.has(target.ticker)) return null;
    seen.add(target.ticker);
    const { ticker, weight, time_in_force = 'gtc', reason } = target;
    const read: StrategyAnswer['targets'][number] = { ticker, time_in_force, weight };
    if (reason !== undefined) read.reason = reason;
    weights.push(read);
  }
  if (state === undefined) return { ...NOTHING, targets: weights };
  if (!isJson(state) || (longestJson(state) > STATE_LIMIT && !isSmall(state))) return null;
  return { ...NOTHING, targets: weights, state: state as Memory };
}

/**
 * The most characters that the JSON of a value can have: 24 for a number, and for a text six for each of its
 * characters, if all are escaped.
 */
function longestJson(value: Json): number {
  if (typeof value === 'string') return 6 * value.length + 2;
  if (typeof value !== 'object' || value === null) return 24;
  let length = 2;
  if (Array.isArray(value)) for (const each of value) length += longestJson(each) + 1;
  else for (const [name, each] of Object.entries(value)) length += 6 * name.length + 4 + longestJson(each);
  return length;
}

type Memory = NonNullable<StrategyAnswer['state']>;
type AnyTarget = NonNullable<Answer['targets']>[number];
type Amounts = Partial<Record<'weight' | 'quantity' | 'value', number>>;

/** Whether a target gives a weight and nothing else. */
function isWeight(target: AnyTarget): target is AnyTarget & { readonly weight: number } {
  const { weight, quantity, value }: Amounts = target;
  const { stop, trailing_stop, tolerance, reason = '' } = target;
  return (
    weight !== undefined &&
    Math.abs(weight) <= LARGEST &&
    reason.length <= LONGEST_REASON &&
    (quantity ?? value ?? stop ?? trailing_stop ?? tolerance) === undefined
  );
}
