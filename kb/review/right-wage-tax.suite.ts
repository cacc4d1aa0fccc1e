/**
 * Wage tax of a month of regular pay in 2019 to 2022 for an employee with statutory insurance under 64, written from §
 * 32a and § 39b EStG, § 51a EStG and §§ 3, 4 SolzG, and independently of the programme in `wage-tax.ts`. Amounts are
 * cents.
 */
interface Tariff {
  readonly free: number;
  readonly zones: readonly [first: number, second: number, third: number];
  /**
   * In hundredths: the factors of the square in both lower zones, the start of the second, and the deductions of the
   * upper zones.
   */
  readonly square: readonly [number, number];
  readonly start: number;
  readonly off: readonly [number, number];
  readonly classV: readonly [number, number, number];
  readonly pensionPercent: bigint;
  readonly child: number;
  readonly soliFree: number;
  readonly soliRise: bigint;
}

const TARIFFS: Readonly<Record<number, Tariff>> = {
  2019: {
    free: 9168,
    zones: [14_254, 55_960, 265_326],
    square: [98_014, 21_616],
    start: 96_558,
    off: [878_090, 1_674_068],
    classV: [10_635, 27_980, 212_261],
    pensionPercent: 76n,
    child: 7620,
    soliFree: 972,
    soliRise: 200n,
  },
  2020: {
    free: 9408,
    zones: [14_532, 57_051, 270_500],
    square: [97_287, 21_202],
    start: 97_279,
    off: [896_374, 1_707_874],
    classV: [10_898, 28_526, 216_400],
    pensionPercent: 80n,
    child: 7812,
    soliFree: 972,
    soliRise: 200n,
  },
  2021: {
    free: 9744,
    zones: [14_753, 57_918, 274_612],
    square: [99_521, 20_885],
    start: 95_096,
    off: [913_663, 1_737_499],
    classV: [11_237, 28_959, 219_690],
    pensionPercent: 84n,
    child: 8388,
    soliFree: 16_956,
    soliRise: 119n,
  },
  2022: {
    free: 9984,
    zones: [14_926, 58_596, 277_825],
    square: [100_870, 20_643],
    start: 93_824,
    off: [926_753, 1_760_228],
    classV: [11_480, 29_298, 222_260],
    pensionPercent: 88n,
    child: 8388,
    soliFree: 16_956,
    soliRise: 119n,
  },
};

/** From June 2022 on, for the whole year (Steuerentlastungsgesetz 2022): also 200 euros more of the allowance of employees. */
const TARIFF_OF_JUNE: Tariff = {
  ...TARIFFS[2022]!,
  free: 10_347,
  square: [108_867, 20_643],
  start: 86_932,
  off: [933_645, 1_767_120],
  classV: [11_793, 29_298, 222_260],
};

export interface TaxCase {
  readonly year: number;
  /** Whether the law of June 2022 holds. */
  readonly isOfJune: boolean;
  readonly taxClass: 1 | 2 | 3 | 4 | 5 | 6;
  readonly pay: number;
  readonly ceilingRv: number;
  readonly ceilingKv: number;
  /** In thousandths of a percent. */
  readonly additional: number;
  readonly careRate: number;
  /** Halves of child allowances. */
  readonly halfChildren: number;
  readonly churchPercent: bigint;
}

/** A lower zone of the tariff, `above` cents above its beginning. */
const zone = (above: bigint, of: number, linear: bigint, more: number): bigint =>
  ((BigInt(of) * above + linear * 100_000_000n) * above + BigInt(more) * 10n ** 12n) / 10n ** 14n;

/** The tax of the year in whole euros, from hundredths of a euro (§ 32a Abs. 1 EStG). */
function basicTax(cents: bigint, { free, zones, square, start, off }: Tariff): bigint {
  const [first, second, third] = zones.map((each) => BigInt(each) * 100n) as [bigint, bigint, bigint];
  const from = BigInt(free) * 100n;
  if (cents <= from) return 0n;
  if (cents <= first) return zone(cents - from, square[0], 1400n, 0);
  if (cents <= second) return zone(cents - first, square[1], 2397n, start);
  const [rate, less] = cents <= third ? [42n, off[0]] : [45n, off[1]];
  return (cents * rate - BigInt(less) * 100n) / 10_000n;
}

/** Classes V and VI (§ 39b Abs. 2 Satz 7 EStG). */
function upperClassTax(euros: bigint, tariff: Tariff): bigint {
  const [low, middle, high] = tariff.classV.map(BigInt) as [bigint, bigint, bigint];
  const twice = (of: bigint): bigint => {
    const difference = 2n * (basicTax(of * 125n, tariff) - basicTax(of * 75n, tariff));
    const least = (of * 14n) / 100n;
    return difference > least ? difference : least;
  };
  if (euros > high)
    return (twice(middle) * 100n + (high - middle) * 42n) / 100n + ((euros - high) * 45n) / 100n;
  if (euros > middle) return (twice(middle) * 100n + (euros - middle) * 42n) / 100n;
  const whole = twice(euros);
  if (euros <= low) return whole;
  const most = (twice(low) * 100n + (euros - low) * 42n) / 100n;
  return most < whole ? most : whole;
}

const up = (cents: bigint): bigint => (cents + 99n) / 100n;
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Wage tax, solidarity surcharge and church tax of the month, in cents. */
export function taxesOf(of: TaxCase): { tax: number; soli: number; church: number } {
  const tariff = of.isOfJune ? TARIFF_OF_JUNE : TARIFFS[of.year]!;
  const year = BigInt(of.pay) * 12n;
  const pension = (least(year, BigInt(of.ceilingRv) * 12n) * tariff.pensionPercent * 93n) / 100_000n;
  const health =
    (least(year, BigInt(of.ceilingKv) * 12n) * BigInt(14_000 + of.additional + 2 * of.careRate)) / 200_000n;
  const lump = least((year * 12n) / 100n, of.taxClass === 3 ? 300_000n : 190_000n);
  const [a, b] = [up(pension + health), up(pension + lump)];
  const provision = a > b ? a : b;
  const flat = of.taxClass === 6 ? 0n : of.isOfJune ? 1236n : 1036n;
  const single = of.taxClass === 2 ? (of.year < 2022 ? 1908n : 4008n) : 0n;
  const taxOf = (allowance: bigint): bigint => {
    const due = year - (flat + single + provision) * 100n - allowance * 100n;
    if (due < 100n) return 0n;
    if (of.taxClass > 4) return upperClassTax(due / 100n, tariff);
    if (of.taxClass === 3) return 2n * basicTax((due / 200n) * 100n, tariff);
    return basicTax((due / 100n) * 100n, tariff);
  };
  const children = of.taxClass > 4 ? 0 : of.halfChildren;
  const each = of.taxClass === 4 ? tariff.child / 2 : tariff.child;
  const base = taxOf((BigInt(each) * BigInt(children)) / 2n);
  const free = BigInt(tariff.soliFree * (of.taxClass === 3 ? 2 : 1));
  const surcharge = base <= free ? 0n : least((base * 55n) / 10n, ((base - free) * tariff.soliRise) / 10n);
  return {
    tax: Number((taxOf(0n) * 100n) / 12n),
    soli: Number(surcharge / 12n),
    church: Number((((base * 100n) / 12n) * of.churchPercent) / 100n),
  };
}
