import type { Language } from '../source.ts';
import { sayRate } from './calculation.ts';
import {
  add,
  equal,
  format,
  multiply,
  placesOf,
  rational,
  subtract,
  sum,
  type Rational,
} from './rational.ts';
import type { Provision, TariffStep, TariffSteps, WageTaxYear } from './wage-tax.ts';

const LUMP_SUMS: Readonly<Record<Language, Readonly<Record<WageTaxYear['lumpSums'][number]['of'], string>>>> =
  {
    de: {
      employee: 'Arbeitnehmer-Pauschbetrag',
      special: 'Sonderausgaben-Pauschbetrag',
      relief: 'Entlastungsbetrag für Alleinerziehende',
    },
    en: {
      employee: 'lump sum of employees',
      special: 'lump sum of special expenses',
      relief: 'relief for single parents',
    },
  };
const RATES: Readonly<
  Record<Language, Readonly<Record<Provision['health']['rates'][number]['of'], string>>>
> = {
  de: { health: '', supplement: ' halber Zusatzbeitrag', care: ' Pflege', childless: ' Kinderlose' },
  en: { health: '', supplement: ' half the supplement', care: ' care', childless: ' childless' },
};
/** The names of the tariffs with their provisions. */
const TARIFFS: Readonly<Record<Language, Readonly<Record<TariffSteps['kind'], (year: number) => string>>>> = {
  de: {
    basic: (year) => `nach dem Grundtarif ${year} (§ 32a Abs. 1 EStG)`,
    splitting: (year) => `nach dem Splittingtarif ${year} (§ 32a Abs. 1, 5 EStG)`,
    'classes V and VI': (year) => `nach § 39b Abs. 2 Satz 7 EStG mit dem Tarif ${year}`,
  },
  en: {
    basic: (year) => `by the basic tariff of ${year} (§ 32a Abs. 1 EStG)`,
    splitting: (year) => `by the splitting tariff of ${year} (§ 32a Abs. 1, 5 EStG)`,
    'classes V and VI': (year) => `by § 39b Abs. 2 Satz 7 EStG with the tariff of ${year}`,
  },
};

/** The calculation of the yearly tax in words: the taxed part of the year's pay, and the tariff. */
export function sayWageTax(year: WageTaxYear, language: Language): string {
  const { monthPay, pay, income, steps, factor, tax } = year;
  const { money, german } = notation(language);
  const isWhole = factor.n === factor.d;
  const by = isWhole
    ? ''
    : ` × ${german ? 'Faktor' : 'factor'} ${format(factor, placesOf(factor, 4), language)} = ${money(tax)}`;
  const named = TARIFFS[language][steps.kind](year.year);
  const worked = `${sayTariff(steps, year.taxBefore, language)}${by}`;
  const of = `${money(monthPay)} × 12 = ${money(pay)}${deductionsOf(year, language)}`;
  return german
    ? ` Jahresarbeitslohn ${of}: zu versteuern ${money(income)}. Steuer des Jahres ${named}: ${worked}.`
    : ` Pay of the year ${of}: taxable ${money(income)}. Tax of the year ${named}: ${worked}.`;
}

/** The step from the yearly to the monthly tax: ` Davon ein Zwölftel: 19.257,00 € ÷ 12 = 1.604,75 €.` */
export function sayTwelfth({ tax }: WageTaxYear, language: Language): string {
  const { german, money } = notation(language);
  const cut = multiply(rational((tax.n * 100n) / (tax.d * 12n)), rational(1n, 100n));
  return ` ${german ? 'Ein Zwölftel davon' : 'A twelfth of it'}: ${money(tax)} ÷ 12 = ${money(cut)}.`;
}

function notation(language: Language) {
  return {
    german: language === 'de',
    money: (amount: Rational): string => `${format(amount, 2, language)} €`,
    number: (value: Rational): string => format(value, placesOf(value, 6), language),
    percent: (rate: Rational): string => sayRate(rate, language),
  };
}

/** The deductions: ` − Vorsorgepauschale 7.240,00 € (Rente …, aufgerundet) − Pauschbeträge 1.036,00 € (…)` */
function deductionsOf(
  { allowance, lumpSums, childAllowances, provision }: WageTaxYear,
  language: Language,
): string {
  const { german, money, number } = notation(language);
  const whole = sum(lumpSums.map(({ amount }) => amount));
  const parts = lumpSums.map(({ of, amount }) => `${LUMP_SUMS[language][of]} ${money(amount)}`).join(' + ');
  const hasRelief = lumpSums.some(({ of }) => of === 'relief');
  const lumps = german ? (hasRelief ? 'Pausch- und Freibeträge' : 'Pauschbeträge') : 'lump sums';
  const { count, each } = childAllowances;
  const off: readonly (readonly [string, Rational, string])[] = [
    [german ? 'Freibetrag' : 'allowance', allowance, ''],
    [
      german ? 'Vorsorgepauschale' : 'insurance allowance',
      provision.whole,
      ` (${sayProvision(provision, language)})`,
    ],
    [lumps, whole, lumpSums.length > 1 ? ` (${parts})` : ''],
    [
      german ? 'Kinderfreibeträge' : 'child allowances',
      childAllowances.amount,
      ` (${number(count)} × ${money(each)})`,
    ],
  ];
  return off
    .filter(([, amount]) => amount.n !== 0n)
    .map(([name, amount, made]) => ` − ${name} ${money(amount)}${made}`)
    .join('');
}

