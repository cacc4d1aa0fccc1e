import { add, compare, decimal, multiply, rational, subtract, sum, type Rational, ZERO } from './rational.ts';

/**
 * Wage tax of a month's regular pay by the programme that the Ministry of Finance publishes each year
 * (Programmablaufplan, § 39b Abs. 6 EStG), with its names of steps. The parts for pensions, one-off payments, private
 * insurance and persons above 64 are left out, because a regular month of an employee with statutory insurance does not
 * need them.
 */
export interface WageTaxCase {
  readonly plan: Plan;
  /** The tax class: 1 to 6 for I to VI. */
  readonly taxClass: number;
  /** The taxable pay of the month in euros. */
  readonly pay: Rational;
  /** The tax allowance of the month. */
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
  /** The yearly relief for single parents. */
  readonly relief: Rational;
}

/** The yearly tax and its components, in euros. */
export interface WageTaxYear {
  readonly monthPay: Rational;
  readonly pay: Rational;
  readonly allowance: Rational;
  /**
   * The lump sums for employees and for special expenses, and the relief for single parents, as far as they are not 0.
   */
  readonly lumpSums: readonly { readonly of: 'employee' | 'special' | 'relief'; readonly amount: Rational }[];
  /** The child allowances, which only reduce the surcharges: their number, and the amount of one. */
  readonly childAllowances: { readonly count: Rational; readonly each: Rational; readonly amount: Rational };
  readonly provision: Provision;
  readonly income: Rational;
  readonly steps: TariffSteps;
  /** The yearly tax before the factor of spouses. */
  readonly taxBefore: Rational;
  /** The factor of spouses; 1 if there is none. */
  readonly factor: Rational;
  readonly tax: Rational;
  readonly year: number;
  /** The amount that no tariff taxes (Grundfreibetrag), by which a year's tariff can be recognised. */
  readonly free: Rational;
}

/** The deductions for insurance (Vorsorgepauschale). */
export interface Provision {
  /** The sum of the deductions for insurance, rounded up to full euros. */
  readonly whole: Rational;
  readonly pension: {
    /** The pay up to the ceiling. */
    readonly of: Rational;
    /** The deductible part of half the contribution. */
    readonly part: Rational;
    readonly amount: Rational;
  };
  readonly health: {
    readonly of: Rational;
    readonly rates: readonly {
      readonly of: 'health' | 'supplement' | 'care' | 'childless';
      readonly rate: Rational;
    }[];
    readonly amount: Rational;
    /** The minimum deduction, if it is more than the contributions. */
    readonly least: { readonly of: Rational; readonly most: Rational } | null;
  };
}

/** One use of the tariff: the income in full euros, its zone, and the tax in full euros. */
export interface TariffStep {
  readonly income: Rational;
  readonly tax: Rational;
  readonly zone:
    | { readonly kind: 'free' }
    | {
        readonly kind: 'lower';
        readonly from: Rational;
        readonly y: Rational;
        readonly factor: Rational;
        readonly slope: Rational;
        readonly start: Rational;
      }
    | { readonly kind: 'upper'; readonly share: Rational; readonly less: Rational };
}

/** The calculation of the tax in classes V and VI (§ 39b Abs. 2 Satz 7 EStG). */
interface Twice {
  readonly of: Rational;
  /** The tax of five quarters of the income and that of three quarters, with the exact shares. */
  readonly high: { readonly of: Rational; readonly tax: Rational };
  readonly low: { readonly of: Rational; readonly tax: Rational };
  readonly double: Rational;
  /** 14 percent of the income. */
  readonly least: Rational;
  readonly tax: Rational;
}

/** The steps from the income to the tax of the year. */
export type TariffSteps =
  | { readonly kind: 'basic'; readonly step: TariffStep }
  | { readonly kind: 'splitting'; readonly step: TariffStep }
  | {
      readonly kind: 'classes V and VI';
      readonly twice: Twice;
      /** The upper limit of the tax above the first threshold: the tax at the threshold and 42 percent of the rest. */
      readonly most: { readonly at: Twice; readonly tax: Rational } | null;
      /** The additions above the second threshold: parts of the income, each with its share. */
      readonly above: readonly { readonly from: Rational; readonly to: Rational; readonly share: Rational }[];
    };

