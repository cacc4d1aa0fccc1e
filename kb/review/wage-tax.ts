import { add, compare, decimal, multiply, rational, subtract, type Rational, ZERO } from './rational.ts';

/**
 * Wage tax of a month's regular pay by the programme that the Ministry of Finance publishes each year
 * (Programmablaufplan, § 39b Abs. 6 EStG), with its names of steps. Left out are the parts for pensions, one-off
 * payments, private insurance, and the relief for those above 64, which a regular month of an employee with statutory
 * insurance does not need.
 */
export interface WageTaxCase {
  readonly plan: Plan;
  /** I to VI as 1 to 6. */
  readonly taxClass: number;
  /** The taxed pay of the month in euros. */
  readonly pay: Rational;
  /** The allowance of the month. */
  readonly allowance: Rational;
  /** The number of child allowances, which only affects the surcharges. */
  readonly children: Rational;
  /** The whole supplementary rate of the health insurance. */
  readonly supplement: Rational;
  readonly isSaxony: boolean;
  readonly isChildless: boolean;
  readonly isEast: boolean;
  /** Whether pension contributions are paid. */
  readonly hasPension: boolean;
  readonly factor: Rational;
  /** The relief for single parents, a year. */
  readonly relief: Rational;
}

/** Amounts of a year in euros. */
export interface WageTaxYear {
  readonly pay: Rational;
  readonly allowance: Rational;
  /** The lump sums of the employee and of special expenses, and the relief for single parents; those that are not 0. */
  readonly lumpSums: readonly { readonly of: 'employee' | 'special' | 'relief'; readonly amount: Rational }[];
  /** The child allowances, which only the surcharges take off. */
  readonly childAllowances: Rational;
  /** In full euros, rounded up from its parts. */
  readonly provision: Rational;
  readonly provisionParts: { readonly pension: Rational; readonly health: Rational };
  readonly income: Rational;
  /** The tax of the year before the factor of spouses. */
  readonly taxBefore: Rational;
  /** 1 if there is no factor. */
  readonly factor: Rational;
  readonly tax: Rational;
  readonly tariff: { readonly kind: 'basic' | 'splitting' | 'classes V and VI'; readonly year: number };
  /** The amount that no tariff taxes, by which one tells the tariff of a year (Grundfreibetrag). */
  readonly free: Rational;
}

interface Plan {
  readonly year: number;
  readonly west: number;
  readonly east: number;
  readonly health: number;
  /** The part of the pension contributions that counts. */
  readonly pensionPart: string;
  readonly childless: string;
  readonly limits56: readonly [number, number, number];
  readonly free: number;
  readonly lumpSum: number;
  readonly childAllowance: number;
  /**
   * The first zone: its end and factor. The second zone: its end, factor and start. Then the deductions of the two
   * upper zones.
   */
  readonly zone1: readonly [end: number, factor: string];
  readonly zone2: readonly [end: number, factor: string, start: string];
  readonly upper: readonly [end: number, off42: string, off45: string];
}

/** As first published; a law of June changed some of it with effect for the whole year. */
const PLAN_2022: Plan = {
  year: 2022,
  west: 84_600,
  east: 81_000,
  health: 58_050,
  pensionPart: '0.88',
  childless: '0.0035',
  limits56: [11_480, 29_298, 222_260],
  free: 9984,
  lumpSum: 1000,
  childAllowance: 8388,
  zone1: [14_926, '1008.7'],
  zone2: [58_596, '206.43', '938.24'],
  upper: [277_825, '9267.53', '17602.28'],
};