/**
 * The deductions for insurance: `Rente 42.000,00 € × 9,3 % × 84 % = 3.281,04 € + Kranken und Pflege 42.000,00 € × 9,425
 * % (7 % + …) = 3.958,50 €, aufgerundet`
 */
function sayProvision({ pension, health, whole }: Provision, language: Language): string {
  const { german, money, percent } = notation(language);
  const parts = health.rates.map(({ of, rate }) => `${percent(rate)}${RATES[language][of]}`);
  const rates = `${percent(sum(health.rates.map(({ rate }) => rate)))} (${parts.join(' + ')})`;
  const insured =
    health.least === null
      ? `${german ? 'Kranken und Pflege' : 'health and care'} ${money(health.of)} × ${rates} = ${money(health.amount)}`
      : german
        ? `Mindestvorsorgepauschale für Kranken und Pflege 12 % von ${money(health.least.of)}, höchstens ${money(health.least.most)}: ${money(health.amount)}`
        : `least for health and care 12 % of ${money(health.least.of)}, at most ${money(health.least.most)}: ${money(health.amount)}`;
  const up = equal(add(pension.amount, health.amount), whole)
    ? ''
    : german
      ? ', aufgerundet'
      : ', rounded up';
  return `${german ? 'Rente' : 'pension'} ${money(pension.of)} × ${percent(rational(93n, 1000n))} × ${percent(pension.part)} = ${money(pension.amount)} + ${insured}${up}`;
}

function sayTariff(steps: TariffSteps, tax: Rational, language: Language): string {
  const { german, money } = notation(language);
  if (steps.kind === 'basic') return sayZone(steps.step, language);
  if (steps.kind === 'splitting') {
    const half = `${german ? 'Steuer der Hälfte von' : 'tax of half of it,'} ${money(steps.step.income)}`;
    return `${half}: ${sayZone(steps.step, language)}; 2 × ${money(steps.step.tax)} = ${money(tax)}`;
  }
  return sayTwice(steps, tax, language);
}

/**
 * One use of the tariff: `(208,85 × 1,8971 + 2.397) × 1,8971 + 950,96 = 6.249,00 €, abgerundet; 1,8971 = (33.724 −
 * 14.753) ÷ 10.000`
 */
function sayZone({ income, tax, zone }: TariffStep, language: Language): string {
  const { german, money, number } = notation(language);
  const cut = german ? ', abgerundet' : ', rounded down';
  switch (zone.kind) {
    case 'free':
      return german ? `${money(tax)} (bis zum Grundfreibetrag)` : `${money(tax)} (up to what is free)`;
    case 'lower': {
      const { from, y, factor, slope, start } = zone;
      const more = start.n === 0n ? '' : ` + ${number(start)}`;
      return `(${number(factor)} × ${number(y)} + ${number(slope)}) × ${number(y)}${more} = ${money(tax)}${cut}; ${number(y)} = (${number(income)} − ${number(from)}) ÷ ${number(rational(10_000n))}`;
    }
    case 'upper':
      return `${number(zone.share)} × ${number(income)} − ${number(zone.less)} = ${money(tax)}${cut}`;
  }
}

function sayTwice(
  { twice, most, above }: Extract<TariffSteps, { kind: 'classes V and VI' }>,
  tax: Rational,
  language: Language,
): string {
  const { german, money, percent } = notation(language);
  const taxOf = german ? 'Steuer von' : 'tax of';
  const doubled = ({ high, low, double }: typeof twice): string =>
    `2 × (${money(high.tax)} (${taxOf} ${money(high.of)}) − ${money(low.tax)} (${taxOf} ${money(low.of)})) = ${money(double)}`;
  const lowest = german
    ? `mindestens 14 % von ${money(twice.of)} = ${money(twice.least)}`
    : `at least 14 % of ${money(twice.of)} = ${money(twice.least)}`;
  const base = `${doubled(twice)}, ${lowest}`;
  if (above.length > 0) {
    const parts = above.map(
      ({ from, to, share }) => ` + ${percent(share)} ${german ? 'von' : 'of'} ${money(subtract(to, from))}`,
    );
    const limit = german ? `bis ${money(twice.of)}` : `up to ${money(twice.of)}`;
    return `${limit} ${base}; ${money(twice.tax)}${parts.join('')} = ${money(tax)}`;
  }
  if (most === null) return `${base}; ${german ? 'also' : 'so'} ${money(tax)}`;
  const { at } = most;
  const rest = `${money(at.tax)} + 42 % ${german ? 'von' : 'of'} ${money(subtract(twice.of, at.of))} = ${money(most.tax)}`;
  const limited = german
    ? `höchstens ${rest} (Steuer von ${money(at.of)} und 42 % vom Teil darüber)`
    : `at most ${rest} (tax of ${money(at.of)} and 42 % of what is above)`;
  return `${base}, ${limited}; ${german ? 'also' : 'so'} ${money(tax)}`;
}
