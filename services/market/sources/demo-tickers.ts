/** The behaviour of an invented instrument. */
export type DemoInstrument = ReturnType<typeof instrument>;

/** If a price falls below this, ten shares become one. */
export const REVERSE_BELOW = 10;

export const DEMO_INDEX = 'DEMO-INDEX';

function instrument(
  name: string,
  price: number,
  [beta, volatility]: readonly [number, number],
  turnover: number,
  pull: number,
  split: readonly [above: number, newShares: number, oldShares: number],
  dividend: readonly [yearly: number, month: number] | null,
) {
  const [above, ...ratio] = split;
  return {
    ticker: `DEMO-${name}`,
    /** The price before the first session. */
    price,
    /** How strongly the ticker follows the market. */
    beta,
    /** The daily standard deviation of the ticker's own moves. */
    volatility,
    /** The value of the shares traded on an ordinary day. */
    turnover,
    /** The long-term target of the price, as a multiple of the first; it keeps prices within bounds. */
    pull,
    /** Above this price shares are split; `ratio` is new shares for old ones. */
    split: { above, ratio },
    /**
     * The yearly dividend as a share of the price, paid in four parts. `month` 0 … 2 is the first ex-month of the year.
     * `null`: no dividend.
     */
    dividend: dividend === null ? null : { yearly: dividend[0], month: dividend[1] },
  };
}

/** The instruments. No exchange has these names, so nobody takes them for real shares. The index comes last. */
export const DEMO_INSTRUMENTS: readonly DemoInstrument[] = [
  instrument('ALDER', 118.4, [1.0, 0.011], 420e6, 7, [240, 2, 1], [0.018, 1]),
  instrument('ASPEN', 64.25, [1.3, 0.017], 260e6, 9, [150, 3, 1], null),
  instrument('BEECH', 47.9, [0.7, 0.009], 180e6, 5, [80, 3, 2], [0.031, 0]),
  instrument('BIRCH', 231.1, [1.1, 0.012], 520e6, 6, [400, 4, 1], [0.009, 2]),
  instrument('CEDAR', 33.6, [0.9, 0.014], 90e6, 4, [75, 2, 1], [0.024, 1]),
  instrument('HAZEL', 152.75, [1.5, 0.021], 610e6, 10, [350, 7, 1], null),
  instrument('JUNIPER', 18.3, [1.2, 0.022], 45e6, 0.4, [200, 2, 1], null),
  instrument('LARCH', 88.05, [0.5, 0.008], 150e6, 4, [160, 2, 1], [0.036, 2]),
  instrument('MAPLE', 71.5, [0.8, 0.01], 210e6, 5, [125, 3, 2], [0.022, 0]),
  instrument('OAK', 176.2, [0.9, 0.01], 380e6, 6, [320, 2, 1], [0.015, 1]),
  instrument('PINE', 25.8, [1.1, 0.016], 70e6, 6, [80, 5, 4], [0.012, 2]),
  instrument('WILLOW', 54.45, [1.4, 0.019], 130e6, 3, [130, 2, 1], null),
  instrument('INDEX', 100, [1.0, 0.001], 900e6, 6, [400, 2, 1], [0.016, 2]),
];
