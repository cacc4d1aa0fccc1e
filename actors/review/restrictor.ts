import { fold } from '../../kb/analysis/fold.ts';

/**
 * Words by which payroll law tells cases apart: a passage that has one speaks of that case alone. Each class is one
 * distinction; where it is `exclusive`, a case of one of its values is none of another.
 */
interface RestrictorClass {
  readonly name: string;
  readonly exclusive?: true;
  /** True for people for whom other law than the general may hold. */
  readonly group?: true;
  readonly values: Readonly<Record<string, RegExp>>;
}

/** Over folded text: lower case, umlauts as plain vowels, ß as ss. */
const CLASSES: readonly RestrictorClass[] = [
  {
    name: 'region',
    exclusive: true,
    values: {
      west: /\bwest(?:en)?\b|\balte lander/u,
      ost: /\bost(?:en)?\b|\beast\b|beitrittsgebiet|\bneue lander/u,
    },
  },
  {
    name: 'kind',
    exclusive: true,
    values: {
      special: /\bbesonder(?:e|er|en|es)?\b(?! regel| frist| umstand)|\bspecial\b/u,
      reduced: /\bermassigt|ohne anspruch auf krankengeld|\breduced\b/u,
      miners: /knappschaftlich/u,
      general: /\ballgemein|\bgeneral\b/u,
    },
  },
  {
    name: 'party',
    exclusive: true,
    values: {
      employer:
        /kundigung\w* (?:(?:durch|fur|vom|des) (?:den |einen |die )?)?arbeitgebers?\b|fur den arbeitgeber\b|kundigt der arbeitgeber|arbeitgeberanteil|arbeitgeberkundigung|(?:tragt|zahlt) der arbeitgeber\b.{0,60}prozent|by the employer/u,
      employee:
        /kundigung\w* (?:(?:durch|fur|vom|des) (?:den |einen |die )?)?arbeitnehmers?\b|fur den arbeitnehmer\b|kundigt der arbeitnehmer|arbeitnehmeranteil|eigenkundigung|by the employee/u,
    },
  },
  {
    name: 'marginal',
    exclusive: true,
    values: {
      minijob: /\bminijob(?!-grenze)|\bmini-job|(?<!mehr als )geringfugig|marginal employment/u,
      midijob: /\bmidijob|ubergangsbereich|gleitzone|transition/u,
      short: /kurzfristig|short-term/u,
    },
  },
  {
    name: 'birth',
    exclusive: true,
    values: {
      before: /\bvor (?:der )?(?:entbindung|geburt)/u,
      after: /\bnach (?:der )?(?:entbindung|geburt)/u,
    },
  },
  { name: 'settled', exclusive: true, values: { provisional: /vorlaufig/u, final: /endgultig/u } },
  { name: 'household', values: { household: /privathaushalt|haushaltsscheck|private household/u } },
  {
    name: 'time of work',
    exclusive: true,
    values: {
      night: /\bnacht|\bnight/u,
      sunday: /sonntag(?!en und ge)(?!s? oder ge)|sunday/u,
      holiday: /feiertag|public holiday/u,
    },
  },
  { name: 'hours', values: { hours: /\b\d{1,2} uhr|\b\d{1,2} (?:a|p)\.m\.|midnight/u } },
  { name: 'young', group: true, values: { young: /jugendlich|\bminors?\b|young p/u } },
  { name: 'child', group: true, values: { child: /\bkinder?n?\b(?!lose)|schuler|ferienjob|vollzeitschul/u } },
  {
    name: 'trainee',
    group: true,
    values: { trainee: /auszubildend|\bazubi|berufsausbildung\b|ausbildungsvergutung|trainee|apprentice/u },
  },
  { name: 'intern', group: true, values: { intern: /praktikant|praktikum|\binterns?\b/u } },
  {
    name: 'volunteer',
    group: true,
    values: { volunteer: /ehrenamt|freiwilligendienst|freiwillige[ns]? soziale/u },
  },
  { name: 'mother', group: true, values: { mother: /schwanger|stillend|\bmutter|entbindung|pregnan/u } },
  { name: 'driver', group: true, values: { driver: /\bfahrer|kraftfahrer|beifahrer|strassentransport/u } },
  { name: 'home worker', group: true, values: { home: /heimarbeit|hausgewerbe/u } },
  {
    name: 'pensioner',
    group: true,
    values: { pensioner: /\brentner|\brenten?\b(?!-)|rentenbeginn|vollrente|altersrente|versorgungsbezug/u },
  },
  // Statutes of private law have other parties too.
  {
    name: 'tenant',
    group: true,
    values: {
      tenant:
        /\b(?:ver)?mieter|mietverhaltnis|wohnraum|\b(?:ver)?pachter|verbraucher|darlehensnehmer|reisende/u,
    },
  },
  { name: 'student', group: true, values: { student: /\bstudent|werkstudent/u } },
  {
    name: 'self-employed',
    group: true,
    values: {
      self: /selbst(?:st)?andig(?! als)|freiberuf|freie[rn]? mitarbeit|honorarkraft|self-employed|freelance/u,
    },
  },
  {
    name: 'manager',
    group: true,
    values: { manager: /geschaftsfuhrer|vorstandsmitglied|managing director/u },
  },
  { name: 'civil servant', group: true, values: { civil: /\bbeamt|richter\b|soldat/u } },
  {
    name: 'disabled',
    group: true,
    values: {
      disabled: /schwerbehindert|behindertenwerkstatt|werkstattbeschaftigt|werkstatt fur behinderte/u,
    },
  },
  { name: 'lent', group: true, values: { lent: /leiharbeit|uberlassung|entleih/u } },
  { name: 'seafarer', group: true, values: { sea: /seeleute|besatzungsmitglied/u } },
  { name: 'long unemployed', group: true, values: { unemployed: /langzeitarbeitslos/u } },
  { name: 'helper', group: true, values: { helper: /aushilf/u } },
  {
    name: 'on leave',
    group: true,
    values: { parental: /elternzeit|elterngeld|parental/u, care: /pflegezeit/u },
  },
  { name: 'dismissal', values: { dismissal: /nicht kundigen|kundigungsverbot|kundigungsschutz/u } },
  { name: 'mining', values: { mining: /bergbau|unter tage/u } },
  { name: 'farm', values: { farm: /landwirtschaft|forstwirtschaft|erntezeit/u } },
  {
    name: 'trade',
    values: { trade: /krankenhaus|gaststatte|backerei|rundfunk|baugewerbe|pflegeeinrichtung/u },
  },
  { name: 'childless', values: { childless: /kinderlos|childless/u } },
  { name: 'trial', values: { trial: /probezeit|probation/u } },
  { name: 'waiting', values: { waiting: /wartezeit|waiting period/u } },
  { name: 'short time', values: { short: /kurzarbeit/u } },
  { name: 'one-off', values: { once: /einmalzahlung|einmalig|sonstige[rn]? bezug|one-off/u } },
  {
    name: 'tax class',
    values: { class3: /steuerklasse iii\b/u, others: /steuerklassen? (?:i|ii|iv|v|vi)\b/u },
  },
  { name: 'tax-free', values: { taxfree: /steuerfrei|tax-free|tax exempt/u } },
  {
    name: 'contribution-free',
    values: { free: /beitragsfrei|beitragspflichtig(?!e[nr]? einnahmen)|exempt from contributions/u },
  },
  { name: 'flat tax', values: { flat: /pauschal(?!beitrag)|pauschsteuer/u } },
  { name: 'fine', values: { fine: /geldbusse|bussgeld|\bfined?\b/u } },
  { name: 'reimbursed', values: { back: /erstatt|umlage/u } },
  { name: 'late', values: { late: /saumnis|verzins|late payment/u } },
  { name: 'court', values: { court: /\bklage|kundigungsschutz|einspruch|widerruf|abfindung|\bcourt/u } },
  { name: 'kept', values: { kept: /aufbewahr|retain/u } },
  { name: 'again', values: { again: /\berneut|derselben krankheit|same illness/u } },
  { name: 'first', values: { first: /in den ersten|\bin the first/u } },
  {
    name: 'added',
    values: { added: /zusatzlich|kommen? .*hinzu|weiteren? urlaub|\bplus\b|surcharge|zuschlag/u },
  },
  {
    name: 'part',
    values: {
      part: /\baustritt|\beintritt|ausscheid|anteilig|teilurlaub|urlaubsteil|geteilt|zwolftel|resturlaub|ubertragen|unbezahlt/u,
    },
  },
  {
    name: 'exception',
    values: {
      exception:
        /verlanger|verkurz|erhoh|ausgleich|ausgeglich|ausnahm|abweichend|vorubergehend|tarifvertrag|durchschnitt(?!s?entgelt)|hochstdauer|vermindert/u,
    },
  },
  { name: 'disregarded', values: { disregarded: /unberucksichtigt|ausser ansatz|nicht angerechnet/u } },
  {
    name: 'assessed',
    values: { assessed: /anzusetzen|angesetzt|\bansatz|richtet sich nach|\bberuh|capped/u },
  },
  { name: 'without', values: { without: /es sei denn|\bunless\b/u } },
];

