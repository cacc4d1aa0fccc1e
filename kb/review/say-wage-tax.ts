import type { Language } from '../source.ts';
import { add, format, placesOf, type Rational, ZERO } from './rational.ts';
import type { WageTaxYear } from './wage-tax.ts';

const LUMP_SUMS: Readonly<Record<Language, Readonly<Record<WageTaxYear['lumpSums'][number]['of'], string>>>> =
  {
    de: { employee: 'Arbeitnehmer', special: 'Sonderausgaben', relief: 'Entlastungsbetrag' },
    en: { employee: 'employee', special: 'special expenses', relief: 'single parents' },
  };
/** The tariffs by their provisions. */
const TARIFFS: Readonly<
  Record<Language, Readonly<Record<WageTaxYear['tariff']['kind'], (year: number) => string>>>
> = {
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

/** How the tax of the year is worked out: the part of the year's pay that is taxed, and the tariff. */
export function sayWageTax(year: WageTaxYear, language: Language): string {
  const { pay, income, tariff, taxBefore, factor, tax } = year;
  const money = (amount: Rational): string => `${format(amount, 2, language)} €`;
  const german = language === 'de';
  const less = deductionsOf(year, money, language);
  const isWhole = factor.n === factor.d;
  const by = isWhole
    ? ''
    : ` × ${german ? 'Faktor' : 'factor'} ${format(factor, placesOf(factor, 4), language)}`;
  const due = isWhole ? money(tax) : `${money(taxBefore)}${by} = ${money(tax)}`;
  const named = TARIFFS[language][tariff.kind](tariff.year);
  return german
    ? ` Jahresarbeitslohn ${money(pay)}${less}: zu versteuern ${money(income)}, Steuer des Jahres ${named} ${due}.`
    : ` Pay of the year ${money(pay)}${less}: taxable ${money(income)}, tax of the year ${named} ${due}.`;
}

/** ` − Vorsorgepauschale 7.240,00 € (Rente 3.280,00 € + Kranken und Pflege 3.959,10 €, aufgerundet)` */
function deductionsOf(
  { allowance, lumpSums, childAllowances, provision, provisionParts }: WageTaxYear,
  money: (amount: Rational) => string,
  language: Language,
): string {
  const german = language === 'de';
  const { pension, health } = provisionParts;
  const provided = german
    ? `Rente ${money(pension)} + Kranken und Pflege ${money(health)}, aufgerundet`
    : `pension ${money(pension)} + health and care ${money(health)}, rounded up`;
  const whole = lumpSums.map(({ amount }) => amount).reduce(add, ZERO);
  const parts = lumpSums.map(({ of, amount }) => `${LUMP_SUMS[language][of]} ${money(amount)}`).join(' + ');
  const off: readonly (readonly [string, Rational, string])[] = [
    [german ? 'Freibetrag' : 'allowance', allowance, ''],
    [german ? 'Vorsorgepauschale' : 'insurance allowance', provision, ` (${provided})`],
    [german ? 'Pauschbeträge' : 'lump sums', whole, lumpSums.length > 1 ? ` (${parts})` : ''],
    [german ? 'Kinderfreibeträge' : 'child allowances', childAllowances, ''],
  ];
  return off
    .filter(([, amount]) => amount.n !== 0n)
    .map(([name, amount, made]) => ` − ${name} ${money(amount)}${made}`)
    .join('');
}
