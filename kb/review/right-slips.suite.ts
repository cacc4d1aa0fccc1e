import { setImmediate as nextTurn } from 'node:timers/promises';
import { taxesOf, type TaxCase } from './right-wage-tax.suite.ts';

/**
 * Right payslips of 2019 to 2022 with random pay, written from the figures of the statutes and independently of the
 * rules, so that a mistake would have to be made twice to stay unnoticed. Amounts are cents, rates thousandths of a
 * percent.
 */
export interface Slip {
  readonly kind: string;
  readonly facts: readonly (readonly [key: string, value: string])[];
  /** The indexes of derived facts: changing one of them makes the slip wrong. */
  readonly derived: readonly number[];
}

export type Random = () => number;

/** The same seed gives the same numbers. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Year {
  readonly rvWest: number;
  readonly rvOst: number;
  readonly kv: number;
  readonly av: number;
  readonly childless: number;
  readonly u3: number;
}

const YEARS: Readonly<Record<number, Year>> = {
  2019: { rvWest: 670_000, rvOst: 615_000, kv: 453_750, av: 2500, childless: 250, u3: 60 },
  2020: { rvWest: 690_000, rvOst: 645_000, kv: 468_750, av: 2400, childless: 250, u3: 60 },
  2021: { rvWest: 710_000, rvOst: 670_000, kv: 483_750, av: 2400, childless: 250, u3: 120 },
  2022: { rvWest: 705_000, rvOst: 675_000, kv: 483_750, av: 2400, childless: 350, u3: 90 },
};
const WEST = ['Hessen', 'Bayern', 'Nordrhein-Westfalen', 'Hamburg', 'Saarland', 'Baden-Württemberg'];
const EAST = ['Sachsen', 'Thüringen', 'Brandenburg', 'Sachsen-Anhalt', 'Mecklenburg-Vorpommern'];
const MONTHS = 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(
  ' ',
);

/** A share of an amount, rounded to the cent by the commercial rule, as in § 2 BVV. */
const share = (cents: number, rate: number): number => Math.floor((cents * rate * 2 + 100_000) / 200_000);

/** The names that programs use for each fact; the first is the vocabulary's. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  sv_brutto: ['sv_brutto', 'SV-Brutto', 'sozialversicherungsbrutto', 'sv_pflichtiges_brutto'],
  rv_brutto: ['rv_brutto', 'RV-Brutto', 'rv_pflichtiges_brutto', 'rentenversicherungsbrutto'],
  kv_brutto: ['kv_brutto', 'KV-Brutto', 'kv_pflichtiges_brutto', 'krankenversicherungsbrutto'],
  rv_an: ['rv_an', 'RV-AN', 'rv_beitrag_an', 'rentenversicherung_an', 'pension_employee'],
  rv_ag: ['rv_ag', 'RV-AG', 'rv_beitrag_ag', 'rentenversicherung_ag'],
  av_an: ['av_an', 'alv_an', 'arbeitslosenversicherung_an', 'av_beitrag_an'],
  av_ag: ['av_ag', 'alv_ag', 'arbeitslosenversicherung_ag'],
  kv_an: ['kv_an', 'kv_beitrag_an', 'krankenversicherung_an', 'KV_AN'],
  kv_ag: ['kv_ag', 'kv_beitrag_ag', 'krankenversicherung_ag'],
  pv_an: ['pv_an', 'pv_beitrag_an', 'pflegeversicherung_an'],
  pv_ag: ['pv_ag', 'pv_beitrag_ag', 'pflegeversicherung_ag'],
  steuerklasse: ['steuerklasse', 'stkl', 'tax_class'],
  bundesland: ['bundesland', 'arbeitsort', 'land'],
  kinderlos: ['kinderlos', 'pv_kinderlos', 'childless'],
  personengruppe: ['personengruppe', 'pgr', 'personengruppenschluessel', 'PGRS'],
  beitragsgruppe: ['beitragsgruppe', 'bgr', 'beitragsgruppenschluessel', 'BGRS'],
  zusatz: ['kv_zusatzsatz', 'zusatzbeitragssatz', 'kv_zusatzbeitragssatz'],
  u3: ['insolvenzgeldumlage', 'u3', 'umlage_u3'],
  soll_entgelt: ['soll_entgelt', 'kug_sollentgelt', 'sollentgelt', 'target_pay'],
  ist_entgelt: ['ist_entgelt', 'kug_istentgelt', 'istentgelt', 'actual_pay'],
  lohnsteuer: ['lohnsteuer', 'lst', 'LSt', 'wage_tax'],
  soli: ['soli', 'solz', 'SolZ', 'solidaritaetszuschlag'],
  kirchensteuer: ['kirchensteuer', 'kist', 'KiSt'],
  steuerbrutto: ['steuerbrutto', 'lohnsteuerbrutto', 'Steuer-Brutto'],
  umlage_u1: ['umlage_u1', 'u1_umlage', 'U1-Umlage'],
  umlage_u2: ['umlage_u2', 'u2_umlage', 'u2_betrag'],
  einmalzahlung: ['einmalzahlung', 'weihnachtsgeld', 'sonderzahlung', 'urlaubsgeld'],
};

/** One month for all slips, and one name for each column, as in the run of one program. */
export interface OneRun {
  readonly year: number;
  readonly month: number;
}