/** What statutes are about that do not say so in each sentence, by the short name of the work. */
const WORKS: Readonly<Record<string, string>> = {
  AufAG: 'Erstattung Umlage',
  BEEG: 'Elternzeit Elterngeld',
  BUrlG: 'Urlaub',
  EntgFG: 'Entgeltfortzahlung',
  JArbSchG: 'Jugendliche',
  MiLoG: 'Mindestlohn',
  MiLoV3: 'Mindestlohn',
  MuSchG: 'schwangere Frau Mutterschutz',
  MuSchG2018: 'schwangere Frau Mutterschutz',
  'SGB III': 'Arbeitslosenversicherung',
  'SGB V': 'Krankenversicherung',
  'SGB VI': 'Rentenversicherung',
  'SGB VII': 'Unfallversicherung',
  'SGB XI': 'Pflegeversicherung',
  SolZG: 'Solidaritätszuschlag',
};

/** What a work is about, in words; empty where each sentence says it. */
export const subjectOfWork = (work: string): string => WORKS[work] ?? '';

/** The short name of the work that is about what a word names (`Krankenversicherung` → `SGB V`). */
export const workOf = (word: string): string | undefined =>
  Object.entries(WORKS).find(([, subject]) => subject.toLowerCase() === word.toLowerCase())?.[0];

/** Case values by class: `region` → `west`. */
export type Restrictors = ReadonlyMap<string, ReadonlySet<string>>;

/** The cases that texts speak of. A class takes its values from the first text that has any: the nearest to a figure. */
export function restrictorsIn(texts: readonly string[]): Restrictors {
  const folded = texts.map((text) => fold(text, 'de').replaceAll(/[_\s]+/gu, ' '));
  const found = new Map<string, ReadonlySet<string>>();
  for (const { name, values } of CLASSES) {
    for (const text of folded) {
      const present = Object.entries(values).filter(([, words]) => words.test(text));
      if (present.length === 0) continue;
      found.set(name, new Set(present.map(([value]) => value)));
      break;
    }
  }
  return found;
}

const BY_NAME = new Map(CLASSES.map((each) => [each.name, each]));

export const isExclusive = (name: string): boolean => BY_NAME.get(name)?.exclusive === true;
export const isGroup = (name: string): boolean => BY_NAME.get(name)?.group === true;