/** By year; 2022 as first published, and as changed by law in June of that year with effect for the whole year. */
export const PLANS: Readonly<Record<string, Plan>> = {
  '2019': {
    year: 2019,
    west: 80_400,
    east: 73_800,
    health: 54_450,
    pensionPart: '0.76',
    childless: '0.0025',
    limits56: [10_635, 27_980, 212_261],
    free: 9168,
    lumpSum: 1000,
    childAllowance: 7620,
    zone1: [14_254, '980.14'],
    zone2: [55_960, '216.16', '965.58'],
    upper: [265_326, '8780.9', '16740.68'],
  },
  '2020': {
    year: 2020,
    west: 82_800,
    east: 77_400,
    health: 56_250,
    pensionPart: '0.8',
    childless: '0.0025',
    limits56: [10_898, 28_526, 216_400],
    free: 9408,
    lumpSum: 1000,
    childAllowance: 7812,
    zone1: [14_532, '972.87'],
    zone2: [57_051, '212.02', '972.79'],
    upper: [270_500, '8963.74', '17078.74'],
  },
  '2021': {
    year: 2021,
    west: 85_200,
    east: 80_400,
    health: 58_050,
    pensionPart: '0.84',
    childless: '0.0025',
    limits56: [11_237, 28_959, 219_690],
    free: 9744,
    lumpSum: 1000,
    childAllowance: 8388,
    zone1: [14_753, '995.21'],
    zone2: [57_918, '208.85', '950.96'],
    upper: [274_612, '9136.63', '17374.99'],
  },
  '2022': PLAN_2022,
  '2022-06': {
    ...PLAN_2022,
    limits56: [11_793, 29_298, 222_260],
    free: 10_347,
    lumpSum: 1200,
    zone1: [14_926, '1088.67'],
    zone2: [58_596, '206.43', '869.32'],
    upper: [277_825, '9336.45', '17671.2'],
  },
};

const euros = (amount: number): Rational => rational(BigInt(amount));
const least = (a: Rational, b: Rational): Rational => (compare(a, b) <= 0 ? a : b);
const most = (a: Rational, b: Rational): Rational => (compare(a, b) >= 0 ? a : b);

/** Cuts a number that is not negative to this many decimals. */
function down(value: Rational, places: number): Rational {
  const scale = 10n ** BigInt(places);
  return rational((value.n * scale) / value.d, scale);
}

function up(value: Rational): Rational {
  const whole = down(value, 0);
  return compare(whole, value) === 0 ? whole : add(whole, rational(1n));
}

const YEAR = rational(12n);
const month = (year: Rational): Rational => down(multiply(year, rational(1n, 12n)), 2);

/** The wage tax of the month, in euros. */
export const wageTax = (of: WageTaxCase): Rational => month(yearly(of, ZERO).tax);

/** The calculation of the tax of the year, of which a twelfth is the tax of the month. */
export const wageTaxYear = (of: WageTaxCase): WageTaxYear => yearly(of, ZERO);

/** The basis of solidarity surcharge and church tax of the month: the tax with child allowances. */
export const surchargeBase = (of: WageTaxCase): Rational => month(surchargeYear(of).tax);

/** The calculation of the tax of the year of which the surcharges are taken. */
export const surchargeYear = (of: WageTaxCase): WageTaxYear => yearly(of, childAllowance(of));

function childAllowance({ plan, taxClass, children }: WageTaxCase): Rational {
  if (taxClass > 4) return ZERO;
  const each = taxClass === 4 ? plan.childAllowance / 2 : plan.childAllowance;
  return down(multiply(children, euros(each)), 0);
}

/** LSTJAHR, or with child allowances JBMG. */
function yearly(of: WageTaxCase, less: Rational): WageTaxYear {
  const { plan, taxClass, factor } = of;
  const pay = down(multiply(of.pay, YEAR), 2);
  const allowance = down(multiply(of.allowance, YEAR), 2);
  const taxed = most(subtract(pay, allowance), ZERO);
  const lumpSum = taxClass === 6 ? ZERO : up(least(taxed, euros(plan.lumpSum)));
  const special = taxClass === 6 ? ZERO : euros(36);
  const relief = taxClass === 2 ? of.relief : ZERO;
  const provided = provision(of, pay);
  const income = subtract(taxed, [lumpSum, special, relief, less, provided.whole].reduce(add, ZERO));
  const lumpSums = (
    [
      { of: 'employee', amount: lumpSum },
      { of: 'special', amount: special },
      { of: 'relief', amount: relief },
    ] as const
  ).filter(({ amount }) => amount.n !== 0n);
  const deducted = {
    allowance,
    lumpSums,
    childAllowances: less,
    provision: provided.whole,
    provisionParts: provided.parts,
  };
  const kind = taxClass > 4 ? 'classes V and VI' : taxClass === 3 ? 'splitting' : 'basic';
  const tariffOf = { kind, year: plan.year } as const;
  const year = {
    pay,
    ...deducted,
    income: most(income, ZERO),
    factor,
    tariff: tariffOf,
    free: euros(plan.free),
  };
  if (compare(income, rational(1n)) < 0) return { ...year, taxBefore: ZERO, tax: ZERO };
  const splitting = taxClass === 3 ? 2n : 1n;
  const x = down(multiply(income, rational(1n, splitting)), 0);
  const tax = taxClass > 4 ? classes56(x, plan) : multiply(tariff(x, plan), rational(splitting));
  return { ...year, taxBefore: tax, tax: down(multiply(tax, factor), 0) };
}

