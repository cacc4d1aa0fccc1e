import * as fc from 'fast-check';
import type { Price, Quantity, Ratio } from '../../events/decimal.ts';
import type { BrokerReport } from './broker.ts';

export const ONE = 100_000_000n;
const CENT = 1_000_000n;
export const TICKERS = ['AAA', 'BBB'] as const;

/** Something that happens to an account, drawn independently of its state, so that every part can be shrunk. */
export type Step =
  | { readonly do: 'submit'; readonly order: Drawn }
  | { readonly do: 'cancel' | 'withdraw' | 'delivery-unknown'; readonly nth: number }
  | { readonly do: 'close'; readonly ticker: string }
  | { readonly do: 'start' | 'stop' }
  | { readonly do: 'compare'; readonly off: bigint }
  | {
      readonly do: 'report';
      readonly nth: number;
      readonly type: Exclude<BrokerReport['type'], 'trade' | 'amended'>;
    }
  | {
      readonly do: 'trade';
      readonly nth: number;
      readonly part: number;
      readonly price: Price;
      readonly fee: bigint;
      readonly again: boolean;
    }
  | {
      readonly do: 'session';
      readonly splits: readonly Ratio[];
      readonly dividend: Price;
      readonly closes: readonly Price[];
    };

export interface Drawn {
  readonly ticker: string;
  readonly action: 'buy' | 'sell';
  readonly type: 'market' | 'limit' | 'stop' | 'stop_limit';
  readonly quantity: Quantity;
  readonly price: Price;
  readonly tif: 'day' | 'gtc' | 'ioc' | 'fok';
  readonly reduce_only: boolean;
  readonly client: number | null;
}

/** The index of an order; the highest of these numbers stands for no order. */
export const NOBODYS = 60;
const nth = fc.nat(NOBODYS);
const price = fc.integer({ min: 1, max: 20_000 }).map((cents) => BigInt(cents) * CENT);
const ticker = fc.constantFrom(...TICKERS);
const ratio = fc.constantFrom<Ratio>(
  { numerator: 1n, denominator: 1n },
  { numerator: 2n, denominator: 1n },
  { numerator: 3n, denominator: 2n },
  { numerator: 1n, denominator: 10n },
  { numerator: 10_000n, denominator: 3_333n },
);

const submit: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('submit' as const),
  order: fc.record({
    ticker,
    action: fc.constantFrom('buy', 'buy', 'sell'),
    type: fc.constantFrom('market', 'limit', 'stop', 'stop_limit'),
    quantity: fc.integer({ min: 1, max: 12 }).map((shares) => BigInt(shares) * ONE),
    price,
    tif: fc.constantFrom('day', 'gtc', 'ioc', 'fok'),
    reduce_only: fc.boolean(),
    client: fc.option(fc.nat(5)),
  }),
});

const trade: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('trade' as const),
  nth,
  /** The share of the order's rest that is traded. Above 1 it is more than there is. */
  part: fc.constantFrom(0.3, 0.3, 0.5, 0.5, 1, 1, 1, 1, 1, 1, 1.5),
  price: fc.integer({ min: 1, max: 3_000_000 }).map((units) => BigInt(units) * 9_973n),
  fee: fc.bigInt({ min: 0n, max: 50_000n * ONE * CENT }),
  again: fc.nat(9).map((of) => of === 0),
});

/** Any event, whatever the broker reports. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: submit },
  { weight: 8, arbitrary: trade },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel', 'withdraw', 'delivery-unknown'),
      nth,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), ticker }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('start', 'start', 'stop') }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('compare' as const), off: fc.constantFrom(0n, 0n, 0n, ONE) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      nth,
      type: fc.constantFrom('accepted', 'accepted', 'triggered', 'rejected', 'cancelled', 'expired'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('session' as const),
      splits: fc.array(ratio, { maxLength: 2 }),
      dividend: fc.nat(200).map((cents) => BigInt(cents) * CENT),
      closes: fc.array(price, { minLength: 2, maxLength: 2 }),
    }),
  },
);