/** Writes a slip in the style of one program: its names, its number format, its month. */
class Writer {
  readonly run: OneRun | undefined;
  readonly facts: [string, string][] = [];
  readonly derived: number[] = [];
  readonly #random: Random;
  readonly #form: number;
  constructor(random: Random, run?: OneRun) {
    this.#random = random;
    this.run = run;
    const form = Math.floor(random() * 6);
    this.#form = run === undefined ? form : 1;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)]!;
  }
  chance(of: number): boolean {
    return this.#random() < of;
  }
  between(low: number, high: number): number {
    return low + Math.floor(this.#random() * (high - low + 1));
  }

  money(cents: number): string {
    const whole = String(Math.floor(cents / 100));
    const rest = String(cents % 100).padStart(2, '0');
    const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/gu, '.');
    return [
      `${grouped},${rest} €`,
      `${grouped},${rest}`,
      `${whole}.${rest}`,
      `${grouped},${rest} EUR`,
      `${whole},${rest}`,
      `${whole},${rest}-`,
    ][this.#form === 5 && cents === 0 ? 4 : this.#form]!;
  }
  text(name: string, value: string): void {
    const names = NAMES[name] ?? [name];
    const picked = this.pick(names);
    this.facts.push([this.run === undefined ? picked : names[0]!, value]);
  }
  /** Adds a given fact. */
  given(name: string, cents: number): void {
    this.text(name, this.#amount(name, cents));
  }
  /** Adds a derived fact. */
  follows(name: string, cents: number): void {
    this.derived.push(this.facts.length);
    this.text(name, this.#amount(name, cents));
  }
  /** Only deductions have the trailing minus of SAP. */
  #amount(name: string, cents: number): string {
    const money = this.money(cents);
    return /_a[ng]$|^umlage|^u3$|steuer$|soli/u.test(name) ? money : money.replace(/-$/u, '');
  }
  month(year: number, month: number): void {
    const mm = String(month).padStart(2, '0');
    const [key, value] = this.pick([
      ['abrechnungsmonat', `${MONTHS[month - 1]} ${year}`],
      ['periode', `${mm}/${year}`],
      ['lohnmonat', `${year}-${mm}`],
      ['abrechnungszeitraum', `${year}${mm}`],
    ] as const);
    this.text(this.run === undefined ? key : 'abrechnungsmonat', value);
  }
  slip(kind: string): Slip {
    return { kind, facts: this.facts, derived: this.derived };
  }
}

interface Setting {
  readonly year: number;
  readonly month: number;
  readonly figures: Year;
  readonly land: string;
  readonly isEast: boolean;
  readonly isSaxony: boolean;
  readonly childless: boolean;
  /** In thousandths of a percent, whole. */
  readonly zusatz: number;
}

function settingOf(writer: Writer, from = 201_901, to = 202_212): Setting {
  const months = Array.from({ length: 48 }, (_, at) => (2019 + Math.floor(at / 12)) * 100 + (at % 12) + 1);
  const drawn = writer.pick(months.filter((each) => each >= from && each <= to));
  const at = writer.run === undefined ? drawn : writer.run.year * 100 + writer.run.month;
  const isEast = writer.chance(0.3);
  const land = writer.pick(isEast ? EAST : WEST);
  return {
    year: Math.floor(at / 100),
    month: at % 100,
    figures: YEARS[Math.floor(at / 100)]!,
    land,
    isEast,
    isSaxony: land === 'Sachsen',
    childless: writer.chance(0.4),
    zusatz: writer.pick([350, 900, 1000, 1100, 1200, 1300, 1500, 1700, 2700]),
  };
}

function head(writer: Writer, setting: Setting): void {
  writer.month(setting.year, setting.month);
  writer.text('bundesland', setting.land);
  if (writer.chance(0.4)) writer.text('rechtskreis', setting.isEast ? 'Ost' : 'West');
}

function childrenOf(writer: Writer, { childless }: Setting): void {
  const way = writer.between(0, 2);
  if (way === 0) writer.text('kinderlos', childless ? 'ja' : 'nein');
  else if (way === 1) writer.text('elterneigenschaft', childless ? 'nein' : 'ja');
  else writer.text('kinder', childless ? '0' : String(writer.between(1, 3)));
  // A person without a child allowance may still be a parent, so the first fact has to say it.
  if (way === 2 && childless) writer.text('kinderlos', 'ja');
}

const careRates = ({ isSaxony, childless, figures }: Setting): { an: number; ag: number; more: number } => ({
  an: isSaxony ? 2025 : 1525,
  ag: isSaxony ? 1025 : 1525,
  more: childless ? figures.childless : 0,
});

/**
 * The contributions of employee and employer to health insurance. The additional one is rounded with the rest or by itself,
 * or is on a line of its own, for the whole slip.
 */
function health(
  writer: Writer,
  setting: Setting,
  parts: Partial<Record<'an' | 'ag', (rate: number) => number>>,
  half = 7300,
): void {
  const more = setting.zusatz / 2;
  const way = writer.pick(['together', 'rounded apart', 'own line'] as const);
  for (const party of ['an', 'ag'] as const) {
    const of = parts[party];
    if (of === undefined) continue;
    writer.follows(
      `kv_${party}`,
      way === 'together' ? of(half + more) : of(half) + (way === 'own line' ? 0 : of(more)),
    );
    if (way === 'own line') writer.follows(`kv_zusatz_${party}`, of(more));
  }
}

/** The employee's part of two rates, rounded together or separately. */
const two = (writer: Writer, cents: number, one: number, other: number): number =>
  writer.chance(0.5) ? share(cents, one + other) : share(cents, one) + share(cents, other);

const keys = (writer: Writer, group: string, contributions: string): void => {
  if (writer.chance(0.6)) writer.text('personengruppe', group);
  if (writer.chance(0.6))
    writer.text('beitragsgruppe', writer.chance(0.5) ? contributions : contributions.split('').join('-'));
};

/** An employee with compulsory insurance: a whole month or a part, with a one-off payment or without. */
function ordinary(writer: Writer): Slip {
  const setting = settingOf(writer);
  const { figures, isEast, zusatz } = setting;
  head(writer, setting);
  childrenOf(writer, setting);
  writer.text('zusatz', `${String(zusatz / 1000).replace('.', ',')} %`);
  keys(writer, '101', '1111');
  if (writer.chance(0.5)) writer.text('steuerklasse', writer.pick(['I', '1', '4', 'IV', '3']));
  const days = writer.chance(0.15) ? writer.between(3, 29) : 30;
  const pay = writer.between(140_000, writer.chance(0.3) ? 900_000 : 450_000);
  const part = days === 30 ? pay : Math.round((pay * days) / 30);
  const part30 = (cents: number): number => Math.round((cents * days) / 30);
  const ceilingRv = isEast ? figures.rvOst : figures.rvWest;
  const regularRv = Math.min(part, part30(ceilingRv));
  const regularKv = Math.min(part, part30(figures.kv));
  const bonus = days === 30 && setting.month > 3 && writer.chance(0.25) ? writer.between(20_000, 500_000) : 0;
  const room = (ceiling: number, regular: number): number =>
    Math.min(bonus, Math.max(0, (ceiling - regular) * setting.month));
  const bonusRv = room(ceilingRv, regularRv);
  const bonusKv = room(figures.kv, regularKv);
  writer.given('sv_brutto', part);
  if (days < 30) writer.text('sv_tage', String(days));
  else if (writer.chance(0.4)) writer.text('sv_tage', '30');
  if (bonus > 0) {
    writer.given('einmalzahlung', bonus);
    writer.given('rv_entgelt_jahr', regularRv * setting.month);
    writer.given('kv_entgelt_jahr', regularKv * setting.month);
    writer.text('sv_tage_jahr', String(setting.month * 30));
  }
  const rv = regularRv + bonusRv;
  const kv = regularKv + bonusKv;
  writer.follows('rv_brutto', rv);
  writer.follows('kv_brutto', kv);
  // Some programs calculate a one-off payment separately, others together with the rest.
  const apart = writer.chance(0.5);
  const of = (regular: number, once: number, rate: number): number =>
    apart ? share(regular, rate) + share(once, rate) : share(regular + once, rate);
  writer.follows('rv_an', of(regularRv, bonusRv, 9300));
  writer.follows('av_an', of(regularRv, bonusRv, figures.av / 2));
  const hasEmployer = writer.chance(0.5);
  const ofHealth = (rate: number): number => of(regularKv, bonusKv, rate);
  health(writer, setting, { an: ofHealth, ...(hasEmployer ? { ag: ofHealth } : {}) });
  const care = careRates(setting);
  const careOf = writer.chance(0.5)
    ? of(regularKv, bonusKv, care.an + care.more)
    : of(regularKv, bonusKv, care.an) + of(regularKv, bonusKv, care.more);
  writer.follows('pv_an', careOf);
  if (hasEmployer) {
    writer.follows('rv_ag', of(regularRv, bonusRv, 9300));
    writer.follows('av_ag', of(regularRv, bonusRv, figures.av / 2));
    writer.follows('pv_ag', of(regularKv, bonusKv, care.ag));
    writer.follows('u3', of(regularRv, bonusRv, figures.u3));
  }
  return writer.slip('ordinary');
}

function minijob(writer: Writer): Slip {
  const setting = settingOf(writer);
  head(writer, setting);
  const limit = setting.year === 2022 && setting.month >= 10 ? 52_000 : 45_000;
  const isHousehold = writer.chance(0.2);
  const pay = writer.between(8000, writer.run === undefined ? limit : 45_000);
  const isExempt = writer.chance(0.4);
  writer.text('minijob', 'ja');
  if (isHousehold) writer.text('privathaushalt', 'ja');
  keys(writer, '109', isExempt ? '6500' : '6100');
  writer.text('rv_befreit', isExempt ? 'ja' : 'nein');
  writer.given('minijob_entgelt', pay);
  const rate = isHousehold ? 5000 : 13_000;
  const pension = isHousehold ? 5000 : 15_000;
  writer.follows('minijob_kv_betrag', share(pay, rate));
  writer.follows('minijob_rv_betrag', share(pay, pension));
  const whole = share(Math.max(pay, 17_500), 18_600);
  writer.follows('minijob_rv_betrag_an', isExempt ? 0 : whole - share(pay, pension));
  if (writer.chance(0.5)) writer.follows('minijob_steuer_betrag', share(pay, 2000));
  return writer.slip('minijob');
}

/** From July 2019 on: 450.01 to 1,300 euros, and from October to December 2022 520.01 to 1,600 euros. */
function midijob(writer: Writer): Slip {
  const setting = settingOf(writer, 201_907);
  const { year, figures, zusatz, month, isSaxony } = setting;
  head(writer, setting);
  childrenOf(writer, setting);
  writer.text('midijob', 'ja');
  writer.text('zusatz', `${String(zusatz / 1000).replace('.', ',')} %`);
  keys(writer, '101', '1111');
  const isNew = year === 2022 && month >= 10;
  const [low, high] = isNew ? [520, 1600] : [450, 1300];
  // In the runs of one program the pay of a person stays, and is in the zone of either law.
  const [from, to] = writer.run === undefined ? [low * 100 + 1, high * 100] : [52_001, 130_000];
  const pay = writer.between(from, to);
  const factor = isNew ? 7009 : year === 2019 ? 7566 : year === 2020 ? 7547 : 7509;
  // F × G + ([O/(O-G)] - [G/(O-G)] × F) × (pay - G)
  const width = high - low;
  const above = pay - low * 100;
  const base = Math.round(
    (low * 100 * factor * width + (high * 10_000 - low * factor) * above) / (10_000 * width),
  );
  writer.given('midijob_entgelt', pay);
  writer.follows('midijob_bemessung', base);
  const care = careRates(setting);
  if (isNew) {
    // § 20 Abs. 2a SGB IV and § 2 Abs. 2 BVV: the employee has a base of their own, and the employer bears the rest of the whole.
    const own = Math.round((high * above) / width);
    const employee = (rate: number): number => share(own, rate);
    const employer = (rate: number): number => 2 * share(base, rate) - share(own, rate);
    writer.follows('rv_brutto', base);
    writer.follows('kv_brutto', base);
    writer.follows('rv_an', employee(9300));
    writer.follows('av_an', employee(figures.av / 2));
    health(writer, setting, { an: employee, ag: employer });
    writer.follows('pv_an', employee(care.ag) + (isSaxony ? share(base, 1000) : 0) + share(base, care.more));
    writer.follows('pv_ag', employer(care.ag));
    writer.follows('rv_ag', employer(9300));
    writer.follows('av_ag', employer(figures.av / 2));
    writer.follows('u3', share(base, figures.u3));
    return writer.slip('midijob');
  }
  // § 2 BVV: twice the rounded half rate of the reduced basis, minus the employer's part of the actual pay.
  const employee = (rate: number): number => 2 * share(base, rate) - share(pay, rate);
  writer.follows('rv_an', employee(9300));
  writer.follows('av_an', employee(figures.av / 2));
  health(writer, setting, { an: employee, ag: (rate) => share(pay, rate) });
  writer.follows('rv_ag', share(pay, 9300));
  writer.follows('av_ag', share(pay, figures.av / 2));
  return writer.slip('midijob');
}

/** Full pension after the age limit: no employee's part of RV and AV, and the reduced rate of KV. */
function pensioner(writer: Writer): Slip {
  const setting = settingOf(writer);
  const { figures, zusatz, isEast } = setting;
  head(writer, setting);
  const pay = writer.between(140_000, 600_000);
  if (writer.chance(0.5)) writer.text('altersrentner', 'ja');
  else writer.text('personengruppe', '119');
  if (writer.chance(0.5)) writer.text('beitragsgruppe', setting.year < 2022 ? '3301' : '3321');
  if (writer.chance(0.5)) writer.text('alter', String(writer.between(67, 75)));
  writer.text('elterneigenschaft', 'ja');
  writer.text('zusatz', `${String(zusatz / 1000).replace('.', ',')} %`);
  writer.given('sv_brutto', pay);
  const rv = Math.min(pay, isEast ? figures.rvOst : figures.rvWest);
  const kv = Math.min(pay, figures.kv);
  writer.follows('rv_an', 0);
  writer.follows('rv_ag', share(rv, 9300));
  writer.follows('av_an', 0);
  writer.follows('av_ag', setting.year < 2022 ? 0 : share(rv, figures.av / 2));
  const ofHealth = (rate: number): number => share(kv, rate);
  health(writer, setting, { an: ofHealth, ag: ofHealth }, 7000);
  writer.follows('pv_an', share(kv, setting.isSaxony ? 2025 : 1525));
  return writer.slip('pensioner');
}

/** Pension insurance only. */
function student(writer: Writer): Slip {
  const setting = settingOf(writer);
  head(writer, setting);
  const way = writer.between(0, 2);
  if (way !== 1) writer.text('werkstudent', 'ja');
  if (way !== 0) writer.text('personengruppe', '106');
  if (way !== 0) writer.text('beitragsgruppe', writer.pick(['0100', '0-1-0-0']));
  const pay = writer.between(165_000, 240_000);
  writer.given('sv_brutto', pay);
  writer.follows('rv_an', share(pay, 9300));
  writer.follows('rv_ag', share(pay, 9300));
  for (const none of ['av_an', 'kv_an', 'pv_an'] as const) writer.follows(none, 0);
  return writer.slip('student');
}

/** An apprentice above the limit below which the employer pays everything. */
function apprentice(writer: Writer): Slip {
  const setting = settingOf(writer);
  const { figures, zusatz } = setting;
  head(writer, setting);
  if (writer.chance(0.5)) writer.text('auszubildend', 'ja');
  else writer.text('personengruppe', '102');
  writer.text('alter', String(writer.between(17, 22)));
  writer.text('zusatz', `${String(zusatz / 1000).replace('.', ',')} %`);
  const pay = writer.between(65_000, 125_000);
  writer.given('sv_brutto', pay);
  writer.follows('rv_an', share(pay, 9300));
  writer.follows('av_an', share(pay, figures.av / 2));
  health(writer, setting, { an: (rate) => share(pay, rate) });
  // Nobody pays the surcharge before the end of the month of their 23rd birthday.
  writer.follows('pv_an', share(pay, setting.isSaxony ? 2025 : 1525));
  return writer.slip('apprentice');
}

/** Voluntary or private insurance: the employer's contribution. */
function voluntary(writer: Writer): Slip {
  const setting = settingOf(writer);
  const { figures, zusatz, isEast } = setting;
  head(writer, setting);
  const isPrivate = writer.chance(0.5);
  writer.text('krankenversicherung', isPrivate ? 'privat' : 'freiwillig');
  keys(writer, '101', isPrivate ? '0111' : '9111');
  const pay = writer.between(550_000, 950_000);
  writer.given('sv_brutto', pay);
  const rv = Math.min(pay, isEast ? figures.rvOst : figures.rvWest);
  writer.follows('rv_brutto', rv);
  writer.follows('rv_an', share(rv, 9300));
  writer.follows('rv_ag', share(rv, 9300));
  writer.follows('av_an', share(rv, figures.av / 2));
  if (isPrivate) {
    const average = { 2019: 900, 2020: 1100, 2021: 1300, 2022: 1300 }[setting.year]!;
    const most = two(writer, figures.kv, 7300, average / 2);
    const premium = writer.between(30_000, 110_000);
    writer.given('pkv_beitrag', premium);
    writer.follows('pkv_zuschuss', Math.min(most, Math.floor(premium / 2)));
  } else {
    writer.text('zusatz', `${String(zusatz / 1000).replace('.', ',')} %`);
    writer.follows('kv_brutto', figures.kv);
  }
  return writer.slip(isPrivate ? 'private' : 'voluntary');
}

/**
 * Short-time work: both pay half for the earned pay, and the employer everything for 80 percent of the lost pay, up to
 * the ceilings.
 */
function shortTime(writer: Writer): Slip {
  const setting = settingOf(writer, 202_004, 202_203);
  const { figures, isEast, zusatz } = setting;
  head(writer, setting);
  childrenOf(writer, setting);
  keys(writer, '101', '1111');
  writer.text('zusatz', `${String(zusatz / 1000).replace('.', ',')} %`);
  const target = writer.between(180_000, 620_000);
  const earned = writer.chance(0.15) ? 0 : Math.round((target * writer.between(5, 95)) / 100);
  writer.text('kurzarbeit', 'ja');
  writer.given('soll_entgelt', target);
  writer.given('ist_entgelt', earned);
  writer.given('sv_brutto', earned);
  const lost = share(target - earned, 80_000);
  writer.follows('kug_bemessung', lost);
  const rv = Math.min(earned, isEast ? figures.rvOst : figures.rvWest);
  const kv = Math.min(earned, figures.kv);
  // A program may have lines of their own for the contributions on the loss.
  const times = writer.chance(0.3) ? 0 : 2;
  const lostRv = Math.min(lost, (isEast ? figures.rvOst : figures.rvWest) - rv);
  const lostKv = Math.min(lost, figures.kv - kv);
  const care = careRates(setting);
  writer.follows('rv_an', share(rv, 9300));
  writer.follows('rv_ag', share(rv, 9300) + times * share(lostRv, 9300));
  writer.follows('av_an', share(rv, figures.av / 2));
  writer.follows('av_ag', share(rv, figures.av / 2));
  health(writer, setting, {
    an: (rate) => share(kv, rate),
    ag: (rate) => share(kv, rate) + times * share(lostKv, rate),
  });
  writer.follows('pv_an', share(kv, care.an) + share(kv, care.more));
  writer.follows('pv_ag', share(kv, care.ag) + (times === 0 ? 0 : share(lostKv, 3050)));
  if (writer.chance(0.5)) writer.follows('u3', share(rv, figures.u3));
  return writer.slip('short-time');
}

/** The minimum wage of a month, in cents. */
function minimumWage({ year, month }: Setting): number {
  if (year < 2021) return year === 2019 ? 919 : 935;
  if (year === 2021) return month < 7 ? 950 : 960;
  return month < 7 ? 982 : month < 10 ? 1045 : 1200;
}

/** Pay by the hour, of the minimum wage or more. */
function hourly(writer: Writer): Slip {
  const setting = settingOf(writer);
  const { figures, zusatz } = setting;
  head(writer, setting);
  childrenOf(writer, setting);
  writer.text('zusatz', `${String(zusatz / 1000).replace('.', ',')} %`);
  keys(writer, '101', '1111');
  const least = minimumWage(setting);
  const hours = writer.between(150, 174);
  const more = writer.between(0, 1) * writer.between(20, 600);
  const pay = hours * (least + more);
  writer.text('arbeitsstunden', String(hours));
  writer.follows('mindestlohn', least);
  writer.follows('stundenlohn', least + more);
  writer.follows('stundenlohn_summe', pay);
  writer.given('sv_brutto', pay);
  writer.follows('rv_brutto', pay);
  writer.follows('kv_brutto', pay);
  writer.follows('rv_an', share(pay, 9300));
  writer.follows('rv_ag', share(pay, 9300));
  writer.follows('av_an', share(pay, figures.av / 2));
  const ofPay = (rate: number): number => share(pay, rate);
  health(writer, setting, { an: ofPay, ag: ofPay });
  const care = careRates(setting);
  writer.follows('pv_an', two(writer, pay, care.an, care.more));
  return writer.slip('hourly');
}

const BAVARIAN = ['Bayern', 'Baden-Württemberg'];

/** Wage tax and its surcharges, for a whole month except December. */
function taxed(writer: Writer): Slip {
  const setting = settingOf(writer);
  if (setting.month === 12) return ordinary(writer);
  const { figures, isEast, zusatz, year, land } = setting;
  head(writer, setting);
  const taxClass = writer.pick([1, 1, 2, 3, 4, 4, 5, 6] as const);
  const childless = taxClass === 2 ? false : setting.childless;
  writer.text('elterneigenschaft', childless ? 'nein' : 'ja');
  writer.text('alter', String(writer.between(25, 60)));
  writer.text('zusatz', `${String(zusatz / 1000).replace('.', ',')} %`);
  const roman = ['I', 'II', 'III', 'IV', 'V', 'VI'][taxClass - 1]!;
  writer.text('steuerklasse', writer.chance(0.5) ? roman : String(taxClass));
  const pay = writer.between(140_000, 780_000);
  writer.given('sv_brutto', pay);
  writer.given('steuerbrutto', pay);
  const halfChildren = childless || taxClass > 4 ? 0 : writer.between(0, 4);
  writer.text('kinderfreibetraege', String(halfChildren / 2).replace('.', ','));
  const care = careRates({ ...setting, childless });
  const of: TaxCase = {
    year,
    isOfJune: year === 2022 && setting.month >= 6,
    taxClass,
    pay,
    ceilingRv: isEast ? figures.rvOst : figures.rvWest,
    ceilingKv: figures.kv,
    additional: zusatz,
    careRate: care.an + care.more,
    halfChildren,
    churchPercent: BAVARIAN.includes(land) ? 8n : 9n,
  };
  const { tax, soli, church } = taxesOf(of);
  writer.follows('lohnsteuer', tax);
  writer.follows('soli', soli);
  if (writer.chance(0.4) && tax > 5000) {
    writer.text('konfession', writer.pick(['ev', 'rk']));
    writer.follows('kirchensteuer', church);
  }
  return writer.slip('taxed');
}

/** Part of a month, by its first or last day. */
function partMonth(writer: Writer): Slip {
  const setting = settingOf(writer);
  const { figures, isEast, zusatz, year, month } = setting;
  head(writer, setting);
  childrenOf(writer, setting);
  writer.text('personengruppe', '101');
  writer.text('beitragsgruppe', '1111');
  writer.text('zusatz', `${String(zusatz / 1000).replace('.', ',')} %`);
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const day = writer.between(2, last - 1);
  const date = `${String(day).padStart(2, '0')}.${String(month).padStart(2, '0')}.${year}`;
  const isEntry = writer.chance(0.5);
  writer.text(isEntry ? 'eintritt' : 'austritt', date);
  const days = isEntry ? last - day + 1 : day;
  const pay = writer.between(60_000, Math.round(30_000 * days));
  const part30 = (cents: number): number => Math.round((cents * days) / 30);
  writer.given('sv_brutto', pay);
  writer.text('midijob', 'nein');
  if (writer.chance(0.5)) writer.text('sv_tage', String(days));
  const rv = Math.min(pay, part30(isEast ? figures.rvOst : figures.rvWest));
  const kv = Math.min(pay, part30(figures.kv));
  const care = careRates(setting);
  writer.follows('rv_brutto', rv);
  writer.follows('kv_brutto', kv);
  writer.follows('rv_an', share(rv, 9300));
  writer.follows('av_an', share(rv, figures.av / 2));
  health(writer, setting, { an: (rate) => share(kv, rate) });
  writer.follows('pv_an', two(writer, kv, care.an, care.more));
  return writer.slip('part month');
}

/** A company car, and the levies of a health fund. */
function carAndLevies(writer: Writer): Slip {
  const setting = settingOf(writer);
  const { figures, isEast } = setting;
  head(writer, setting);
  keys(writer, '101', '1111');
  const pay = writer.between(220_000, 800_000);
  writer.given('sv_brutto', pay);
  const rv = Math.min(pay, isEast ? figures.rvOst : figures.rvWest);
  const price = writer.between(1_500_000, 8_000_000);
  const counted = Math.floor(price / 10_000) * 10_000;
  const kilometres = writer.between(1, 70);
  writer.given('listenpreis', price);
  writer.text('entfernung_km', String(kilometres));
  writer.follows('firmenwagen_privat', counted / 100);
  writer.follows('firmenwagen_arbeitsweg', (counted * kilometres * 3) / 10_000);
  const [u1, u2] = [writer.pick([1600, 1900, 2400, 3200]), writer.pick([390, 470, 650])];
  writer.text('u1_satz', `${String(u1 / 1000).replace('.', ',')} %`);
  writer.text('u2_satz', `${String(u2 / 1000).replace('.', ',')} %`);
  writer.follows('umlage_u1', share(rv, u1));
  writer.follows('umlage_u2', share(rv, u2));
  writer.follows('u3', share(rv, figures.u3));
  return writer.slip('car and levies');
}

const KINDS = [
  ordinary,
  ordinary,
  ordinary,
  minijob,
  midijob,
  pensioner,
  student,
  apprentice,
  voluntary,
  shortTime,
  taxed,
  partMonth,
  carAndLevies,
  hourly,
];

export function rightSlip(random: Random): Slip {
  const writer = new Writer(random);
  return writer.pick(KINDS)(writer);
}

const KINDS_OF_A_RUN = [
  ordinary,
  ordinary,
  ordinary,
  minijob,
  midijob,
  pensioner,
  student,
  apprentice,
  voluntary,
  taxed,
  carAndLevies,
  hourly,
];

/** The slip of a person in a run: the same random numbers give the same person in another month. */
export function slipInRun(random: Random, run: OneRun): Slip {
  const writer = new Writer(random, run);
  return writer.pick(KINDS_OF_A_RUN)(writer);
}

/** Changes one derived amount by more than rounding can: by at least half a percent and a euro. */
export function spoiled(slip: Slip, random: Random): Slip & { readonly at: number } {
  const at = slip.derived[Math.floor(random() * slip.derived.length)]!;
  const facts = slip.facts.map(([key, value], place): readonly [string, string] => {
    if (place !== at) return [key, value];
    const digits = value.replaceAll(/\D/gu, '');
    const cents = Number(digits);
    const more = cents + 100 + Math.floor(cents * (0.005 + random() * 0.3));
    return [key, `${Math.floor(more / 100)},${String(more % 100).padStart(2, '0')}`];
  });
  return { ...slip, facts, at };
}

/**
 * Options of a test that works through many slips and waits for nothing. A clock could only say that the machine is busy.
 */
export const NO_CLOCK = { timeout: 0 } as const;

/** Numbers from `from` on, with a pause after each, because Vitest wants to be answered while a test works. */
export async function* seedsFrom(from: number, count: number): AsyncGenerator<number> {
  for (let seed = from; seed < from + count; seed += 1) {
    yield seed;
    await nextTurn();
  }
}