interface Plan {
  readonly year: number;
  readonly west: number;
  readonly east: number;
  readonly health: number;
  /** The deductible part of the pension contributions. */
  readonly pensionPart: string;
  readonly childless: string;
  readonly limits56: readonly [number, number, number];
  readonly free: number;
  readonly lumpSum: number;
  readonly childAllowance: number;
  /**
   * `zone1` has the end and the factor of the first zone, `zone2` the end, the factor and the start of the second one,
   * and `upper` the end of the third zone and the deductions of the two upper ones.
   */
  readonly zone1: readonly [end: number, factor: string];
  readonly zone2: readonly [end: number, factor: string, start: string];
  readonly upper: readonly [end: number, off42: string, off45: string];
}

/** The plan of 2022 as first published. A law of June 2022 changed some of it for the whole year. */
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

/** The plans by year; 2022 as first published, and as changed in June of that year for the whole year. */
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

const HALF = rational(1n, 2n);
const YEAR = rational(12n);
const month = (year: Rational): Rational => down(multiply(year, rational(1n, 12n)), 2);

/** The wage tax of the month, in euros. */
export const wageTax = (of: WageTaxCase): Rational => month(yearly(of, NO_CHILDREN).tax);

/** The calculation of the yearly tax, of which a twelfth is the monthly tax. */
export const wageTaxYear = (of: WageTaxCase): WageTaxYear => yearly(of, NO_CHILDREN);

/** The basis of solidarity surcharge and church tax of the month: the tax with child allowances. */
export const surchargeBase = (of: WageTaxCase): Rational => month(surchargeYear(of).tax);

/** The calculation of the yearly tax on which the surcharges are based. */
export const surchargeYear = (of: WageTaxCase): WageTaxYear => yearly(of, childAllowances(of));

const NO_CHILDREN: WageTaxYear['childAllowances'] = { count: ZERO, each: ZERO, amount: ZERO };

function childAllowances({ plan, taxClass, children }: WageTaxCase): WageTaxYear['childAllowances'] {
  if (taxClass > 4) return NO_CHILDREN;
  const each = euros(taxClass === 4 ? plan.childAllowance / 2 : plan.childAllowance);
  return { count: children, each, amount: down(multiply(children, each), 0) };
}

/** The yearly tax: LSTJAHR, or JBMG with child allowances. */
function yearly(of: WageTaxCase, children: WageTaxYear['childAllowances']): WageTaxYear {
  const { plan, taxClass, factor } = of;
  const pay = down(multiply(of.pay, YEAR), 2);
  const allowance = down(multiply(of.allowance, YEAR), 2);
  const taxed = most(subtract(pay, allowance), ZERO);
  const lumpSum = taxClass === 6 ? ZERO : up(least(taxed, euros(plan.lumpSum)));
  const special = taxClass === 6 ? ZERO : euros(36);
  const relief = taxClass === 2 ? of.relief : ZERO;
  const provided = provision(of, pay);
  const income = most(
    subtract(taxed, sum([lumpSum, special, relief, children.amount, provided.whole])),
    ZERO,
  );
  const lumpSums = (
    [
      { of: 'employee', amount: lumpSum },
      { of: 'special', amount: special },
      { of: 'relief', amount: relief },
    ] as const
  ).filter(({ amount }) => amount.n !== 0n);
  const steps = stepsOf(income, of);
  const tax = taxOf(steps);
  return {
    monthPay: of.pay,
    pay,
    allowance,
    lumpSums,
    childAllowances: children,
    provision: provided,
    income,
    steps,
    taxBefore: tax,
    factor,
    tax: down(multiply(tax, factor), 0),
    year: plan.year,
    free: euros(plan.free),
  };
}

function stepsOf(income: Rational, { plan, taxClass }: WageTaxCase): TariffSteps {
  if (taxClass > 4) return classes56(down(income, 0), plan);
  if (taxClass !== 3) return { kind: 'basic', step: tariff(down(income, 0), plan) };
  return { kind: 'splitting', step: tariff(down(multiply(income, HALF), 0), plan) };
}

/** The tax of the year from its steps. */
function taxOf(steps: TariffSteps): Rational {
  if (steps.kind === 'basic') return steps.step.tax;
  if (steps.kind === 'splitting') return multiply(steps.step.tax, rational(2n));
  const { twice, most: limit, above } = steps;
  const whole = above.reduce(
    (tax, { from, to, share }) => down(add(tax, multiply(subtract(to, from), share)), 0),
    twice.tax,
  );
  return limit === null ? whole : least(whole, limit.tax);
}