/** VSP, UPEVP: the deductions for pension, health and care insurance. */
function provision(
  of: WageTaxCase,
  pay: Rational,
): { readonly whole: Rational; readonly parts: WageTaxYear['provisionParts'] } {
  const { plan, taxClass } = of;
  const ceiling = euros(of.isEast ? plan.east : plan.west);
  const capped = of.hasPension ? least(pay, ceiling) : pay;
  const pension = of.hasPension
    ? down(multiply(down(multiply(decimal(plan.pensionPart), capped), 2), decimal('0.093')), 2)
    : ZERO;
  const flat = least(down(multiply(capped, decimal('0.12')), 2), euros(taxClass === 3 ? 3000 : 1900));
  const health = add(multiply(of.supplement, rational(1n, 2n)), decimal('0.07'));
  const care = add(
    decimal(of.isSaxony ? '0.02025' : '0.01525'),
    of.isChildless ? decimal(plan.childless) : ZERO,
  );
  const insured = down(multiply(least(capped, euros(plan.health)), add(health, care)), 2);
  const counted = most(insured, flat);
  return { whole: up(add(pension, counted)), parts: { pension, health: counted } };
}

/** UPTAB: § 32a Abs. 1 EStG. */
function tariff(x: Rational, { free, zone1, zone2, upper }: Plan): Rational {
  if (compare(x, euros(free + 1)) < 0) return ZERO;
  const [end1, factor1] = zone1;
  const [end2, factor2, start2] = zone2;
  const [end3, off42, off45] = upper;
  const zone = (from: number, factor: string, slope: number, start: string): Rational => {
    const y = down(multiply(subtract(x, euros(from)), rational(1n, 10_000n)), 6);
    return down(add(multiply(add(multiply(y, decimal(factor)), euros(slope)), y), decimal(start)), 0);
  };
  if (compare(x, euros(end1 + 1)) < 0) return zone(free, factor1, 1400, '0');
  if (compare(x, euros(end2 + 1)) < 0) return zone(end1, factor2, 2397, start2);
  const [part, less] = compare(x, euros(end3 + 1)) < 0 ? ['0.42', off42] : ['0.45', off45];
  return down(subtract(multiply(x, decimal(part)), decimal(less)), 0);
}

/** A tax, plus a share of the part above. */
const above = (tax: Rational, from: Rational, to: Rational, share: string): Rational =>
  down(add(tax, multiply(subtract(to, from), decimal(share))), 0);

/** MST5_6: § 39b Abs. 2 Satz 7 EStG. The shares of the income are cut to cents, and not to the whole euros of § 32a EStG (UP5_6). */
function classes56(x: Rational, plan: Plan): Rational {
  const [first, second, third] = plan.limits56.map(euros) as [Rational, Rational, Rational];
  const twice = (of: Rational): Rational => {
    const part = (share: string): Rational => tariff(down(multiply(of, decimal(share)), 2), plan);
    const double = multiply(subtract(part('1.25'), part('0.75')), rational(2n));
    return most(down(multiply(of, decimal('0.14')), 0), double);
  };
  if (compare(x, second) > 0) {
    const tax = above(twice(second), second, least(x, third), '0.42');
    return compare(x, third) > 0 ? above(tax, third, x, '0.45') : tax;
  }
  const tax = twice(x);
  return compare(x, first) > 0 ? least(tax, above(twice(first), first, x, '0.42')) : tax;
}