/** The deductions for pension, health and care insurance: VSP, UPEVP. */
function provision(of: WageTaxCase, pay: Rational): Provision {
  const { plan, taxClass } = of;
  const ceiling = euros(of.isEast ? plan.east : plan.west);
  const capped = of.hasPension ? least(pay, ceiling) : pay;
  const part = decimal(plan.pensionPart);
  const pension = of.hasPension ? down(multiply(down(multiply(part, capped), 2), decimal('0.093')), 2) : ZERO;
  const mostFlat = euros(taxClass === 3 ? 3000 : 1900);
  const flat = least(down(multiply(capped, decimal('0.12')), 2), mostFlat);
  const rates = (
    [
      { of: 'health', rate: decimal('0.07') },
      { of: 'supplement', rate: multiply(of.supplement, HALF) },
      { of: 'care', rate: decimal(of.isSaxony ? '0.02025' : '0.01525') },
      { of: 'childless', rate: of.isChildless ? decimal(plan.childless) : ZERO },
    ] as const
  ).filter(({ rate }) => rate.n !== 0n);
  const healthPay = least(capped, euros(plan.health));
  const insured = down(multiply(healthPay, sum(rates.map(({ rate }) => rate))), 2);
  const isLeast = compare(flat, insured) > 0;
  return {
    whole: up(add(pension, isLeast ? flat : insured)),
    pension: { of: capped, part, amount: pension },
    health: {
      of: healthPay,
      rates,
      amount: isLeast ? flat : insured,
      least: isLeast ? { of: capped, most: mostFlat } : null,
    },
  };
}

/** The tariff: UPTAB, § 32a Abs. 1 EStG. */
function tariff(income: Rational, { free, zone1, zone2, upper }: Plan): TariffStep {
  if (compare(income, euros(free + 1)) < 0) return { income, tax: ZERO, zone: { kind: 'free' } };
  const [end1, factor1] = zone1;
  const [end2, factor2, start2] = zone2;
  const [end3, off42, off45] = upper;
  const lower = (end: number, factorOf: string, slopeOf: number, startOf: string): TariffStep => {
    const [from, factor, slope, start] = [euros(end), decimal(factorOf), euros(slopeOf), decimal(startOf)];
    const y = down(multiply(subtract(income, from), rational(1n, 10_000n)), 6);
    const tax = down(add(multiply(add(multiply(y, factor), slope), y), start), 0);
    return { income, tax, zone: { kind: 'lower', from, y, factor, slope, start } };
  };
  if (compare(income, euros(end1 + 1)) < 0) return lower(free, factor1, 1400, '0');
  if (compare(income, euros(end2 + 1)) < 0) return lower(end1, factor2, 2397, start2);
  const isBelow = compare(income, euros(end3 + 1)) < 0;
  const [share, less] = [isBelow ? '0.42' : '0.45', isBelow ? off42 : off45].map(decimal) as [
    Rational,
    Rational,
  ];
  return {
    income,
    tax: down(subtract(multiply(income, share), less), 0),
    zone: { kind: 'upper', share, less },
  };
}

/**
 * The tax of classes V and VI: MST5_6, § 39b Abs. 2 Satz 7 EStG. The shares of the income are cut to cents, and not to
 * the whole euros of § 32a EStG (UP5_6).
 */
function classes56(income: Rational, plan: Plan): TariffSteps {
  const [first, second, third] = plan.limits56.map(euros) as [Rational, Rational, Rational];
  const share42 = decimal('0.42');
  const twice = (of: Rational): Twice => {
    const part = (share: string): Twice['high'] => {
      const partOf = down(multiply(of, decimal(share)), 2);
      return { of: partOf, tax: tariff(partOf, plan).tax };
    };
    const [high, low] = [part('1.25'), part('0.75')];
    const double = multiply(subtract(high.tax, low.tax), rational(2n));
    const lowest = down(multiply(of, decimal('0.14')), 0);
    return { of, high, low, double, least: lowest, tax: most(lowest, double) };
  };
  const kind = 'classes V and VI';
  if (compare(income, second) > 0) {
    const beyond = { from: third, to: income, share: decimal('0.45') };
    return {
      kind,
      twice: twice(second),
      most: null,
      above: [
        { from: second, to: least(income, third), share: share42 },
        ...(compare(income, third) > 0 ? [beyond] : []),
      ],
    };
  }
  if (compare(income, first) <= 0) return { kind, twice: twice(income), most: null, above: [] };
  const at = twice(first);
  const tax = down(add(at.tax, multiply(subtract(income, first), share42)), 0);
  return { kind, twice: twice(income), most: { at, tax }, above: [] };
}
